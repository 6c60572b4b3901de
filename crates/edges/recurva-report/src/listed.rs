//! What shows a violation, as a list of places: how editors show it.

use std::{collections::VecDeque, path::Path};

use recurva_check::{
    Answer, CFolding, CRun, CShown, Context, Evidence, Format, ReadOptions, RunContext, Words,
    branching::Refutation, spelled,
};
use recurva_evidence::{Next, Part, Replayed, Walk};
use recurva_model::Origin;
use recurva_syntax::{Span, SymbolKind};

use crate::{
    c_run::{changes, said},
    found::shown_run,
    lines::Lines,
    numbers::grouped,
    strategy::positions,
    values::Snapshot,
    verdict::failing,
};

/// At most so many are listed: of a run the last ones, which lead to the violation, and of a
/// strategy the first ones.
const LISTED: usize = 100;

/// A step: where, and what happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where, if that is known.
    pub place: Option<Place>,
    /// What happens.
    pub text: String,
}

/// A place in one of the texts of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the text of the model.
    Model(Span),
    /// In a further text, by its number: of another unit, or of a monitor that is part of the model.
    More(usize, Span),
}

/// The steps that show a violation: of a run, the positions of a strategy, or words.
pub fn steps(context: &Context<'_>, answer: &Answer<'_>) -> Vec<Step> {
    if let Some((run, replayed)) = shown_run(context, answer) {
        return match &answer.c_run {
            Some(c_run) => of_c_run(&run, c_run),
            None => of_run(&run, replayed),
        };
    }
    match &answer.evidence {
        Some(Evidence::Strategy(refutation)) => of_strategy(context, refutation),
        Some(Evidence::Words(words)) => of_words(context, words),
        _ => Vec::new(),
    }
}

/// Where a run or a strategy shows that something is violated: the end of the run, or the first
/// position.
pub fn end(context: &Context<'_>, answer: &Answer<'_>) -> Option<Place> {
    if let Some((run, replayed)) = shown_run(context, answer) {
        let lines = Lines::of(&run);
        return located(&run, failing(&run, replayed, &lines).origin);
    }
    match &answer.evidence {
        Some(Evidence::Strategy(refutation)) => {
            let first = positions(refutation, &Lines::new(context.source));
            in_model(refutation.nsm.state(first.first()?.id).origin)
        }
        _ => None,
    }
}

fn in_model(origin: Origin) -> Option<Place> {
    let span = Span::new(origin.start, origin.end);
    (!origin.is_none()).then_some(Place::Model(span))
}

/// A place of a program: behind the end of the model's text it is one of another.
fn located(run: &RunContext<'_>, origin: Origin) -> Option<Place> {
    let mut base = run.source.end().end;
    if origin.is_none() || origin.start < base {
        return in_model(origin);
    }
    for (number, text) in run.more.iter().enumerate() {
        let length = text.end().end;
        if number + 1 == run.more.len() || origin.start < base + length {
            let span = Span::new(origin.start - base, origin.end - base);
            return Some(Place::More(number, span));
        }
        base += length;
    }
    in_model(origin)
}

/// The statements of a C program; a call that returns is one step.
fn of_c_run(run: &RunContext<'_>, c_run: &CRun) -> Vec<Step> {
    let folding = CFolding {
        lines: LISTED,
        calls_only: false,
    };
    let mut number = 0;
    let steps = c_run.folded(folding).into_iter().map(|shown| {
        let (step, back, count) = match shown {
            CShown::Step(_, step) => (Some(step), None, step.steps()),
            CShown::Folded {
                call,
                returned,
                steps,
            } => (Some(call), Some(returned), steps + 2),
            CShown::Gap { steps, .. } => (None, None, steps),
        };
        number += count;
        let Some(step) = step else {
            return Step {
                place: None,
                text: format!("… {} steps", grouped(count)),
            };
        };
        let mut parts: Vec<String> = said(step).into_iter().collect();
        parts.extend(step.remarks());
        parts.extend(back.and_then(said));
        parts.extend(changes(step));
        parts.extend(back.map(changes).unwrap_or_default());
        let parts = match parts.is_empty() {
            true => String::new(),
            false => format!(": {}", parts.join(", ")),
        };
        Step {
            place: located(run, step.origin),
            text: format!("step {}{parts}", grouped(number)),
        }
    });
    let mut steps: Vec<Step> = steps.collect();
    steps.drain(..steps.len().saturating_sub(LISTED));
    steps
}

