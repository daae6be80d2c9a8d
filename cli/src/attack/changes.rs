//! The steps of a sequence that change a set: each is applied to the set and to its model.

use super::form::Form;
use super::model::{Entry, Rules};
use super::sequences::Session;
use super::steps::{Step, crowd};

impl Session<'_> {
    /// Applies a step to a set and to its model. Returns how they differ afterwards, if they do.
    #[expect(clippy::too_many_lines, reason = "one arm for each step")]
    pub fn change(&mut self, step: &Step) -> tangency::Result<Option<String>> {
        let set = match *step {
            Step::Push(set, ..)
            | Step::Crowd(set, ..)
            | Step::SetShape(set, ..)
            | Step::SetShapes(set, ..)
            | Step::SetTraits(set, ..)
            | Step::Disable(set, _)
            | Step::Enable(set, _)
            | Step::Exclude(set, ..)
            | Step::Include(set, _)
            | Step::Remove(set, _)
            | Step::SetPoses(set, ..)
            | Step::Share(set, ..)
            | Step::Compact(set)
            | Step::Clear(set)
            | Step::Copy(set, _)
            | Step::Snapshot(set)
            | Step::Refresh(set) => set,
            #[cfg(test)]
            Step::Lie(set) => {
                let kept = self.snapshot.iter_mut().map(|(_, model)| model);
                for model in kept.chain([&mut self.models[set]]).filter(|model| model.entries.len() > 1) {
                    model.exclude(0, 1);
                    model.entries[0].form = Form::new(super::form::Kind::Sphere, &[1e9, 1e9, 1e9, 1.0]);
                }
                return Ok(None);
            }
            Step::Ask(..) => return Ok(None),
        };
        let source = match step {
            Step::Copy(_, from) => Some((self.sets[*from].clone(), self.models[*from].clone())),
            _ => None,
        };
        let (bodies, model) = (&mut self.sets[set], &mut self.models[set]);
        let ids = model.ids();
        // An odd pick is one of the last bodies, which `compact` gives other ids.
        let id = |pick: u32| {
            let count = ids.len() as u32;
            let back = (pick / 2).checked_rem(count.min(4))?;
            Some(ids[(if pick % 2 == 1 { count - 1 - back } else { pick % count }) as usize])
        };
        match step {
            Step::Push(_, form, rules) => {
                let given = bodies.push_with(form.shape()?, rules.traits())?;
                let due = model.push(Entry::new(*form, *rules));
                if given != due {
                    return Ok(Some(format!("push gave the id {given}, not {due}")));
                }
            }
            Step::Crowd(_, count, seed) => {
                let new = crowd(*count, *seed);
                let shapes = new.iter().map(|entry| entry.form.shape()).collect::<tangency::Result<Vec<_>>>()?;
                bodies.extend(shapes)?;
                model.entries.extend(new);
            }
            Step::SetShape(_, pick, form) => {
                if let Some(id) = id(*pick) {
                    bodies.set_shape(id, form.shape()?)?;
                    model.entries[id as usize].form = *form;
                }
            }
            Step::SetShapes(_, pick, forms) => {
                if let Some(start) = id(*pick) {
                    // Up to the next hole.
                    let row = model.entries[start as usize..].iter().take_while(|entry| entry.present).count();
                    let forms = &forms[..forms.len().min(row)];
                    let shapes = forms.iter().map(Form::shape).collect::<tangency::Result<Vec<_>>>()?;
                    bodies.set_shapes(start, shapes)?;
                    for (entry, form) in model.entries[start as usize..].iter_mut().zip(forms) {
                        entry.form = *form;
                    }
                }
            }
            Step::SetTraits(_, pick, rules) => {
                if let Some(id) = id(*pick) {
                    bodies.set_traits(id, rules.traits())?;
                    model.entries[id as usize].rules = *rules;
                }
            }
            Step::Disable(_, pick) => {
                if let Some(id) = id(*pick) {
                    bodies.disable(id)?;
                    model.entries[id as usize].enabled = false;
                }
            }
            Step::Enable(_, pick) => {
                // The next disabled body, if there is any.
                let off = ids.iter().copied().filter(|i| !model.entries[*i as usize].enabled);
                if let Some(id) = off.min_by_key(|i| i.wrapping_sub(*pick)) {
                    bodies.enable(id)?;
                    model.entries[id as usize].enabled = true;
                }
            }
            Step::Exclude(_, a, b) => {
                if let (Some(a), Some(b)) = (id(*a), id(*b)) {
                    bodies.exclude(a, b)?;
                    model.exclude(a, b);
                }
            }
            Step::Include(_, pick) => {
                let known = (*pick as usize).checked_rem(model.excluded.len());
                if let Some((a, b)) = known.and_then(|k| model.excluded.iter().nth(k).copied()) {
                    if !bodies.include(b, a) {
                        return Ok(Some(format!("({a}, {b}) was excluded, but include did not know it")));
                    }
                    model.include(a, b);
                }
            }
            Step::Remove(_, pick) => {
                if let Some(id) = id(*pick) {
                    bodies.remove(id)?;
                    model.remove(id);
                    if bodies.remove(id).is_ok() {
                        return Ok(Some(format!("body {id} was removed twice")));
                    }
                }
            }
            Step::SetPoses(_, pick, forms) => {
                if let Some(start) = id(*pick) {
                    let poses = forms.iter().map(Form::pose).collect::<tangency::Result<Vec<_>>>()?;
                    let moved = model.entries[start as usize..].iter().zip(forms);
                    let moved: Vec<_> =
                        moved.map_while(|(entry, form)| entry.form.posed(form).filter(|_| entry.present)).collect();
                    // Where one has no pose or is missing, nothing may happen.
                    if bodies.set_poses(start, &poses).is_ok() != (moved.len() == poses.len()) {
                        return Ok(Some(format!(
                            "set_poses of {} bodies from {start}: {} can move",
                            poses.len(),
                            moved.len()
                        )));
                    }
                    bodies.set_poses(start, &poses[..moved.len()])?;
                    for (entry, form) in model.entries[start as usize..].iter_mut().zip(moved) {
                        entry.form = form;
                    }
                }
            }
            Step::Share(_, form, places) => {
                let poses = places.iter().map(Form::pose).collect::<tangency::Result<Vec<_>>>()?;
                match bodies.share(form.shape()?) {
                    Ok(shape) => {
                        bodies.extend_shared(shape, poses)?;
                        let posed = places.iter().filter_map(|at| form.posed(at));
                        model.entries.extend(posed.map(|form| Entry::new(form, Rules::USUAL)));
                    }
                    Err(_) if form.posed(form).is_none() => {}
                    Err(error) => return Err(error),
                }
            }
            Step::Compact(_) => {
                bodies.compact();
                model.compact();
            }
            Step::Clear(_) => {
                bodies.clear();
                model.clear();
            }
            Step::Copy(..) => (*bodies, *model) = source.unwrap_or_default(),
            Step::Snapshot(_) => {
                let indices = self.engines.iter().map(|engine| engine.index(bodies));
                self.snapshot = Some((indices.collect::<tangency::Result<_>>()?, model.clone()));
            }
            Step::Refresh(_) => {
                if let Some((indices, kept)) = &mut self.snapshot {
                    indices.iter_mut().try_for_each(|index| index.refresh(bodies))?;
                    *kept = model.clone();
                    let copies = indices.iter().map(|index| kept.difference(index.bodies()));
                    if let Some(what) = copies.collect::<tangency::Result<Vec<_>>>()?.into_iter().flatten().next() {
                        return Ok(Some(format!("a refreshed index: {what}")));
                    }
                }
            }
            #[cfg(test)]
            Step::Lie(_) => {}
            Step::Ask(..) => {}
        }
        self.models[set].difference(&self.sets[set])
    }
}
