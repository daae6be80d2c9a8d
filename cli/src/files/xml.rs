//! What readers of XML share.

use std::path::Path;
use std::str::FromStr;

use roxmltree::{Document, Node, ParsingOptions};

use crate::failure::{Failure, Result};

/// The text of a file.
pub fn text<'a>(path: &Path, bytes: &'a [u8]) -> Result<&'a str> {
    std::str::from_utf8(bytes).map_err(|error| Failure::byte(path, error.valid_up_to(), "this is not text (UTF-8)"))
}

pub fn parse<'a>(path: &Path, text: &'a str) -> Result<Document<'a>> {
    // Files of some programs declare their type.
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(text, options)
        .map_err(|error| Failure::line(path, error.pos().row as usize, format!("this is no XML: {error}")))
}

/// What is wrong with an element.
pub struct Wrong {
    line: usize,
    reason: String,
}

impl Wrong {
    pub fn new(node: Node<'_, '_>, reason: impl Into<String>) -> Self {
        let line = node.document().text_pos_at(node.range().start).row as usize;
        Self { line, reason: reason.into() }
    }

    pub fn at(self, path: &Path) -> Failure {
        Failure::line(path, self.line, self.reason)
    }
}

/// The elements of this name right below another.
pub fn children<'a, 'b: 'a>(node: Node<'a, 'b>, name: &'static str) -> impl Iterator<Item = Node<'a, 'b>> {
    node.children().filter(move |child| child.is_element() && child.tag_name().name() == name)
}

/// The numbers that an element has as its text.
pub fn list<N: FromStr>(node: Node<'_, '_>) -> Result<Vec<N>, Wrong> {
    let number =
        |word: &str| word.parse().map_err(|_| Wrong::new(node, format!("{word:?} is no number that can stand here")));
    node.text().unwrap_or_default().split_ascii_whitespace().map(number).collect()
}