/// A call that returns is one step.
fn of_run(run: &RunContext<'_>, replayed: &Replayed<'_>) -> Vec<Step> {
    let mut walk = replayed.walk();
    let mut list: VecDeque<Step> = VecDeque::new();
    let mut number = 0usize;
    while let Some(next) = walk.next() {
        let before = Snapshot::of(walk.configuration());
        let turn = walk.position().part == Part::Turn;
        let procedure = walk.configuration().top().procedure;
        let (edge, what) = match next {
            Next::Internal(edge) => (Some(edge), String::new()),
            Next::Call { edge, callee, .. } => {
                let name = &replayed.program().procedure(callee).name;
                (Some(edge), format!(", {name} is called"))
            }
            Next::Return => (None, String::new()),
        };
        if !advance(&mut walk, next) {
            break;
        }
        // A return that belongs to no call of the list is none of its steps.
        let Some(edge) = edge else { continue };
        number += 1;
        let changes = before.changes(replayed.machine(), walk.configuration());
        let changes = match changes.is_empty() {
            true => String::new(),
            false => format!(": {}", changes.join(", ")),
        };
        let ever = if turn { " (again and again)" } else { "" };
        if list.len() == LISTED {
            list.pop_front();
        }
        list.push_back(Step {
            place: located(run, replayed.program().edge(procedure, edge).origin),
            text: format!("step {number}{ever}{what}{changes}"),
        });
    }
    list.into()
}

fn advance(walk: &mut Walk<'_, '_>, next: Next) -> bool {
    match next {
        Next::Call {
            through: Some(_), ..
        } => walk.step_over(),
        _ => walk.step_in(),
    }
}

fn of_strategy(context: &Context<'_>, refutation: &Refutation<'_>) -> Vec<Step> {
    let positions = positions(refutation, &Lines::new(context.source));
    let steps = positions.into_iter().take(LISTED).enumerate();
    let step = |(at, position): (usize, crate::strategy::PositionData)| {
        let whose = position.procedure.as_ref().unwrap_or(&position.state);
        let values = position.values.iter().chain(&position.facts);
        let values: String = values.map(|value| format!(", {value}")).collect();
        let fails = &position.fails;
        Step {
            place: in_model(refutation.nsm.state(position.id).origin),
            text: format!("position {at}, {whose}{values}: {fails} fails"),
        }
    };
    steps.map(step).collect()
}

/// Each word at the rule that leads to it.
fn of_words(context: &Context<'_>, words: &Words) -> Vec<Step> {
    let format = Format::of(Path::new(context.source.name()));
    let index = format.map(|it| it.index(context.source, &ReadOptions::default()));
    let place = |action: &str| {
        let mut symbols = index.as_ref()?.symbols().map(|(_, symbol)| symbol);
        let found = symbols.find(|it| it.kind == SymbolKind::Action && it.name == action);
        found.map(|it| Place::Model(it.place))
    };
    let stem = words.stem.iter().enumerate().map(|(at, word)| {
        let action = at.checked_sub(1).and_then(|at| words.actions.get(at));
        // A system that was given as automata has one action, without a name.
        let action = action.filter(|action| !action.is_empty());
        let by = action.map_or_else(String::new, |action| format!(", {action}"));
        Step {
            place: action.and_then(|action| place(action)),
            text: format!("step {at}{by}: {}", spelled(word)),
        }
    });
    let turn = words.turn.iter().flatten().enumerate();
    let turn = turn.map(|(at, word)| Step {
        place: None,
        text: format!(
            "step {} (again and again): {}",
            words.stem.len() + at,
            spelled(word)
        ),
    });
    let mut list: Vec<Step> = stem.chain(turn).collect();
    list.drain(..list.len().saturating_sub(LISTED));
    list
}

