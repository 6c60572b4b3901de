//! Random nested state machines: as recursive machines and as programs they reach the same
//! states, and what is on the stack can be said in two ways.

use recurva_check::{
    Options, Property,
    branching::{Starts, Subject},
};
use recurva_lang::{
    model::{self, Format},
    nsm,
};
use recurva_model::{
    Nsm,
    nsm::{Kind, NsmBuilder, StateId},
};
use recurva_syntax::Source;
use recurva_testkit::rng::Rng;

use crate::{formula, holds};

/// A machine of up to ten states, some of them in procedure `f`.
fn random_machine(rng: &mut Rng) -> Nsm {
    let mut builder = NsmBuilder::default();
    let mut states: [Vec<StateId>; 3] = Default::default();
    let counts = [1 + rng.below(4), 1 + rng.below(3), rng.below(4)];
    for (kind, count) in [Kind::Local, Kind::Call, Kind::Return]
        .into_iter()
        .zip(counts)
    {
        for index in 0..count {
            let labels: &[&str] = if rng.chance(40) { &["in(f)"] } else { &[] };
            let state = builder.state(&format!("{}{index}", kind.word()), kind, labels);
            states[kind as usize].push(state);
        }
    }
    let [locals, calls, returns] = states;
    builder.label(locals[0], "in(f)");
    let inside: Vec<StateId> = locals.iter().chain(&returns).copied().collect();
    let enterable: Vec<StateId> = locals.iter().chain(&calls).copied().collect();
    for &from in &inside {
        for _ in 0..rng.below(3) {
            builder.local(from, enterable[rng.below(enterable.len())]);
        }
        for &pending in &calls {
            if !returns.is_empty() && rng.chance(40) {
                builder.ret(from, pending, returns[rng.below(returns.len())]);
            }
        }
    }
    for &call in &calls {
        for _ in 0..rng.below(3) {
            builder.call(call, enterable[rng.below(enterable.len())]);
        }
    }
    let init = enterable[rng.below(enterable.len())];
    builder.finish(init).expect("it fits")
}

#[test]
fn the_same_states_are_reached_by_all_translations() {
    let (mut reached, mut not) = (0, 0);
    for seed in 0..400 {
        let rng = &mut Rng::new(seed ^ 0x006d_6163_6869_6e65);
        let machine = random_machine(rng);
        let text = nsm::write(&machine);
        let source = Source::new("random.nsm", text.clone()).expect("a short text");
        let parsed = model::parse(&source, Format::Nsm, &model::Options::default());
        let read = parsed.model.expect("it is written well");
        let flat = read.machine.as_ref().expect("it is a machine");
        assert_eq!(nsm::write(&flat.nested()), text);
        let again = Nsm::of_rsm(&machine.to_rsm()).nsm;
        for state in machine.ids() {
            let name = machine.name(state);
            let property = Property::label(&read.program, name).expect("states are labels");
            let outcome =
                recurva_check::check(&read.program, &property, &Options::default(), &mut ());
            let found = outcome.expect("it replays").is_violated();
            let ask = |nsm: &Nsm, text: &str| {
                let subject = Subject::Machine {
                    nsm,
                    starts: Starts::Here,
                };
                holds(subject, &formula(subject, text), &Options::default())
            };
            assert_eq!(
                ask(&machine, &format!("EF @{name}")),
                found,
                "{text}\n{name}"
            );
            assert_eq!(ask(&again, &format!("EF {name}")), found, "{text}\n{name}");
            // f is on the stack: it is running, or a call was made from it that is pending.
            let on_stack = ask(&machine, &format!("EF(@{name} & on_stack(f))"));
            let below = format!("EF(@{name} & in(f)) | EF(in(f) & <call> (EF @{name}) {{}})");
            assert_eq!(on_stack, ask(&machine, &below), "{text}\n{name}");
            *(if found { &mut reached } else { &mut not }) += 1;
        }
    }
    assert!(reached > 300 && not > 300, "{reached} {not}");
}
