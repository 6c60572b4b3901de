//! Steps and expressions as terms mean what the definition says, on random programs and values.

mod random;

use std::collections::BTreeMap;

use random::{Random, Setting};
use recurva_encode::{Encoder, Held, Numbers, Scope, Step, Store};
use recurva_model::{
    Action, EdgeId, Moment, ProcId, Program, Type, VarRef, Variable,
    semantics::{Configuration, Machine},
};
use recurva_smt::{ArrayValue, Term, Terms, Value};

/// A value of a type as the value of a term.
fn value(numbers: Numbers, ty: Type, value: u64) -> Value {
    match (ty, numbers) {
        (Type::Bool, _) => Value::Bool(value != 0),
        (_, Numbers::Bits) => Value::Bits(value.into()),
        _ => Value::Int(ty.to_number(value)),
    }
}

/// The values of the variables that terms were made of.
#[derive(Default)]
struct Given(BTreeMap<Term, Value>);

impl Given {
    fn give(&mut self, numbers: Numbers, variable: &Variable, held: &Held, values: &[u64]) {
        match held {
            Held::Array(term) => {
                let mut array = ArrayValue::default();
                for (place, &element) in values.iter().enumerate() {
                    let number = match (variable.ty, numbers) {
                        (Type::Bool, _) | (_, Numbers::Bits) => i128::from(element),
                        (ty, _) => ty.to_number(element),
                    };
                    array.set(place as i128, number);
                }
                self.0.insert(*term, Value::Array(array));
            }
            _ => {
                for (&term, &element) in held.terms().iter().zip(values) {
                    self.0.insert(term, value(numbers, variable.ty, element));
                }
            }
        }
    }

    fn give_all(
        &mut self,
        numbers: Numbers,
        variables: &[Variable],
        held: &[Held],
        mut values: &[u64],
    ) {
        for (variable, held) in variables.iter().zip(held) {
            let (here, rest) = values.split_at(variable.slots());
            self.give(numbers, variable, held, here);
            values = rest;
        }
    }

    fn evaluate(&self, terms: &Terms, term: Term) -> Option<Value> {
        terms.evaluate(term, &|variable| self.0.get(&variable).cloned())
    }

    /// The values of some variables as the program has them.
    fn read(&self, terms: &Terms, variables: &[Variable], held: &[Held]) -> Vec<u64> {
        let mut read = Vec::new();
        for (variable, held) in variables.iter().zip(held) {
            let ty = variable.ty;
            let number = |value: Value| match value {
                Value::Bool(value) => u64::from(value),
                Value::Bits(bits) => ty.wrap(bits as u64),
                Value::Int(number) => ty.from_number(number).expect("a value of the type"),
                Value::Array(_) => panic!("a scalar"),
            };
            match held {
                Held::Array(term) => {
                    let Some(Value::Array(array)) = self.evaluate(terms, *term) else {
                        panic!("an array");
                    };
                    let elements =
                        (0..variable.slots()).map(|it| ty.wrap(array.get(it as i128) as u64));
                    read.extend(elements);
                }
                _ => read.extend(held.terms().iter().map(|&term| {
                    number(self.evaluate(terms, term).expect("a scalar has a value"))
                })),
            }
        }
        read
    }
}

/// Gives values to the choices that the encoder made up along an edge, in the order in which it did.
fn give_choices(
    given: &mut Given,
    terms: &Terms,
    numbers: Numbers,
    types: &[Type],
    choices: &[u64],
) {
    let made = (0..200).filter_map(|number| terms.find_variable(&format!("any!{number}")));
    for (term, (&ty, &choice)) in made.zip(types.iter().zip(choices)) {
        given.0.insert(term, value(numbers, ty, choice));
    }
}

fn one_step(numbers: Numbers, program: &Program, random: &mut Random) -> [bool; 2] {
    let machine = Machine::new(program);
    let mut terms = Terms::default();
    let mut encoder = Encoder::new(&mut terms, numbers);
    let main = program.main();
    let edge = program.edge(main, EdgeId(0));
    let now = encoder.any_store(program, main);
    let step = encoder.step(program, main, edge, &now);
    let mut went = [false; 2];
    for _ in 0..4 {
        let globals = random.values(machine.global_types());
        let locals = random.values(machine.local_types(main));
        let types = edge.choices();
        let all = machine.choices(main, EdgeId(0));
        let choices = random.values(&all);
        let mut given = Given::default();
        given.give_all(numbers, program.globals(), &now.globals, &globals);
        given.give_all(
            numbers,
            &program.procedure(main).locals,
            &now.locals,
            &locals,
        );
        give_choices(&mut given, &terms, numbers, &types, &choices);
        let mut configuration = machine
            .start(&globals, &locals)
            .expect("values of their types");
        let stepped = machine
            .step(&mut configuration, EdgeId(0), &choices)
            .is_ok();
        went[usize::from(stepped)] = true;
        match &step {
            Step::Internal(internal) => {
                let condition = given.evaluate(&terms, internal.condition);
                assert_eq!(
                    condition,
                    Some(Value::Bool(stepped)),
                    "{numbers:?} {edge:#?}"
                );
                if stepped {
                    check_store(
                        &given,
                        &terms,
                        program,
                        main,
                        &internal.store,
                        &configuration,
                    );
                }
            }
            Step::Call(call) => {
                let condition = given.evaluate(&terms, call.condition);
                assert_eq!(
                    condition,
                    Some(Value::Bool(stepped)),
                    "{numbers:?} {edge:#?}"
                );
                if stepped {
                    let callee = program.procedure(call.callee);
                    let parameters = &callee.locals[..callee.parameters];
                    let arguments = given.read(&terms, parameters, &call.arguments);
                    assert_eq!(arguments, configuration.top().locals[..parameters.len()]);
                }
            }
        }
        // The return of a call that ends at once.
        if let (Step::Call(call), true) = (&step, stepped) {
            let mut encoder = Encoder::new(&mut terms, numbers);
            let mut end = encoder.entered(program, call, &now);
            end.globals = encoder.any_values(program.globals());
            let back = encoder.returned(program, call, &now, &end);
            let globals = random.values(machine.global_types());
            given.give_all(numbers, program.globals(), &end.globals, &globals);
            let locals = configuration.top().locals.to_vec();
            let callee = program.procedure(call.callee);
            let others = callee.parameters;
            given.give_all(
                numbers,
                &callee.locals[others..],
                &end.locals[others..],
                &locals[others..],
            );
            configuration.globals = globals.into();
            if let Some(frame) = configuration.stack.last_mut() {
                frame.node = callee.exit;
            }
            machine.step_return(&mut configuration).expect("it returns");
            check_store(&given, &terms, program, main, &back, &configuration);
        }
    }
    went
}

