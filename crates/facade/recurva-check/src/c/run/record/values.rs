//! What is in memory, as the user knows it.

use recurva_cir::{LocalId, Place, Var, interpret::View};

use super::{Recorder, is_written};
use crate::c::run::{CEnd, CFrame, CInput, CValue};

/// How many calls are listed at each end of a deep stack.
const FRAMES: [usize; 2] = [8, 1000];

/// How many of the program's variables are listed.
const GLOBALS: usize = 500;

impl Recorder<'_, '_> {
    /// What is shown, as the user knows it: the program's inputs have names of their own.
    pub(super) fn text(&self, shown: String) -> String {
        match &self.prefix {
            Some(prefix) if shown.contains(&**prefix) => shown.replace(&**prefix, ""),
            _ => shown,
        }
    }

    /// The inputs that arguments point to, and those that these point to.
    pub(super) fn inputs(&mut self, view: &View<'_, '_>, arguments: &[CValue]) {
        if self.prefix.is_none() {
            return;
        }
        let mut objects = self.locals(view, 0, usize::MAX);
        let mut texts: Vec<String> = arguments.iter().map(|it| it.value.clone()).collect();
        while let Some(text) = texts.pop() {
            let is_meant = |object: &CValue| {
                let address = format!("&{}", object.name);
                let mut parts = text.match_indices(&*address).map(|it| it.0);
                parts.any(|at| {
                    let behind = text[at + 1 + object.name.len()..].bytes().next();
                    !behind.is_some_and(|it| it.is_ascii_alphanumeric())
                })
            };
            let (meant, others) = objects.into_iter().partition(is_meant);
            objects = others;
            let meant: Vec<CValue> = meant;
            for object in meant {
                texts.push(object.value.clone());
                self.before.push(CInput {
                    from: object.name.into(),
                    is_call: false,
                    place: recurva_model::Origin::default(),
                    value: object.value,
                });
            }
        }
    }

    /// The values of a call's variables that can be named where it is; the parameters first.
    pub(super) fn locals(&self, view: &View<'_, '_>, depth: usize, count: usize) -> Vec<CValue> {
        let position = view.position(depth);
        let function = self.module.function(position.function);
        let locals = (0..).map(LocalId).zip(&function.locals).take(count);
        let shown: Vec<_> = locals
            .filter(|(_, local)| is_written(local))
            // Parameters always are, and are asked for at every call.
            .filter(|(id, local)| {
                id.0 < function.parameters
                    || self.statements.is_in_scope(local.origin, position.origin)
            })
            .collect();
        let is_hidden = |at: usize| {
            let mut inner = shown[at + 1..].iter();
            inner.any(|(_, other)| other.name == shown[at].1.name)
        };
        let shown = (0..shown.len())
            .filter(|&at| !is_hidden(at))
            .map(|at| shown[at]);
        let shown = shown.filter_map(|(id, local)| {
            let place = Place::whole(Var::Local(id), local.ty);
            Some(CValue {
                name: local.name.to_string(),
                value: self.text(view.show(depth, &place)?),
            })
        });
        shown.collect()
    }

    /// The values of the user's variables with static storage, but for constants.
    pub(super) fn globals(&self, view: &View<'_, '_>) -> Vec<CValue> {
        let globals = (0..).map(recurva_cir::GlobalId).zip(&self.module.globals);
        let globals = globals.filter(|(id, it)| self.variables[id.0 as usize] && !it.is_const);
        let globals = globals.take(GLOBALS).filter_map(|(id, global)| {
            let place = Place::whole(Var::Global(id), global.ty);
            Some(CValue {
                name: global.name.to_string(),
                value: self.text(view.show(view.depth(), &place)?),
            })
        });
        globals.collect()
    }

    pub(super) fn end(&mut self, view: &View<'_, '_>) -> CEnd {
        let shown: Vec<usize> = (0..=view.depth())
            .filter(|&depth| self.is_shown(view.position(depth).function))
            .collect();
        let hidden = shown.len().saturating_sub(FRAMES[0] + FRAMES[1]);
        let before = if hidden == 0 { 0 } else { FRAMES[0] };
        let kept = shown[..before].iter().chain(&shown[before + hidden..]);
        let mut stack = Vec::new();
        for &depth in kept {
            let position = view.position(depth);
            let function = self.module.function(position.function);
            let parameters = function.locals[..function.parameters as usize].iter();
            let parameters = parameters.filter(|it| is_written(it)).count();
            let statement = position.edge.map(|edge| {
                let id = self
                    .statements
                    .of_edge(self.module, position.function, edge);
                self.statements.statement(id).origin
            });
            stack.push(CFrame {
                function: function.name.clone(),
                origin: (self.place)(statement.unwrap_or(position.origin)),
                locals: self.locals(view, depth, usize::MAX),
                parameters,
            });
        }
        CEnd {
            globals: self.globals(view),
            stack,
            hidden,
            before,
        }
    }
}
