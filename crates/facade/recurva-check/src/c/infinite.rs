//! An infinite run of the lowered program, executed as one of the C program: until it is where it was
//! before, or for long enough.

use std::{cell::Cell, rc::Rc};

use recurva_cir::interpret::{Machine, Outcome, Replay, Snapshot};
use recurva_evidence::Replayed;

use super::{
    CContent,
    confirm::{Confirmed, Giver, LONGEST, Shown, options, spelled_out, working},
    lowered::CProgram,
    start::Start,
    test_case::{Aim, Target, executed},
};
use crate::{Note, watch::Clock};

/// The steps after which a run that does not come back has gone on for long enough.
const ENOUGH: u64 = 1_000_000;

/// What was seen of a run.
enum Seen {
    /// It was in one state twice, so many steps apart.
    Repeated(u64),
    /// It went on for so many steps.
    WentOn(u64),
    /// It ended, after so many steps.
    Ended(u64),
}

/// Executes an infinite run, or one that has ended and stays where it is.
pub(super) fn confirm_infinite(
    content: &CContent,
    program: &CProgram,
    run: &Replayed<'_>,
    clock: &mut Clock<'_>,
) -> Confirmed {
    let choices = match spelled_out(program, run, clock) {
        Ok(choices) => choices,
        Err(why) => return Confirmed::NotTried(why),
    };
    let has_ended = run.trace().turn_steps().is_empty();
    let count = choices.values.len();
    let (turn, allocations) = choices.turn.unwrap_or_default();
    let mut replay = Replay::new(choices.values).with_allocations(choices.allocations);
    if !has_ended {
        replay = replay.repeating(turn, allocations);
    }
    let mut world = Giver::new(replay);
    let position = Rc::clone(&world.position);
    let mut start = Start::new(content, program);
    let mut machine = Machine::new(&program.built.module, &mut world, options(program));
    let most = if has_ended { LONGEST } else { ENOUGH };
    let seen = watch(&mut machine, &position, &mut start, most, clock);
    drop(machine);
    let diverges = run.trace().diverges();
    let text = match seen {
        Ok(Seen::Ended(steps)) if has_ended => {
            format!("replayed on the C program, in {steps} steps: it ends")
        }
        Ok(Seen::Repeated(steps)) if !has_ended => {
            format!("replayed on the C program: every {steps} steps it is in the same state again")
        }
        Ok(Seen::WentOn(steps)) if !has_ended => match diverges {
            true => format!("replayed on the C program for {steps} steps: the stack keeps growing"),
            false => format!("replayed on the C program for {steps} steps, without an end"),
        },
        Ok(Seen::Ended(_)) => return Confirmed::No("it ends".to_owned()),
        Ok(Seen::Repeated(_)) => return Confirmed::No("it does not end".to_owned()),
        Ok(Seen::WentOn(steps)) => {
            return Confirmed::NotTried(format!("it did not end within {steps} steps"));
        }
        Err(confirmed) => return confirmed,
    };
    let (start, arguments) = start.finish();
    let start = start.as_ref().map(Option::as_deref);
    let target = Target {
        aim: match has_ended {
            true => Aim::End,
            false => Aim::Never { turn, diverges },
        },
        place: None,
        start: start.map_err(|why| &**why),
        arguments: &arguments,
    };
    let given = &world.given[..count.min(world.given.len())];
    let (note, files) = executed(content, program, target, given, clock);
    Confirmed::Yes(Box::new(Shown {
        notes: vec![Note::new(text), note],
        files,
        run: None,
    }))
}

/// Steps until a state comes again, or so often: a state is kept from each power of two on, so that the kept one is
/// sooner or later within what is repeated.
fn watch(
    machine: &mut Machine<'_>,
    position: &Cell<(usize, usize)>,
    start: &mut Start,
    most: u64,
    clock: &mut Clock<'_>,
) -> Result<Seen, Confirmed> {
    let mut kept: Option<(Snapshot, (usize, usize), u64)> = None;
    let mut keep_at = 1;
    loop {
        let steps = machine.steps();
        start.look(&machine.view());
        if let Some((snapshot, then, at)) = &kept
            && *then == position.get()
            && machine.is_at(snapshot)
        {
            return Ok(Seen::Repeated(steps - at));
        }
        if steps == keep_at {
            kept = Some((machine.snapshot(), position.get(), steps));
            keep_at *= 2;
        }
        if steps == most {
            return Ok(Seen::WentOn(steps));
        }
        match machine.step() {
            None => {}
            Some(Outcome::Exited(_) | Outcome::Aborted(_)) => return Ok(Seen::Ended(steps)),
            Some(Outcome::OutOfMemory(_)) => return Ok(Seen::WentOn(steps)),
            Some(other) => return Err(Confirmed::No(format!("it ends otherwise: {other:?}"))),
        }
        let is_asked = steps.is_multiple_of(1 << 14);
        if is_asked && clock.tick(&working("executing the run")).is_break() {
            return Err(Confirmed::NotTried("there was no more time".to_owned()));
        }
    }
}
