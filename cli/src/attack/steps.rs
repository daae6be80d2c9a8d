//! The steps of sequences: changes of sets, and queries between them.

use super::dice::{Dice, Style, form};
use super::form::{Form, Kind};
use super::model::{Entry, Rules};
use super::pairs::{self, contact};
use crate::requests::Ending;

/// The number of sets of a sequence.
pub const SETS: usize = 3;

/// One step. Its ids are random picks, which are reduced to bodies that exist when the step runs, so that every sub-sequence is
/// valid.
#[derive(Clone, Debug)]
pub enum Step {
    Push(usize, Form, Rules),
    /// Adds this many bodies on a grid, by seed.
    Crowd(usize, usize, u64),
    SetShape(usize, u32, Form),
    SetShapes(usize, u32, Vec<Form>),
    SetTraits(usize, u32, Rules),
    Disable(usize, u32),
    Enable(usize, u32),
    Exclude(usize, u32, u32),
    /// Includes one of the excluded pairs again.
    Include(usize, u32),
    Remove(usize, u32),
    /// Moves consecutive bodies to the poses of these forms.
    SetPoses(usize, u32, Vec<Form>),
    /// Adds bodies with a shape in common, in the poses of these forms.
    Share(usize, Form, Vec<Form>),
    Compact(usize),
    Clear(usize),
    /// Replaces the set by a copy of another one.
    Copy(usize, usize),
    /// Makes an index of the set, which later steps query.
    Snapshot(usize),
    /// Refreshes the index, if there is one, with the set, which need not be the one it was made of.
    Refresh(usize),
    /// Falsifies the model and that of the snapshot: their first body is moved far away and never meets the second. This
    /// simulates a fault that must be found.
    #[cfg(test)]
    Lie(usize),
    /// Runs a query; its request ends in this way.
    Ask(Query, Ending),
}

/// The target of a query: one of the sets, or the index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    Set(usize),
    Index,
}

#[derive(Clone, Debug)]
pub enum Query {
    Overlaps {
        set: Target,
        only: bool,
    },
    Between {
        a: Target,
        b: Target,
        only: bool,
    },
    /// One giant against the set; `searching` if the giant is the searching set.
    Region {
        set: Target,
        giant: Form,
        searching: bool,
        only: bool,
    },
    Pairs {
        set: Target,
        picks: Vec<[u32; 2]>,
    },
    Candidates {
        set: Target,
        against: Option<Target>,
    },
    Cull {
        set: Target,
        planes: Vec<[f32; 4]>,
    },
    /// With at most one point each if `deepest`.
    Contacts {
        set: Target,
        against: Option<Target>,
        only: bool,
        deepest: bool,
    },
    /// Several queries, awaited at once.
    Together(Vec<Self>),
}

/// The steps of a sequence, by seed.
pub fn steps(seed: u64) -> Vec<Step> {
    let mut dice = Dice::new(seed);
    let style = Style::plain(&mut dice);
    // Few shapes at few positions, which touch exactly or nearly.
    let mut pool = Vec::new();
    while pool.len() < 24 {
        let kinds = (most(8, &mut dice), most(8, &mut dice));
        let center = [0; 3].map(|_| f64::from(dice.between(-2, 2)));
        let (a, b) = if dice.one_in(8) {
            let style = Style::new(&mut dice);
            contact(kinds, style, [0; 3].map(|_| style.coordinate(&mut dice)), &mut dice)
        } else {
            contact(kinds, style, center, &mut dice)
        };
        pool.extend([a, b]);
    }
    let worlds = dice.pick(&[1, 1, 2, 9]);
    let large = dice.one_in(6);
    let mut steps = Vec::new();
    for set in 0..SETS {
        let count = if large && set == 0 { 200 + dice.below(2500) } else { dice.below(60) };
        steps.push(Step::Crowd(set, count, dice.next()));
    }
    for _ in 0..60 {
        let step = if dice.one_in(2) {
            let target = if dice.one_in(10) {
                Query::Together((0..2 + dice.below(5)).map(|_| query(&pool, &mut dice)).collect())
            } else {
                query(&pool, &mut dice)
            };
            Step::Ask(target, dice.pick(&Ending::ALL))
        } else {
            change(&pool, worlds, &mut dice)
        };
        steps.push(step);
    }
    steps
}

/// A kind with bounds, but for one in so many.
fn most(number: usize, dice: &mut Dice) -> Kind {
    if dice.one_in(number) { Kind::Plane } else { dice.pick(&Kind::BOUNDED) }
}