#[cfg(test)]
mod tests {
    use recurva_check::{Asked, Limits, Model, Options};
    use recurva_syntax::Source;

    use super::*;

    /// The steps of the first answer, each with the text at its place, and the text at the end.
    fn listed(name: &str, text: &str, asked: &Asked) -> (Vec<(String, String)>, String) {
        let source = Source::new(name, text).unwrap();
        let model = Model::read(source, &ReadOptions::default(), Limits::default(), &mut ());
        let model = model.unwrap();
        let questions = model.questions(asked).unwrap();
        let question = &questions.list[0];
        let answer = question.answer(&Options::default(), &mut ()).unwrap();
        assert!(answer.is_violated());
        let context = question.context();
        let shown = |place: Option<Place>| match (place, &asked.spec) {
            (None, _) => "-".to_owned(),
            (Some(Place::Model(span)), _) => model.source().slice(span).to_owned(),
            (Some(Place::More(_, span)), Some(spec)) => spec.slice(span).to_owned(),
            (Some(Place::More(..)), None) => "no monitor".to_owned(),
        };
        let steps = steps(&context, &answer).into_iter();
        let steps = steps.map(|step| (step.text, shown(step.place))).collect();
        (steps, shown(end(&context, &answer)))
    }

    fn spec(name: &str, text: &str) -> Asked {
        Asked {
            spec: Some(Source::new(name, text).unwrap()),
            ..Asked::default()
        }
    }

    const PROGRAM: &str = "decl x;\nvoid f() begin x := T; end\n\
                           void main() begin x := F; f(); assert(!x); end";

    #[test]
    fn runs() {
        let (steps, end) = listed("m.bp", PROGRAM, &Asked::default());
        let call = ("step 2, f is called: x=T".to_owned(), "f()".to_owned());
        assert_eq!(steps[1], call, "{steps:?}");
        assert_eq!(end, "assert(!x)");
        // The run that shows it, not the strategy.
        let (steps, _) = listed("m.bp", PROGRAM, &spec("m.ntmu", "p: AG !(in(f) & x)"));
        assert!(steps.iter().any(|(text, _)| text.starts_with("step 1")));
    }

    #[test]
    fn runs_through_a_monitor() {
        let pal = "global int n = 0;\n\
                   event { pattern { f(); } guard { n == 1 } action { n = 1; } }";
        let (steps, end) = listed("m.bp", PROGRAM, &spec("m.pal", pal));
        assert!(!steps.is_empty());
        assert_eq!(end, "n == 1", "{steps:?}");
    }

    #[test]
    fn strategies() {
        let (steps, end) = listed(
            "m.bp",
            PROGRAM,
            &spec("m.ntmu", "p: EF (in(f) & <call> true {})"),
        );
        assert!(steps[0].0.starts_with("position 0, main"), "{steps:?}");
        assert!(steps[0].0.ends_with(" fails"), "{steps:?}");
        assert_ne!(end, "-");
    }

    #[test]
    fn words() {
        let text = "process { state : idle, token }\ninitial token idle*\n\
                    transition copy : .* token idle/token .*\nbad two : .* token .* token .*\n";
        let (steps, end) = listed("m.rmc", text, &Asked::default());
        let copied = ("step 1, copy: token token".to_owned(), "copy".to_owned());
        assert_eq!(steps[1], copied);
        assert_eq!(end, "-", "the property has a place of its own");
        let text = "process { state : a, b }\ninitial a*\n\
                    rule turn : when a do state := a\nlive moves : forall i : F b[i]\n";
        let (steps, _) = listed("m.rmc", text, &Asked::default());
        assert!(
            steps
                .iter()
                .any(|(text, _)| text.contains("again and again"))
        );
    }
}
