//! The links of a robot, and where its joints put them.

use std::collections::HashMap;

use roxmltree::Node;
use tangency::glam::DAffine3;

use super::origin;
use crate::files::xml::{Wrong, children};

pub struct Link<'a, 'b> {
    pub node: Node<'a, 'b>,
    /// The link that a joint connects it to, by index; absent for the root.
    pub parent: Option<usize>,
    pub place: DAffine3,
}

pub struct Tree<'a, 'b> {
    pub links: Vec<Link<'a, 'b>>,
}

impl<'a, 'b: 'a> Tree<'a, 'b> {
    pub fn new(robot: Node<'a, 'b>) -> Result<Self, Wrong> {
        let (mut links, mut by_name) = (Vec::new(), HashMap::new());
        for node in children(robot, "link") {
            let name = node.attribute("name").ok_or_else(|| Wrong::new(node, "the link has no name"))?;
            if by_name.insert(name, links.len()).is_some() {
                return Err(Wrong::new(node, format!("there are two links {name:?}")));
            }
            links.push(Link { node, parent: None, place: DAffine3::IDENTITY });
        }
        if links.is_empty() {
            return Err(Wrong::new(robot, "the robot has no links"));
        }
        // Where each link is relative to its parent.
        let mut relative = vec![DAffine3::IDENTITY; links.len()];
        for joint in children(robot, "joint") {
            let end = |which: &'static str| {
                let name = children(joint, which).next().and_then(|end| end.attribute("link"));
                let name = name.ok_or_else(|| Wrong::new(joint, format!("the joint has no {which} link")))?;
                by_name.get(name).copied().ok_or_else(|| Wrong::new(joint, format!("there is no link {name:?}")))
            };
            let (parent, child) = (end("parent")?, end("child")?);
            if links[child].parent.is_some() {
                let name = links[child].node.attribute("name").unwrap_or_default();
                return Err(Wrong::new(joint, format!("the link {name:?} is the child of two joints")));
            }
            links[child].parent = Some(parent);
            relative[child] = origin(joint)?;
        }
        let mut tree = Self { links };
        for k in 0..tree.links.len() {
            tree.links[k].place = tree.place(k, &relative)?;
        }
        Ok(tree)
    }

    /// The product of all transforms from the root to a link.
    fn place(&self, link: usize, relative: &[DAffine3]) -> Result<DAffine3, Wrong> {
        let (mut place, mut at) = (relative[link], link);
        for _ in 0..self.links.len() {
            match self.links[at].parent {
                None => return Ok(place),
                Some(parent) => {
                    place = relative[parent] * place;
                    at = parent;
                }
            }
        }
        Err(Wrong::new(self.links[link].node, "the link is above itself: its joints form a circle"))
    }
}
