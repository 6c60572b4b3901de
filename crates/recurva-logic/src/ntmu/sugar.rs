//! The temporal operators, written out (§3.3).
//!
//! All are scoped to the current invocation: a path ends where that returns, which it may do at
//! a position that can also go on. The local forms only look at positions of the current
//! invocation and jump over calls; a call that does not return ends such a path.
//!
//! Formulas of the thesis are vacuously true where a path ends without the event it waits for
//! (`[loc] X & [call] …` at a state that returns), and its weak until is false there. Here
//! paths are maximal: one that ends is a path, so `AF p` fails and `EG q` may hold at its end,
//! as the text of the thesis says they do, and each operator is the dual of its counterpart.

use rustc_hash::FxHashMap;

use super::{Fixpoint, FormulaId, Formulas, Modality, Operator};

/// Over which paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// `E`: some path.
    Some,
    /// `A`: all paths.
    All,
}

/// What holds along a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Path {
    /// `f U g`: `g` comes, and `f` holds up to there.
    Until,
    /// `f W g`: the same, or `f` holds to the end.
    WeakUntil,
}

/// Which positions of a path count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// All up to the end of the current procedure, those in called procedures included.
    Global,
    /// Those of the current invocation.
    Local,
}

/// What has been written out already.
#[derive(Clone, Debug, Default)]
pub(super) struct Abbreviations {
    paths: FxHashMap<(Quantifier, Path, Scope, FormulaId, FormulaId), FormulaId>,
    some_exit: Option<FormulaId>,
    all_exits: Option<FormulaId>,
    /// How formulas were written.
    written: FxHashMap<FormulaId, Written>,
}

/// How a formula was written before it was put in terms of the logic's own operators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// `E[f U g]` and its like.
    Path(Quantifier, Path, Scope, FormulaId, FormulaId),
    /// `<jump> f` or `[jump] f`.
    Jump(Modality, FormulaId),
    /// `terminates`
    Terminates,
    /// A definition with its arguments.
    Named(Box<str>, Vec<FormulaId>),
}

impl Formulas {
    /// `E[f U g]` and its like. In the global scope neither formula has a marker that no call in
    /// it binds: in called procedures it would mean another call's.
    pub fn path(
        &mut self,
        quantifier: Quantifier,
        path: Path,
        scope: Scope,
        f: FormulaId,
        g: FormulaId,
    ) -> FormulaId {
        let key = (quantifier, path, scope, f, g);
        if let Some(&known) = self.abbreviations.paths.get(&key) {
            return known;
        }
        let id = match (quantifier, path) {
            (Quantifier::Some, Path::Until) => self.some_until(scope, f, g),
            (Quantifier::All, Path::Until) => self.all_until(scope, f, g),
            // A[f W g] = !E[!g U !f & !g] and the like; the dual of an open formula is written
            // with the duals of its variables, so that two duals give the variables back.
            (_, Path::WeakUntil) => {
                let (not_f, not_g) = (self.negate(f), self.negate(g));
                let neither = self.and(not_f, not_g);
                let dual = match quantifier {
                    Quantifier::Some => Quantifier::All,
                    Quantifier::All => Quantifier::Some,
                };
                let until = self.path(dual, Path::Until, scope, not_g, neither);
                self.negate(until)
            }
        };
        self.abbreviations.paths.insert(key, id);
        self.set_written(id, Written::Path(quantifier, path, scope, f, g));
        id
    }

    /// How a formula was written, if that was shorter than what it means.
    pub fn written(&self, id: FormulaId) -> Option<&Written> {
        self.abbreviations.written.get(&id)
    }

    /// Remembers how a formula was written. Only fixpoints and calls are worth it.
    pub(super) fn set_written(&mut self, id: FormulaId, written: Written) {
        if matches!(
            self.operator(id),
            Operator::Fixpoint(..) | Operator::Call(_)
        ) {
            self.abbreviations.written.insert(id, written);
        }
    }

    /// `mu X. g | f & (<loc> X | <call> X {} | <call> through {X})`, where `through` goes along
    /// `f` to a return with marker 1. Locally any way through the callee will do.
    fn some_until(&mut self, scope: Scope, f: FormulaId, g: FormulaId) -> FormulaId {
        let variable = self.new_variable("X");
        let x = self.variable(variable);
        let mut moves = self.local(Modality::Some, x);
        let through = match scope {
            Scope::Local => self.some_exit(),
            Scope::Global => {
                let inside = self.call(Modality::Some, x, &[]);
                moves = self.or(moves, inside);
                self.some_through(f)
            }
        };
        let over = self.call(Modality::Some, through, &[x]);
        let moves = self.or(moves, over);
        let later = self.and(f, moves);
        let body = self.or(g, later);
        self.fixpoint(Fixpoint::Least, variable, body)
    }