fn rules(worlds: u32, dice: &mut Dice) -> Rules {
    if worlds > 1 && dice.one_in(6) {
        return Rules { world: u32::MAX, ..Rules::USUAL };
    }
    if dice.one_in(2) {
        return Rules { world: dice.below(worlds as usize) as u32, ..Rules::USUAL };
    }
    Rules {
        layer: 1 << dice.below(3),
        mask: dice.pick(&[!0, !0, 0b011, 0b101, 0]),
        group: dice.pick(&[0, 0, 1, 2]),
        world: dice.below(worlds as usize) as u32 * 0x1357_9bdf,
        fixed: dice.one_in(4),
    }
}

fn change(pool: &[Form], worlds: u32, dice: &mut Dice) -> Step {
    let set = dice.below(SETS);
    let (id, other) = (dice.next() as u32, dice.next() as u32);
    match dice.below(42) {
        0..8 => Step::Push(set, dice.pick(pool), rules(worlds, dice)),
        8..10 => Step::Crowd(set, dice.below(40), dice.next()),
        10..14 => Step::SetShape(set, id, dice.pick(pool)),
        14..16 => Step::SetShapes(set, id, (0..dice.below(9)).map(|_| dice.pick(pool)).collect()),
        16..18 => Step::SetTraits(set, id, rules(worlds, dice)),
        18..20 => Step::Disable(set, id),
        20 => Step::Enable(set, id),
        21..24 => Step::Exclude(set, id, other),
        24 => Step::Include(set, id),
        25..28 => Step::Remove(set, id),
        28 => Step::Compact(set),
        29 => Step::Copy(set, dice.below(SETS)),
        30..32 => Step::Snapshot(set),
        32..35 => Step::Refresh(set),
        35..39 => Step::SetPoses(set, id, (0..=dice.below(9)).map(|_| dice.pick(pool)).collect()),
        39 => Step::Share(set, dice.pick(pool), (0..dice.below(5)).map(|_| dice.pick(pool)).collect()),
        _ if dice.one_in(3) => Step::Clear(set),
        _ => Step::Push(set, pairs::giant(dice), rules(worlds, dice)),
    }
}

/// A random target: a set, or the index.
fn target(dice: &mut Dice) -> Target {
    if dice.one_in(4) { Target::Index } else { Target::Set(dice.below(SETS)) }
}

fn query(pool: &[Form], dice: &mut Dice) -> Query {
    let (set, only) = (target(dice), dice.one_in(3));
    match dice.below(15) {
        0..3 => Query::Overlaps { set, only },
        3..5 => Query::Between { a: set, b: target(dice), only },
        5..7 => Query::Region { set, giant: pairs::giant(dice), searching: dice.one_in(2), only },
        7..9 => Query::Pairs {
            set,
            picks: (0..dice.below(200)).map(|_| [dice.next() as u32, dice.next() as u32]).collect(),
        },
        9 => Query::Candidates { set, against: None },
        10 => Query::Candidates { set, against: Some(target(dice)) },
        11..14 => {
            let against = dice.one_in(2).then(|| target(dice));
            Query::Contacts { set, against, only, deepest: dice.one_in(3) }
        }
        _ => {
            let plane = |dice: &mut Dice| {
                // Planes through a corner or the centre of some shape, along an axis or not.
                let at = dice.pick(pool).v;
                let normal = if dice.one_in(2) { [0.0, 1.0, 0.0] } else { [1.0, -0.5, 0.25] };
                [normal[0], normal[1], normal[2], normal[0] * at[0] + normal[1] * at[1] + normal[2] * at[2]]
            };
            let planes = (0..dice.below(4)).map(|_| plane(dice)).filter(|plane| plane[3].is_finite()).collect();
            Query::Cull { set, planes }
        }
    }
}

/// Bodies on a grid whose neighbours touch, some of them turned or moved.
pub fn crowd(count: usize, seed: u64) -> Vec<Entry> {
    let mut dice = Dice::new(seed);
    let side = (count as f64).cbrt().ceil().max(1.0) as usize;
    let body = |i: usize, dice: &mut Dice| {
        let cell = [i % side, i / side % side, i / (side * side)].map(|x| x as f64 - 2.0);
        let at = if dice.one_in(4) { cell.map(|x| x + dice.signed()) } else { cell };
        let half = [0; 3].map(|_| dice.pick(&[0.5, 0.5, 0.5, 0.25, 0.0]));
        let turn = dice.pick(&[[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0], [1.0, 2.0, 0.0, 2.0], [0.1, 0.2, 0.3, 0.9]]);
        Entry::new(form(most(100, dice), at, half, turn), Rules::USUAL)
    };
    (0..count).map(|i| body(i, &mut dice)).collect()
}