fn check_store(
    given: &Given,
    terms: &Terms,
    program: &Program,
    procedure: ProcId,
    store: &Store,
    configuration: &Configuration,
) {
    let globals = given.read(terms, program.globals(), &store.globals);
    assert_eq!(globals, *configuration.globals);
    let locals = &program.procedure(procedure).locals;
    let locals = given.read(terms, locals, &store.locals);
    assert_eq!(locals, *configuration.top().locals);
}

#[test]
fn steps_are_those_of_the_machine() {
    for (numbers, setting) in [
        (Numbers::Bits, Setting::any()),
        (Numbers::Wrapping, Setting::exact_on_integers()),
    ] {
        let mut counts = [0; 2];
        for seed in 0..6_000 {
            let mut random = Random::new(seed);
            let program = random.program(&setting);
            let went = one_step(numbers, &program, &mut random);
            counts[0] += u32::from(went[0]);
            counts[1] += u32::from(went[1]);
        }
        assert!(counts.iter().all(|&it| it > 1_500), "{counts:?}");
    }
}

#[test]
fn expressions_are_what_the_definition_says() {
    for (numbers, setting) in [
        (Numbers::Bits, Setting::any()),
        (Numbers::Wrapping, Setting::exact_on_integers()),
    ] {
        for seed in 0..6_000 {
            let mut random = Random::new(seed ^ 0xabcd);
            let program = random.program(&setting);
            let machine = Machine::new(&program);
            let main = program.main();
            let mut terms = Terms::default();
            let mut encoder = Encoder::new(&mut terms, numbers);
            let now = encoder.any_store(&program, main);
            let edge = program.edge(main, EdgeId(0));
            let types = edge.choices();
            let choices: Vec<Term> = types.iter().map(|&ty| encoder.any(ty, "any")).collect();
            let place = Scope {
                program: &program,
                procedure: main,
                now: &now,
                next: None,
                choices: &choices,
            };
            // Where a constraint looks at the values after the step, nothing has changed here.
            let expressions: Vec<_> = edge.expressions().collect();
            let encoded: Vec<_> = expressions
                .iter()
                .map(|it| encoder.expression(place, it))
                .collect();
            for _ in 0..4 {
                let globals = random.values(machine.global_types());
                let locals = random.values(machine.local_types(main));
                let chosen = random.values(&types);
                let mut given = Given::default();
                given.give_all(numbers, program.globals(), &now.globals, &globals);
                given.give_all(
                    numbers,
                    &program.procedure(main).locals,
                    &now.locals,
                    &locals,
                );
                for ((&term, &ty), &choice) in choices.iter().zip(&types).zip(&chosen) {
                    given.0.insert(term, value(numbers, ty, choice));
                }
                for (expression, encoded) in expressions.iter().zip(&encoded) {
                    let read = |variable: VarRef, _: Moment, element: u64| {
                        let slots = program.variable(main, variable).slots() as u64;
                        let values = match variable {
                            VarRef::Global(_) => &globals,
                            VarRef::Local(_) => &locals,
                        };
                        (element < slots)
                            .then(|| values[machine.slot(main, variable) + element as usize])
                    };
                    let expected = expression.eval(&chosen, &read);
                    let is_defined = given.evaluate(&terms, encoded.is_defined);
                    assert_eq!(
                        is_defined,
                        Some(Value::Bool(expected.is_some())),
                        "{numbers:?} {expression:?}"
                    );
                    if let Some(expected) = expected {
                        let ty = expression.type_with(|it| program.variable(main, it).ty);
                        assert_eq!(
                            given.evaluate(&terms, encoded.value),
                            Some(value(numbers, ty, expected)),
                            "{numbers:?} {expression:?}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn the_action_of_a_call_is_among_those_that_are_tried() {
    let calls = (0..200).filter(|&seed| {
        let program = Random::new(seed).program(&Setting::any());
        let edge = program.edge(program.main(), EdgeId(0));
        matches!(edge.action, Action::Call { .. })
    });
    assert!(calls.count() > 20);
}
