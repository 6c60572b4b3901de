//! From the items of a file to the machine: what names mean, and which transitions there may
//! be.

use recurva_model::{
    Nsm,
    nsm::{Kind, NsmBuilder, StateId},
};
use recurva_syntax::{Diagnostic, Diagnostics, Source, Span, did_you_mean};
use rustc_hash::FxHashMap;

use super::parse::File;
use crate::{flat::Name, token::clip};

/// The machine, or `None` if there was an error.
pub(super) fn resolve(
    source: &Source,
    file: &File<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<Nsm> {
    let mut resolver = Resolver {
        file,
        names: FxHashMap::default(),
        builder: NsmBuilder::default(),
        diagnostics,
    };
    resolver.declare();
    if file.incomplete {
        return None;
    }
    resolver.transitions();
    let init = resolver.init(source);
    let Resolver { builder, .. } = resolver;
    if diagnostics.has_errors() {
        return None;
    }
    match builder.finish(init?) {
        Ok(nsm) => Some(nsm),
        Err(error) => {
            diagnostics.report(|| {
                Diagnostic::error(format!("internal error: {error}"), Span::at(0))
                    .help("this is a mistake in Recurva; please report it with this file")
            });
            None
        }
    }
}

struct Resolver<'f, 's, 'd> {
    file: &'f File<'s>,
    names: FxHashMap<&'s str, StateId>,
    builder: NsmBuilder,
    diagnostics: &'d mut Diagnostics,
}

impl Resolver<'_, '_, '_> {
    fn declare(&mut self) {
        for state in &self.file.states {
            let name = state.name;
            let id =
                self.builder
                    .state_at(name.text, state.kind, &state.propositions, name.origin());
            let first = *self.names.entry(name.text).or_insert(id);
            if first != id {
                let first = self.file.states[first.index()].name.span;
                self.diagnostics.report(|| {
                    let text = clip(name.text);
                    Diagnostic::error(format!("state `{text}` is declared twice"), name.span)
                        .label("declared again here")
                        .note(first, "first declared here")
                });
            }
        }
    }

    fn transitions(&mut self) {
        let file = self.file;
        for &[from, to] in &file.locals {
            let ends = (self.state(from), self.state(to));
            if let (Some(from_id), Some(to_id)) = ends {
                self.check(
                    from,
                    from_id,
                    Kind::Call,
                    "a call state is left by a call",
                    |u| format!("write `{u} -call-> v`"),
                );
                self.check(
                    to,
                    to_id,
                    Kind::Return,
                    "no local transition leads to a return state",
                    |w| format!("control gets there by a return, `(u, c) -ret-> {w}`"),
                );
                self.builder.local(from_id, to_id);
            }
        }
        for &[from, to] in &file.calls {
            let ends = (self.state(from), self.state(to));
            if let (Some(from_id), Some(to_id)) = ends {
                self.demand(from, from_id, Kind::Call, "only a call state calls");
                self.check(
                    to,
                    to_id,
                    Kind::Return,
                    "no call leads to a return state",
                    |_| {
                        "a call leads to the local or call state where the callee begins".to_owned()
                    },
                );
                self.builder.call(from_id, to_id);
            }
        }
        for &[from, pending, to] in &file.returns {
            let ends = (self.state(from), self.state(pending), self.state(to));
            if let (Some(from_id), Some(pending_id), Some(to_id)) = ends {
                self.check(
                    from,
                    from_id,
                    Kind::Call,
                    "no return starts at a call state",
                    |_| "the first name in the parentheses is where the callee ends".to_owned(),
                );
                self.demand(
                    pending,
                    pending_id,
                    Kind::Call,
                    "the pending call is a call state",
                );
                self.demand(to, to_id, Kind::Return, "a return leads to a return state");
                self.builder.ret(from_id, pending_id, to_id);
            }
        }
    }

    fn state(&mut self, name: Name<'_>) -> Option<StateId> {
        let found = self.names.get(name.text).copied();
        if found.is_none() {
            let all = self.file.states.iter().map(|state| state.name.text);
            self.diagnostics.report(|| {
                let text = clip(name.text);
                Diagnostic::error(format!("there is no state `{text}`"), name.span)
                    .help_if(did_you_mean(name.text, all))
            });
        }
        found
    }

    fn kind(&self, state: StateId) -> Kind {
        self.file.states[state.index()].kind
    }

    /// Reports a state that is of a kind that it must not be of.
    fn check(
        &mut self,
        name: Name<'_>,
        state: StateId,
        unwanted: Kind,
        message: &str,
        help: impl FnOnce(&str) -> String,
    ) {
        if self.kind(state) == unwanted {
            let declared = self.file.states[state.index()].name.span;
            self.diagnostics.report(|| {
                Diagnostic::error(message, name.span)
                    .note(declared, format!("declared as a {} state", unwanted.word()))
                    .help(help(&clip(name.text)))
            });
        }
    }

    /// Reports a state that is not of the one kind that fits.
    fn demand(&mut self, name: Name<'_>, state: StateId, wanted: Kind, message: &str) {
        let kind = self.kind(state);
        if kind != wanted {
            let declared = self.file.states[state.index()].name.span;
            self.diagnostics.report(|| {
                Diagnostic::error(message, name.span)
                    .note(declared, format!("declared as a {} state", kind.word()))
            });
        }
    }

    fn init(&mut self, source: &Source) -> Option<StateId> {
        let Some((&first, more)) = self.file.init.split_first() else {
            if !self.file.init_broken {
                let some = self.file.states.first();
                let hint = some.map_or("NAME".into(), |state| clip(state.name.text));
                self.diagnostics.report(|| {
                    let message = "no run can begin: there is no `init` line";
                    Diagnostic::error(message, source.end()).help(format!("add `init {hint}`"))
                });
            }
            return None;
        };
        for again in more {
            self.diagnostics.report(|| {
                Diagnostic::error("a machine begins in one state", again.span)
                    .note(first.span, "the first `init`")
                    .help("add a local state with transitions to all of them")
            });
        }
        self.state(first)
    }
}
