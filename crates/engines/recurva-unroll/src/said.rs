//! What an unrolling that came to an end has seen at each node, said about the variables there.
//!
//! At a place the variables have values that depend on what was read on the way. What some variable still holds,
//! or held when the procedure was entered, has its name; what nobody holds any more is left out, which weakens
//! what is said. Whether that is still a proof the checker finds out.

use std::collections::VecDeque;

use recurva_certificate::{
    Builder, Formula, Proof,
    formula::{Part, When},
};
use recurva_encode::{Encoder, Held, Joints, Meaning, Meanings, Numbers, Store, back};
use recurva_model::{NodeId, Point, ProcId, Program, VarRef};
use recurva_smt::{Node, Op, Sort, Term, Terms};
use rustc_hash::FxHashMap;

use crate::{
    live::Live,
    place::{Places, expanded},
    record::{Instance, Moments},
    search::Oracle,
    unroll::{Ended, Setting, Unrolled},
    weaker::weaker,
};

/// Of runs of which more is said when it is written down it is asked whether there are any.
const LONG: u64 = 1_000;

/// A part of a formula that is longer is left out.
const LONGEST_PART: u64 = 12_000;

/// A formula that is longer is too large.
const LONGEST: u64 = 80_000;

/// All formulas together are no longer.
const LONGEST_PROOF: u64 = 600_000;

/// So many questions about what has no name may come to nothing, at one node and at all.
const OPEN_HERE: u64 = 4;
const OPEN: u64 = 60;

/// So many parts of a fact are looked at for that.
const NEAR: usize = 40;

/// Makes formulas of what was seen.
pub(crate) struct Teller<'t, 'p, 'o> {
    program: &'p Program,
    setting: &'t Setting<'p>,
    joints: &'t Joints,
    live: Live,
    terms: &'t mut Terms,
    places: &'t mut Places,
    oracle: &'t mut Oracle<'o>,
    /// Questions that came to nothing, at this node and before.
    open: (u64, u64),
}

/// The variables of a procedure at both moments, as terms, and what these terms stand for.
struct Variables {
    entry: Store,
    now: Store,
    meanings: Meanings,
}

/// A variable's value and the term that stands for the variable.
#[derive(Clone, Copy)]
struct Pair {
    value: Term,
    variable: Term,
}

impl<'t, 'p, 'o> Teller<'t, 'p, 'o> {
    pub(crate) fn new(
        setting: &'t Setting<'p>,
        joints: &'t Joints,
        (terms, places, oracle): (&'t mut Terms, &'t mut Places, &'t mut Oracle<'o>),
    ) -> Self {
        Teller {
            program: setting.program,
            setting,
            joints,
            live: Live::new(setting.program),
            terms,
            places,
            oracle,
            open: (0, 0),
        }
    }

    /// A formula at each joint; `None` if they would be too large.
    pub(crate) fn proof(&mut self, found: &Unrolled) -> Result<Option<Proof>, Ended> {
        let mut proof = Proof::default();
        let mut total = 0;
        for index in 0..self.program.procedures().len() {
            let procedure = ProcId(index as u32);
            let variables = self.variables(procedure);
            for node in 0..self.program.procedure(procedure).nodes.len() {
                let point = Point {
                    procedure,
                    node: NodeId(node as u32),
                };
                if !self.joints.contains(point) || self.setting.relevant.is_target(point) {
                    continue;
                }
                let instances = found.instances.get(&point).map_or(&[][..], |it| it);
                let Some(formula) = self.formula(point, &variables, instances)? else {
                    return Ok(None);
                };
                total += length(&formula);
                if total > LONGEST_PROOF {
                    return Ok(None);
                }
                proof.formulas.insert(point, formula);
            }
        }
        Ok(Some(proof))
    }

    fn variables(&mut self, procedure: ProcId) -> Variables {
        let mut encoder = Encoder::new(self.terms, Numbers::Bits);
        let entry = encoder.any_store(self.program, procedure);
        let now = encoder.any_store(self.program, procedure);
        let (globals, locals) = (
            self.program.globals(),
            &self.program.procedure(procedure).locals,
        );
        let mut meanings = Meaning::of_store(&entry, globals, locals, When::Entry);
        meanings.extend(Meaning::of_store(&now, globals, locals, When::Now));
        Variables {
            entry,
            now,
            meanings,
        }
    }

