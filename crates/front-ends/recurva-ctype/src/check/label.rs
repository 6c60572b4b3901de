//! Labels of a block (`__label__`) and labels that are missing.

use recurva_c::ast::{Ident, Name};
use recurva_syntax::{Diagnostic, did_you_mean};

use super::{Checker, body::NamedLabel};

/// A name that is a label of a block, and what it meant around the block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hidden {
    name: Name,
    before: Option<NamedLabel>,
}

impl Checker<'_> {
    /// Declares labels of a block.
    pub(super) fn begin_local_labels(&mut self, names: &[Ident], hidden: &mut Vec<Hidden>) {
        for ident in names {
            let text = self.name(ident.name);
            if let Some(body) = &mut self.body {
                let before = body.named.remove(&ident.name);
                body.label(*ident, text);
                hidden.push(Hidden {
                    name: ident.name,
                    before,
                });
            }
        }
    }

    /// Ends a block with labels of its own.
    pub(super) fn end_local_labels(&mut self, hidden: Vec<Hidden>) {
        for Hidden { name, before } in hidden.into_iter().rev() {
            let Some(body) = &mut self.body else {
                return;
            };
            let label = match before {
                Some(before) => body.named.insert(name, before),
                None => body.named.remove(&name),
            };
            if let Some(label) = label {
                self.check_defined(name, label, &[]);
            }
        }
    }

    /// Reports labels that are named and do not stand anywhere.
    pub(super) fn check_labels(&mut self) {
        let Some(body) = &self.body else {
            return;
        };
        let mut missing: Vec<(Name, NamedLabel)> = body
            .named
            .iter()
            .filter(|(_, label)| label.defined.is_none())
            .map(|(&name, &label)| (name, label))
            .collect();
        missing.sort_by_key(|it| it.1.used);
        let defined: Vec<&str> = body
            .named
            .iter()
            .filter(|(_, label)| label.defined.is_some())
            .map(|(&name, _)| self.unit.name(name))
            .collect();
        for (name, label) in missing {
            self.check_defined(name, label, &defined);
        }
    }

    fn check_defined(&mut self, name: Name, label: NamedLabel, others: &[&str]) {
        if label.defined.is_some() {
            return;
        }
        let text = self.name(name);
        self.report(|_| {
            Diagnostic::error(format!("there is no label `{text}`"), label.used)
                .help_if(did_you_mean(text, others.iter().copied()))
        });
    }
}