    /// `mu X. g | f & more & [ret] false & [loc] X & [call] through {X}`, where `through` reaches
    /// `g` or goes along `f` to a return with marker 1 on all paths. That there is `more` and no
    /// return says that no path ends here. Locally all ways through the callee just have to end
    /// in such a return.
    fn all_until(&mut self, scope: Scope, f: FormulaId, g: FormulaId) -> FormulaId {
        let through = match scope {
            Scope::Local => self.all_exits(),
            Scope::Global => self.all_through(f, g),
        };
        let variable = self.new_variable("X");
        let x = self.variable(variable);
        let local = self.local(Modality::All, x);
        let over = self.call(Modality::All, through, &[x]);
        let moves = self.and(local, over);
        let no_return = self.ret_constant(Modality::All, false);
        let moves = self.and(no_return, moves);
        let more = self.more();
        let moves = self.and(more, moves);
        let later = self.and(f, moves);
        let body = self.or(g, later);
        self.fixpoint(Fixpoint::Least, variable, body)
    }

    /// `mu Y. f & (<ret> R1 | <loc> Y | <call> Y {Y})`
    fn some_through(&mut self, f: FormulaId) -> FormulaId {
        let variable = self.new_variable("Y");
        let y = self.variable(variable);
        let out = self.ret(Modality::Some, 1);
        let local = self.local(Modality::Some, y);
        let over = self.call(Modality::Some, y, &[y]);
        let moves = self.or(local, over);
        let moves = self.or(out, moves);
        let body = self.and(f, moves);
        self.fixpoint(Fixpoint::Least, variable, body)
    }

    /// `mu Y. g | f & (more | <ret> true) & [ret] R1 & [loc] Y & [call] Y {Y}`
    fn all_through(&mut self, f: FormulaId, g: FormulaId) -> FormulaId {
        let variable = self.new_variable("Y");
        let y = self.variable(variable);
        let (more, returns) = (self.more(), self.ret_constant(Modality::Some, true));
        let goes_on = self.or(more, returns);
        let out = self.ret(Modality::All, 1);
        let local = self.local(Modality::All, y);
        let over = self.call(Modality::All, y, &[y]);
        let moves = self.and(local, over);
        let moves = self.and(out, moves);
        let moves = self.and(goes_on, moves);
        let later = self.and(f, moves);
        let body = self.or(g, later);
        self.fixpoint(Fixpoint::Least, variable, body)
    }

    /// Some move goes on in this procedure or one that it calls.
    fn more(&mut self) -> FormulaId {
        let truth = self.constant(true);
        let local = self.local(Modality::Some, truth);
        let call = self.call(Modality::Some, truth, &[]);
        self.or(local, call)
    }

    /// Some way leads to the end of this invocation and a return with marker 1.
    fn some_exit(&mut self) -> FormulaId {
        if let Some(known) = self.abbreviations.some_exit {
            return known;
        }
        let truth = self.constant(true);
        let id = self.some_through(truth);
        self.abbreviations.some_exit = Some(id);
        id
    }

    /// All ways end in a return with marker 1.
    fn all_exits(&mut self) -> FormulaId {
        if let Some(known) = self.abbreviations.all_exits {
            return known;
        }
        let (truth, falsity) = (self.constant(true), self.constant(false));
        let id = self.all_through(truth, falsity);
        self.abbreviations.all_exits = Some(id);
        id
    }

    /// `<jump> f`: the call made here may return to where `f` holds. `[jump] f`: wherever it
    /// returns `f` holds.
    pub fn jump(&mut self, modality: Modality, f: FormulaId) -> FormulaId {
        let exit = self.some_exit();
        let exit = match modality {
            Modality::Some => exit,
            Modality::All => self.negate(exit),
        };
        let id = self.call(modality, exit, &[f]);
        self.set_written(id, Written::Jump(modality, f));
        id
    }

    /// `terminates`: every call made here returns on all paths.
    pub fn terminates(&mut self) -> FormulaId {
        let exits = self.all_exits();
        let truth = self.constant(true);
        let id = self.call(Modality::All, exits, &[truth]);
        self.set_written(id, Written::Terminates);
        id
    }
}
