//! Questions about branching, behind the façade.

use super::{Ntmu, Subject, Tree, check, check_tree, saved};
use crate::{
    About, Answer, InternalError, Options, Rejected, Watch, question::Ask, saved::SavedRun,
};

/// A formula of NT-µ.
#[derive(Debug)]
pub(crate) struct NtmuQuestion<'m> {
    subject: Subject<'m>,
    formula: Ntmu,
}

impl<'m> NtmuQuestion<'m> {
    pub(crate) fn new(subject: Subject<'m>, formula: Ntmu) -> Self {
        NtmuQuestion { subject, formula }
    }
}

impl Ask for NtmuQuestion<'_> {
    fn answer<'q>(
        &'q self,
        options: &Options,
        watch: &mut dyn Watch,
    ) -> Result<Answer<'q>, InternalError> {
        check(&self.subject, &self.formula, options, watch)
    }

    fn about(&self) -> About<'_> {
        self.subject.about()
    }

    fn is_infinite(&self) -> Option<bool> {
        None
    }

    fn replay<'q>(&'q self, run: &SavedRun, options: &Options) -> Result<Answer<'q>, Rejected> {
        saved::replay(&self.subject, &self.formula, run, options)
    }
}

/// An automaton on nested trees.
#[derive(Debug)]
pub(crate) struct TreeQuestion<'m> {
    subject: Subject<'m>,
    tree: Tree,
}

impl<'m> TreeQuestion<'m> {
    pub(crate) fn new(subject: Subject<'m>, tree: Tree) -> Self {
        TreeQuestion { subject, tree }
    }
}

impl Ask for TreeQuestion<'_> {
    fn answer<'q>(
        &'q self,
        options: &Options,
        watch: &mut dyn Watch,
    ) -> Result<Answer<'q>, InternalError> {
        check_tree(&self.subject, &self.tree, options, watch)
    }

    fn about(&self) -> About<'_> {
        self.subject.about()
    }

    fn is_infinite(&self) -> Option<bool> {
        None
    }

    fn replay<'q>(&'q self, run: &SavedRun, options: &Options) -> Result<Answer<'q>, Rejected> {
        let Some(formula) = self.tree.formula() else {
            return Err(Rejected::new(
                "the automaton is too large for a formula that a strategy could refute",
            ));
        };
        saved::replay(&self.subject, &formula, run, options)
    }
}

impl<'m> Subject<'m> {
    fn about(&self) -> About<'m> {
        About::Branching {
            program: match *self {
                Subject::Program(program, _) => Some(program),
                Subject::Machine { .. } => None,
            },
        }
    }
}