    /// What holds at a node: one of what its instances say. `None` if that is too large.
    fn formula(
        &mut self,
        point: Point,
        variables: &Variables,
        instances: &[Instance],
    ) -> Result<Option<Formula>, Ended> {
        // Nothing needs to be known where no target can be reached from.
        if !self.setting.relevant.is_relevant_in_any_call(point) {
            return Ok(Some(Formula::truth()));
        }
        self.open.0 = 0;
        let mut cases: Vec<Case> = Vec::new();
        for instance in instances {
            self.oracle.go_on(self.terms)?;
            if let Some(case) = self.case(point, variables, instance)?
                && !cases.contains(&case)
            {
                cases.push(case);
            }
        }
        let formula = any_of(&apart(cases));
        Ok((length(&formula) <= LONGEST).then_some(formula))
    }

    /// What an instance says of the variables; `None` if there is no such run.
    fn case(
        &mut self,
        point: Point,
        variables: &Variables,
        instance: &Instance,
    ) -> Result<Option<Case>, Ended> {
        let given = self.given(point, variables, &instance.values);
        let (entry, live, dead) = self.pairs(point, variables, &instance.values);
        let names = self.names(&entry, &live, &dead);
        let mut made = names.clone();
        let mut facts: Vec<(Term, bool)> = Vec::new();
        let condition = self.named(instance.condition, &mut made);
        match self.terms.node(condition) {
            Node::Apply(Op::And, parts) => facts.extend(parts.iter().map(|&it| (it, false))),
            _ => facts.push((condition, false)),
        }
        for Pair { value, variable } in entry.into_iter().chain(live) {
            // What has this name may still have been made of something.
            let is_name = names.get(&value) == Some(&variable);
            let value = match (is_name, self.places.definitions().get(&value)) {
                (true, None) => continue,
                (true, Some(&definition)) => definition,
                (false, _) => value,
            };
            let value = self.named(value, &mut made);
            let equations = self.equations(variable, value);
            facts.extend(equations.into_iter().map(|it| (it, true)));
        }
        let real: FxHashMap<Term, Term> = names.iter().map(|(&it, &name)| (name, it)).collect();
        let runs = self.places.expanded(self.terms, instance.condition);
        let mut case = Case {
            given,
            said: Vec::new(),
            is_whole: true,
        };
        for (fact, is_equation) in facts {
            let mut said = self.say(fact, variables);
            for asked in [Asked::Unnamed, Asked::All] {
                let is_wanted = match asked {
                    Asked::Unnamed => said.is_weaker,
                    Asked::All => said.is_too_long,
                };
                if is_equation && is_wanted {
                    let fact = self.decided(fact, variables, &real, (runs, asked))?;
                    said = self.say(fact, variables);
                }
            }
            case.is_whole &= !said.is_too_long;
            for formula in said.formulas {
                if formula.is_falsity() {
                    return Ok(None);
                }
                if !case.said.contains(&formula) {
                    case.said.push(formula);
                }
            }
        }
        // What is long had better be possible.
        let is_long = case.said.iter().map(length).sum::<u64>() > LONG;
        if (is_long || !case.is_whole) && !self.oracle.check(self.terms, runs)?.is_satisfiable() {
            return Ok(None);
        }
        Ok(Some(case))
    }

    /// What can be said of a fact.
    fn say(&mut self, fact: Term, variables: &Variables) -> Said {
        let has_name = |it: Term| variables.meanings.contains_key(&it);
        let follows = weaker(self.terms, fact, &has_name);
        let parts = match self.terms.node(follows) {
            Node::Apply(Op::And, parts) => parts.to_vec(),
            _ => vec![follows],
        };
        let mut said = Said {
            formulas: Vec::new(),
            is_weaker: follows != fact,
            is_too_long: false,
        };
        for part in parts {
            match back(self.terms, part, &variables.meanings) {
                None => said.is_weaker = true,
                Some(formula) if length(&formula) > LONGEST_PART => said.is_too_long = true,
                Some(formula) if formula.is_truth() => {}
                Some(formula) => said.formulas.push(formula),
            }
        }
        said
    }

    /// That the procedure was entered with these parameters, if all of them were given as numbers.
    fn given(&mut self, point: Point, variables: &Variables, values: &Moments) -> Option<Formula> {
        let procedure = self.program.procedure(point.procedure);
        let moment = match point.node == procedure.entry {
            true => &variables.now,
            false => &variables.entry,
        };
        if point.procedure == self.program.main() || procedure.parameters == 0 {
            return None;
        }
        let mut all = Vec::new();
        for parameter in (0..procedure.parameters as u32).map(VarRef::Local) {
            let (value, name) = (values.entry.get(parameter), moment.get(parameter));
            for Pair { value, variable } in pairs(value, name) {
                if !self.terms.is_literal(value) {
                    return None;
                }
                all.push(self.terms.equal(variable, value));
            }
        }
        let all = self.terms.and(&all);
        back(self.terms, all, &variables.meanings)
    }

