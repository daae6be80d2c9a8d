//! Property tests that are quick to compile. `proptest!` has its whole runner compiled once more for every test; here all tests of a program
//! share one, which sees their inputs as boxed cases. The cases are the first of those that `proptest!` would draw.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use proptest::prelude::*;
use proptest::test_runner::{TestCaseResult, TestRunner};

/// An input, and the property that it must have.
trait Property: fmt::Debug {
    fn check(&self) -> TestCaseResult;
}

struct Case<V, F> {
    /// Taken when it is checked.
    input: RefCell<Option<V>>,
    property: Rc<F>,
}

impl<V: fmt::Debug, F> fmt::Debug for Case<V, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.input.borrow().fmt(f)
    }
}

impl<V: fmt::Debug, F: Fn(V) -> TestCaseResult> Property for Case<V, F> {
    fn check(&self) -> TestCaseResult {
        (self.property)(self.input.take().expect("a case is checked once"))
    }
}

/// Checks a property of inputs that are drawn by a strategy. The macro [`properties`] calls it.
pub fn check<S>(config: ProptestConfig, inputs: S, property: impl Fn(S::Value) -> TestCaseResult + 'static)
where
    S: Strategy + 'static,
    S::Value: 'static,
{
    let property = Rc::new(property);
    let case = move |input| -> Box<dyn Property> {
        Box::new(Case { input: RefCell::new(Some(input)), property: Rc::clone(&property) })
    };
    run(config, &inputs.prop_map(case).boxed());
}

fn run(config: ProptestConfig, cases: &BoxedStrategy<Box<dyn Property>>) {
    let mut runner = TestRunner::new(config);
    if let Err(error) = runner.run(cases, |case| case.check()) {
        panic!("{error}\n{runner}");
    }
}

/// Half of the cases that `proptest!` draws, unless `PROPTEST_CASES` says how many; with `./test.sh --long` four times as many as that half. No
/// file of past failures: a failure belongs into a test of its own.
#[allow(dead_code, reason = "not every program has tests without a config")]
pub fn usual() -> ProptestConfig {
    let usual = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_some() {
        return usual;
    }
    let long = std::env::var_os("TANGENCY_TEST_LONG").is_some_and(|value| value == "1");
    ProptestConfig { cases: if long { 2 * usual.cases } else { usual.cases / 2 }, ..usual }
}

/// Tests as in `proptest!`.
macro_rules! properties {
    (@ ($config:expr) $($(#[$about:meta])* fn $name:ident($($input:pat in $strategy:expr),+ $(,)?) $body:block)*) => {
        $($(#[$about])* fn $name() {
            $crate::properties::check($config, ($($strategy,)+), |($($input,)+)| {
                $body
                Ok(())
            });
        })*
    };
    (#![proptest_config($config:expr)] $($rest:tt)*) => { $crate::properties::properties!(@ ($config) $($rest)*); };
    ($($rest:tt)*) => { $crate::properties::properties!(@ ($crate::properties::usual()) $($rest)*); };
}
pub(crate) use properties;
