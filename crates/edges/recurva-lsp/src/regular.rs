//! Checks of systems of any size.

use std::{fmt::Write, time::Duration};

use lsp_types::{DiagnosticRelatedInformation, Location};
use recurva_regular::{
    Letter, Meter, Stop,
    engine::{self, Engine, Problem, Verdict},
    lang, live,
    live::LiveVerdict,
    system::System,
};
use recurva_syntax::{Index, Span, SymbolKind};

use crate::{
    ask::Ask,
    check::{Answer, Finding, Watcher, Word},
    loaded::Text,
    position::Encoding,
};

/// A configuration on the way to a violation, and the step that leads to it.
struct Line {
    action: Option<String>,
    word: String,
}

/// Checks a property of a system.
pub(crate) fn check(
    text: &Text,
    ask: &Ask,
    encoding: Encoding,
    watcher: &mut Watcher<'_>,
    limit: Duration,
) -> Result<Answer, String> {
    let system = lang::parse(&text.source).value;
    let system = system.ok_or_else(|| format!("{} has errors", text.source.name()))?;
    let wanted = ask.property.as_deref();
    let is_wanted = |name: &str| wanted.is_none_or(|wanted| wanted == name);
    let mut look = |progress: &recurva_regular::Progress| {
        watcher.look(|| {
            let recurva_regular::Progress {
                technique, states, ..
            } = progress;
            format!("{technique}: {states} states")
        })
    };
    let mut meter = Meter::watched(&mut look);
    let (name, word, mut report, lines);
    if let Some(bad) = system.bad.iter().find(|it| is_wanted(&it.name)) {
        name = &bad.name;
        (word, report, lines) = safe(&system, &bad.words, &mut meter, limit)?;
    } else if let Some(formula) = system.live.iter().find(|it| is_wanted(&it.name)) {
        name = &formula.name;
        (word, report, lines) = lives(&system, formula, &mut meter, limit)?;
    } else {
        let wanted = wanted.unwrap_or_default();
        return Err(format!(
            "there is no property `{wanted}` in {}",
            text.source.name()
        ));
    }
    report = format!("{}: {name} ({})\n{report}", word.text(), text.source.name());
    for (number, line) in lines.iter().enumerate() {
        let action = line.action.as_deref().unwrap_or_default();
        let shown = format!("{number:>6}  {:<40}  {action}", line.word);
        // Writing to a string cannot fail.
        let _ = writeln!(report, "{}", shown.trim_end());
    }
    let finding = (word == Word::Violated).then(|| found(text, name, &lines, encoding));
    Ok(Answer {
        word,
        report,
        finding,
    })
}

fn safe(
    system: &System,
    bad: &recurva_regular::Dfa,
    meter: &mut Meter<'_>,
    limit: Duration,
) -> Result<(Word, String, Vec<Line>), String> {
    let outcome = match Problem::new(system, bad, meter) {
        Ok(problem) => engine::check(&problem, Engine::Auto, meter),
        Err(stop) => return Ok((Word::Unknown, why(stop, limit), Vec::new())),
    };
    let outcome = outcome.map_err(|error| format!("internal error: {error}"))?;
    Ok(match outcome.verdict {
        Verdict::Safe(invariant) => {
            let states = invariant.words.states();
            let by = outcome.technique;
            let text = format!("For every size, by {by}: an invariant with {states} states.\n");
            (Word::Holds, text, Vec::new())
        }
        Verdict::Violated(run) => {
            let steps = run.actions.len();
            let actions = run.actions.iter().map(|&at| {
                let action = system.actions.get(at);
                action.map(|action| action.name.clone())
            });
            let actions = std::iter::once(None).chain(actions);
            let lines = run.words.iter().zip(actions).map(|(word, action)| Line {
                action,
                word: system.show(word),
            });
            let text = format!("A bad word is reached in {steps} steps.\n");
            (Word::Violated, text, lines.collect())
        }
        Verdict::Unknown(stop) => (Word::Unknown, why(stop, limit), Vec::new()),
    })
}

fn lives(
    system: &System,
    formula: &live::Live,
    meter: &mut Meter<'_>,
    limit: Duration,
) -> Result<(Word, String, Vec<Line>), String> {
    let outcome = live::check(system, formula, Engine::Auto, meter);
    let outcome = outcome.map_err(|error| format!("internal error: {error}"))?;
    Ok(match outcome.verdict {
        LiveVerdict::Holds(_) => {
            let by = outcome.technique;
            let text = format!("For every size, by {by}: no fair run violates it.\n");
            (Word::Holds, text, Vec::new())
        }
        LiveVerdict::Violated(lasso) => {
            live::check_lasso(system, formula, &lasso)
                .map_err(|error| format!("internal error: {error}"))?;
            let line = |action: Option<&'static str>| {
                move |word: &Vec<Letter>| Line {
                    action: action.map(str::to_owned),
                    word: system.show(word),
                }
            };
            let stem = lasso.stem.iter().map(line(None));
            let turn = lasso.turn.iter().map(line(Some("again and again")));
            let text = "A fair run violates it.\n".to_owned();
            (Word::Violated, text, stem.chain(turn).collect())
        }
        LiveVerdict::Unknown(stop) => (Word::Unknown, why(stop, limit), Vec::new()),
    })
}

fn why(stop: Stop, limit: Duration) -> String {
    match stop {
        Stop::Watch => format!("No answer within {} s.\n", limit.as_secs_f64()),
        other => format!("{other}.\n"),
    }
}

/// A violation at its property, with each step at the rule that takes it.
fn found(text: &Text, name: &str, lines: &[Line], encoding: Encoding) -> Finding {
    let index = lang::index(&text.source);
    let location = |place: Span| {
        let range = text.lines.range(text.source.text(), place, encoding);
        Location::new(text.uri.clone(), range)
    };
    let property = place(&index, SymbolKind::Property, name).unwrap_or_default();
    let steps = lines.iter().enumerate().map(|(number, line)| {
        let action = line.action.as_deref();
        let at = action.and_then(|name| place(&index, SymbolKind::Action, name));
        let message = match action {
            Some(action) => format!("step {number}, {action}: {}", line.word),
            None => format!("step {number}: {}", line.word),
        };
        DiagnosticRelatedInformation {
            location: location(at.unwrap_or(property)),
            message,
        }
    });
    Finding {
        location: location(property),
        steps: steps.collect(),
    }
}

fn place(index: &Index, kind: SymbolKind, name: &str) -> Option<Span> {
    let mut symbols = index.symbols().map(|(_, symbol)| symbol);
    let found = symbols.find(|it| it.kind == kind && it.name == name);
    found.map(|it| it.place)
}
