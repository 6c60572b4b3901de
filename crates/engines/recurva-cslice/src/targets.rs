//! What is asked about.

use recurva_cir::{Check, Function, Operation};

/// What must not be reached.
#[derive(Clone, Copy, Debug, Default)]
pub struct Targets<'a> {
    /// Whether errors of the program itself count: failed assertions and calls of error functions.
    pub errors: bool,
    /// The kinds of checks that count.
    pub checks: &'a [Check],
    /// Labels of the source, by name.
    pub labels: &'a [Box<str>],
    /// Functions, by name.
    pub functions: &'a [Box<str>],
}

impl Targets<'_> {
    /// Whether it matters what is in memory when the program ends, or whether memory has been given a value:
    /// made-up values say nothing about that.
    pub(crate) fn are_about_memory(&self) -> bool {
        let about = [Check::Leak, Check::Uninitialised];
        about.iter().any(|it| self.checks.contains(it))
    }

    /// Whether an edge may be, or lead to, what is asked about. What has no meaning must not be reached
    /// either.
    pub(crate) fn is_target(&self, operation: &Operation) -> bool {
        match operation {
            Operation::Error(_) => self.errors,
            Operation::Check(check, _) => self.checks.contains(check),
            Operation::Unsupported(_) => true,
            _ => false,
        }
    }

    /// Whether a function itself must not be called.
    pub(crate) fn is_function(&self, function: &Function) -> bool {
        self.functions.contains(&function.name)
    }

    /// The nodes of a function that must not be reached.
    pub(crate) fn nodes<'f>(&'f self, function: &'f Function) -> impl Iterator<Item = u32> + 'f {
        let labels = function.labels.iter();
        let wanted = labels.filter(|it| self.labels.contains(&it.name));
        let entry = self.is_function(function).then_some(function.entry.0);
        wanted.map(|it| it.node.0).chain(entry)
    }
}
