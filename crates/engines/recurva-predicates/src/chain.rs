//! An abstract run as terms that are cut apart at every cut: only what links say goes from one part to the
//! next. Which links make the run impossible is what refinement asks.

use recurva_encode::{Call, Encoder, Numbers, Store};
use recurva_model::{ProcId, Program};
use recurva_smt::{Term, Terms};

use crate::{
    abstraction::Abstraction,
    block::{Values, any_values, block},
    cuts::{CutId, End},
    post::left,
    run::Move,
};

/// Two sides of a cut: the values with which the run gets there, and those with which it goes on.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) cut: CutId,
    pub(crate) procedure: ProcId,
    pub(crate) sides: [Values; 2],
}

/// A run, cut apart.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    pub(crate) links: Vec<Link>,
    /// What happens in the parts.
    pub(crate) conditions: Vec<Term>,
}

struct Frame {
    cut: CutId,
    values: Values,
    /// The call that is pending: the values before it, the call, the callee's values at its
    /// entry, and where it returns to.
    call: Option<(Store, Call, Store, CutId)>,
}

/// The values at the entry, as values at that cut.
fn entry_values(values: &Values) -> Values {
    Values {
        now: values.entry.clone(),
        entry: values.entry.clone(),
    }
}

/// What is known of a run.
struct Builder<'b, 'a, 't> {
    encoder: Encoder<'t>,
    abstraction: &'b Abstraction<'a>,
    links: Vec<Link>,
}

impl Builder<'_, '_, '_> {
    fn program(&self) -> &Program {
        self.abstraction.program
    }

    fn any(&mut self, cut: CutId) -> Values {
        let abstraction = self.abstraction;
        let (program, fixed) = (abstraction.program, &abstraction.fixed);
        any_values(&mut self.encoder, program, fixed, &abstraction.cuts, cut)
    }

    fn link(&mut self, cut: CutId, before: Values, after: Values) {
        let procedure = self.abstraction.cuts.procedure(cut);
        let sides = [before, after];
        self.links.push(Link {
            cut,
            procedure,
            sides,
        });
    }

    /// The run goes on at a cut of the same invocation.
    fn go_on(&mut self, frame: &mut Frame, cut: CutId, now: Store) {
        let after = self.any(cut);
        let before = Values {
            now,
            entry: frame.values.entry.clone(),
        };
        let procedure = self.abstraction.cuts.procedure(cut);
        let entry = self.abstraction.cuts.entry(self.program(), procedure);
        self.link(entry, entry_values(&before), entry_values(&after));
        self.link(cut, before, after.clone());
        frame.cut = cut;
        frame.values = after;
    }
}

/// Cuts a run apart.
pub(crate) fn chain(abstraction: &Abstraction<'_>, terms: &mut Terms, moves: &[Move]) -> Chain {
    let (program, cuts) = (abstraction.program, &abstraction.cuts);
    let mut builder = Builder {
        encoder: Encoder::new(terms, Numbers::Bits),
        abstraction,
        links: Vec::new(),
    };
    let first = cuts.entry(program, program.main());
    let mut stack = vec![Frame {
        cut: first,
        values: builder.any(first),
        call: None,
    }];
    let mut conditions = Vec::new();
    for &one in moves {
        let Some(mut frame) = stack.pop() else {
            break;
        };
        match one {
            Move::Step(segment) => {
                let segment = &cuts.segments[segment.index()];
                let start = &frame.values.now;
                let made = block(&mut builder.encoder, program, cuts, segment, start);
                conditions.push(made.condition);
                if let End::Cut(cut) = segment.end {
                    builder.go_on(&mut frame, cut, made.store);
                }
                stack.push(frame);
            }
            Move::Call(segment) => {
                let segment = &cuts.segments[segment.index()];
                let start = &frame.values.now;
                let made = block(&mut builder.encoder, program, cuts, segment, start);
                conditions.push(made.condition);
                let Some(call) = made.call else {
                    stack.push(frame);
                    continue;
                };
                let entered = builder.encoder.entered(program, &call, &made.store);
                let cut = cuts.entry(program, call.callee);
                let after = builder.any(cut);
                let before = Values {
                    now: entered.clone(),
                    entry: entered.clone(),
                };
                builder.link(cut, before, after.clone());
                let back = match segment.end {
                    End::Call(edge) => cuts.after(program, segment.from, edge),
                    End::Cut(cut) => cut,
                };
                frame.call = Some((made.store, call, entered, back));
                stack.push(frame);
                stack.push(Frame {
                    cut,
                    values: after,
                    call: None,
                });
            }
            Move::Return => {
                let Some(mut caller) = stack.pop() else {
                    break;
                };
                let Some((store, call, entered, back)) = caller.call.take() else {
                    break;
                };
                let fixed = &abstraction.fixed;
                let exit = left(&mut builder.encoder, program, fixed, call.callee, &entered);
                let outside = Values {
                    now: exit.clone(),
                    entry: entered,
                };
                let entry = cuts.entry(program, call.callee);
                builder.link(entry, entry_values(&frame.values), entry_values(&outside));
                builder.link(frame.cut, frame.values, outside);
                let after = builder.encoder.returned(program, &call, &store, &exit);
                builder.go_on(&mut caller, back, after);
                stack.push(caller);
            }
        }
    }
    conditions.extend(builder.encoder.take_facts());
    Chain {
        links: builder.links,
        conditions,
    }
}
