//! Minimises sequences.

use tangency::Engine;

use super::sequences::{Fault, play};
use super::steps::Step;

/// Minimises a sequence on which an engine is wrong, by leaving out ever smaller runs of steps.
pub fn shrunk(mut steps: Vec<Step>, engine: &Engine) -> tangency::Result<Option<(Vec<Step>, Fault)>> {
    let engines = std::slice::from_ref(engine);
    let Some(mut fault) = play(&steps, engines)?.0 else { return Ok(None) };
    steps.truncate(fault.step + 1);
    let mut run = steps.len() / 2;
    while run > 0 {
        let mut start = 0;
        while start < steps.len() {
            let mut fewer = steps.clone();
            fewer.drain(start..(start + run).min(steps.len()));
            if let Some(still) = play(&fewer, engines)?.0 {
                fewer.truncate(still.step + 1);
                (steps, fault) = (fewer, still);
            } else {
                start += run;
            }
        }
        run /= 2;
    }
    Ok(Some((steps, fault)))
}

#[cfg(test)]
mod tests {
    use super::super::form::{Form, Kind};
    use super::super::model::Rules;
    use super::super::steps::{SETS, steps};
    use super::*;
    use tangency::BackendKind;

    fn ball(set: usize) -> Step {
        Step::Push(set, Form::new(Kind::Sphere, &[0.0, 0.0, 0.0, 1.0]), Rules::USUAL)
    }

    /// A minimised sequence contains only the fault and the steps that it needs.
    #[test]
    fn a_fault_is_made_small() {
        let cpu = Engine::builder().backend(BackendKind::Cpu).build().unwrap();
        for seed in 0..1 {
            let set = seed as usize % SETS;
            let mut all = steps(seed);
            all.splice(20..20, [ball(set), ball(set), Step::Lie(set), ball(set)]);
            let (fault, _) = play(&all, std::slice::from_ref(&cpu)).unwrap();
            assert_eq!(fault.map(|fault| fault.step), Some(23), "{seed}");
            let (left, fault) = shrunk(all, &cpu).unwrap().expect("it is still there");
            assert!(left.len() <= 4 && left.iter().any(|step| matches!(step, Step::Lie(_))), "{left:?}");
            assert_eq!(fault.step + 1, left.len());
        }
    }
}