    /// The values at the entry and those now, of variables that are read from then on; then those of the others.
    fn pairs(
        &self,
        point: Point,
        variables: &Variables,
        values: &Moments,
    ) -> (Vec<Pair>, Vec<Pair>, Vec<Pair>) {
        let procedure = self.program.procedure(point.procedure);
        let (mut entry, mut live, mut dead) = (Vec::new(), Vec::new(), Vec::new());
        // Whatever main was entered with is nobody's business, and at an entry the two moments are one.
        if point.procedure != self.program.main() && point.node != procedure.entry {
            let parameters = (0..procedure.parameters as u32).map(VarRef::Local);
            let start = Point {
                node: procedure.entry,
                ..point
            };
            for variable in self.globals().chain(parameters) {
                let (value, name) = (values.entry.get(variable), variables.entry.get(variable));
                match self.is_live(start, variable) {
                    true => entry.extend(pairs(value, name)),
                    false => dead.extend(pairs(value, name)),
                }
            }
        }
        let locals = (0..procedure.locals.len()).map(|it| VarRef::Local(it as u32));
        for variable in self.globals().chain(locals) {
            let (value, name) = (values.now.get(variable), variables.now.get(variable));
            match self.is_live(point, variable) {
                true => live.extend(pairs(value, name)),
                false => dead.extend(pairs(value, name)),
            }
        }
        (entry, live, dead)
    }

    fn is_live(&self, point: Point, variable: VarRef) -> bool {
        match variable {
            VarRef::Global(_) => self.live.is_read(variable),
            VarRef::Local(local) => self.live.is_live(point, local as usize),
        }
    }

    fn globals(&self) -> impl Iterator<Item = VarRef> + use<> {
        (0..self.program.globals().len() as u32).map(VarRef::Global)
    }

    /// What was read on the way, with the variables that hold it.
    fn names(&self, entry: &[Pair], live: &[Pair], dead: &[Pair]) -> FxHashMap<Term, Term> {
        let mut names = FxHashMap::default();
        // What only a dead variable holds had better be said in other words, if there are any.
        let last = dead
            .iter()
            .filter(|it| !self.places.definitions().contains_key(&it.value));
        for &Pair { value, variable } in entry.iter().chain(live).chain(last) {
            if matches!(self.terms.node(value), Node::Variable(_)) {
                names.entry(value).or_insert(variable);
            }
        }
        names
    }

    /// A term about variables where these hold what it is about.
    fn named(&mut self, term: Term, made: &mut FxHashMap<Term, Term>) -> Term {
        expanded(self.terms, term, self.places.definitions(), made)
    }

    /// That a variable has a value; of an array, that elements have.
    fn equations(&mut self, variable: Term, value: Term) -> Vec<Term> {
        if !matches!(self.terms.sort(value), Sort::Array(..)) {
            return vec![self.terms.equal(variable, value)];
        }
        let mut found = Vec::new();
        let mut seen = Vec::new();
        let mut array = value;
        while let Node::Apply(Op::Store, of) = self.terms.node(array).clone() {
            let (below, index, element) = (of[0], of[1], of[2]);
            // What another place holds is not known any more where this place may be any.
            if !self.terms.is_literal(index) {
                break;
            }
            if !seen.contains(&index) {
                seen.push(index);
                let there = self.terms.select(variable, index);
                found.push(self.terms.equal(there, element));
            }
            array = below;
        }
        found
    }

