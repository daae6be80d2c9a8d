//! Pairs side by side have the contacts of single pairs, whatever instructions compute them.

use super::super::{Frame, Known, Manifold, Waiting, manifold};
use crate::exact::Margin;
use crate::lanes::Width;
use crate::scenes::{SEED, Scene};
use crate::shape::kinds::encode;
use crate::{BackendKind, Engine};

#[test]
fn every_width_has_the_contacts_of_single_pairs() {
    let engine = Engine::builder().backend(BackendKind::Cpu).build().expect("the CPU");
    // (Frames of hulls are outside of the domain.)
    for scene in Scene::ALL.into_iter().filter(|scene| *scene != Scene::Hulls) {
        let bodies = scene.build(if crate::is_long_test() { 1500 } else { 500 }, SEED).expect("a scene");
        let frames: Vec<Frame> = (0..bodies.id_bound())
            .map(|id| {
                let (kind, record) = encode(&bodies.get(id));
                Frame::of(kind, &record)
            })
            .collect();
        let pairs = engine.overlaps(&bodies).margin(0.25).run().expect("pairs");
        for (most, width) in
            [1, 4].into_iter().flat_map(|most| Width::all().into_iter().map(move |width| (most, width)))
        {
            let mut out = vec![Manifold::default(); pairs.len()];
            let mut waiting = Waiting::of_width(most, width);
            let of = |id: u32| (id, &frames[id as usize]);
            // Every third as if the bodies might be apart.
            let margin = Margin([0.25, 0.0, 0.125]);
            let known = |place, relation| if place % 3 == 0 { Known::Within(margin) } else { Known::Meet(relation) };
            for (place, (a, b, relation)) in pairs.iter().enumerate() {
                assert!(waiting.put(of(a), of(b), known(place, relation), place, &mut out));
            }
            waiting.finish(&mut out);
            for (place, ((a, b, relation), found)) in pairs.iter().zip(&out).enumerate() {
                let expected = manifold(of(a), of(b), known(place, relation), most).expect("in the domain");
                assert!(*found == expected, "{}, {width:?}: {found:?} and {expected:?}", scene.name());
            }
        }
    }
}