    /// A fact where what is asked about and is always or never true in some runs is replaced by that, the nearest
    /// to the top first.
    fn decided(
        &mut self,
        fact: Term,
        variables: &Variables,
        real: &FxHashMap<Term, Term>,
        (runs, asked): (Term, Asked),
    ) -> Result<Term, Ended> {
        let mut made: FxHashMap<Term, Term> = FxHashMap::default();
        for (&name, &value) in real {
            let value = self.places.expanded(self.terms, value);
            made.insert(name, value);
        }
        let mut decided: FxHashMap<Term, Term> = FxHashMap::default();
        let mut waiting: VecDeque<Term> = self.terms.operands(fact).iter().copied().collect();
        for _ in 0..NEAR {
            let Some(part) = waiting.pop_front() else {
                break;
            };
            let inputs = self.terms.variables_of(&[part]);
            let has_name = |it: &Term| variables.meanings.contains_key(it);
            if inputs.is_empty() || asked == Asked::Unnamed && inputs.iter().all(has_name) {
                continue;
            }
            // The equation itself is true, in whatever way it is written: what matters stands in it.
            let is_equation = match self.terms.node(part) {
                Node::Apply(Op::Not, _) => true,
                Node::Apply(Op::Equal, sides) => sides.iter().any(has_name),
                _ => false,
            };
            if is_equation || self.terms.sort(part) != Sort::Bool {
                waiting.extend(self.terms.operands(part));
            } else if self.open.0 < OPEN_HERE && self.open.1 < OPEN {
                let condition = expanded(self.terms, part, self.places.definitions(), &mut made);
                match self.always(runs, condition)? {
                    Some(value) => {
                        decided.insert(part, self.terms.bool(value));
                    }
                    None => {
                        self.open.0 += 1;
                        self.open.1 += 1;
                    }
                }
            }
        }
        Ok(self.terms.replace(fact, &decided))
    }

    /// Whether a condition is always true in some runs, or never; `None` if neither.
    fn always(&mut self, runs: Term, condition: Term) -> Result<Option<bool>, Ended> {
        for value in [true, false] {
            let other = match value {
                true => self.terms.not(condition),
                false => condition,
            };
            let can_be = self.terms.and(&[runs, other]);
            if !self.oracle.check(self.terms, can_be)?.is_satisfiable() {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }
}

/// What the solver is asked about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// What has no name.
    Unnamed,
    /// Anything.
    All,
}

/// What can be said of a fact.
struct Said {
    formulas: Vec<Formula>,
    /// Whether the fact says more.
    is_weaker: bool,
    /// Whether something is too long to be said.
    is_too_long: bool,
}

/// What is said of some runs that come to a node.
#[derive(PartialEq)]
struct Case {
    /// What the procedure was given, if that is known to the last bit.
    given: Option<Formula>,
    /// The parts of what is said: all of them hold.
    said: Vec<Formula>,
    /// Whether nothing was too large to be said.
    is_whole: bool,
}

/// Cases of which too little is said do not speak of calls of which another one says more. So that remains known.
fn apart(mut cases: Vec<Case>) -> Vec<Vec<Formula>> {
    let mut given: Vec<Formula> = Vec::new();
    for case in &cases {
        let new = case.given.iter().filter(|it| !given.contains(it));
        given.extend(new.cloned().collect::<Vec<_>>());
    }
    for case in &mut cases {
        if case.given.is_none() && !case.is_whole {
            let others = given.iter().map(|it| {
                let mut builder = Builder::default();
                let part = builder.copy(it);
                let denied = builder.not(part);
                builder.finish(denied)
            });
            case.said.extend(others);
        }
    }
    cases.into_iter().map(|it| it.said).collect()
}

fn pairs(value: &Held, name: &Held) -> Vec<Pair> {
    let pairs = value.terms().iter().zip(name.terms());
    pairs
        .map(|(&value, &variable)| Pair { value, variable })
        .collect()
}

/// That one of some cases holds, each of them all of its parts. What they have in common is said once.
fn any_of(cases: &[Vec<Formula>]) -> Formula {
    let mut builder = Builder::default();
    let Some((first, others)) = cases.split_first() else {
        return Formula::falsity();
    };
    let is_common = |it: &&Formula| others.iter().all(|other| other.contains(it));
    let common: Vec<&Formula> = first.iter().filter(is_common).collect();
    let mut rests: Vec<Part> = Vec::new();
    for case in cases {
        let parts = case.iter().filter(|it| !common.contains(it));
        let parts: Vec<Part> = parts.map(|it| builder.copy(it)).collect();
        rests.push(builder.and_all(parts));
    }
    let mut parts: Vec<Part> = common.into_iter().map(|it| builder.copy(it)).collect();
    parts.push(builder.or_all(rests));
    let root = builder.and_all(parts);
    builder.finish(root)
}

/// About how many words a formula has when it is written down, where parts stand as often as they are used.
fn length(formula: &Formula) -> u64 {
    let mut lengths: Vec<u64> = Vec::with_capacity(formula.nodes().len());
    for node in formula.nodes() {
        let operands = node.operands().map(|it| lengths[it.index()]);
        let length = operands.fold(1, u64::saturating_add);
        lengths.push(length);
    }
    lengths.last().copied().unwrap_or(0)
}
