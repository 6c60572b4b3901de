//! What was found, in words: the same in every report.
//!
//! A report says first what is the case, then what was asked. "Violated: label HIT is unreachable"
//! would have to be read twice.

use recurva_check::{
    About, Answer, Context, Evidence, Ltl, Never, Property, QuestionKind, RunContext, Stack,
    TERMINATION, Verdict,
};
use recurva_evidence::{Lasso, Replayed};
use recurva_model::FailureKind;

use crate::{limit::explain, lines::Lines, trace::show_states, verdict::failing};

/// What was found, with its place, in one line: every report begins with it.
pub fn summary(context: &Context<'_>, answer: &Answer<'_>) -> String {
    let (found, place) = (found(context, answer), place(context, answer));
    let whether = match answer.verdict {
        Verdict::Unknown(_) => "whether ",
        Verdict::Holds | Verdict::Violated => "",
    };
    let mut line = format!("{}: {whether}{found} ({place})", answer.verdict.word());
    if let (true, Some(limit)) = (answer.is_violated(), answer.unfinished) {
        let what = match context.about {
            About::Branching { .. } => "strategy",
            About::Runs(_) | About::System => "trace",
        };
        line += &format!("; its {what} was not finished: {}", explain(limit).0);
    }
    line
}

/// What was found, without the verdict and the place; if that is not known, what may be the case.
pub fn found(context: &Context<'_>, answer: &Answer<'_>) -> String {
    let said = match (&context.about, answer.verdict, &answer.evidence) {
        (About::Runs(run), Verdict::Violated, Some(Evidence::Run(replayed))) => {
            by_run(context, run, replayed)
        }
        (About::System, Verdict::Violated, Some(Evidence::Words(words))) => {
            let [_, fails] = both(context, answer.stack);
            format!("{fails} at size {}", words.size())
        }
        _ => {
            let [holds, fails] = both(context, answer.stack);
            match answer.verdict {
                Verdict::Holds => holds,
                Verdict::Violated | Verdict::Unknown(_) => fails,
            }
        }
    };
    one_line(&said)
}

/// What was asked, if that says more than what was found.
pub(crate) fn asked(context: &Context<'_>, answer: &Answer<'_>) -> Option<String> {
    let name = one_line(&context.name);
    let says_more = answer.is_violated() && !found(context, answer).contains(&name);
    says_more.then_some(name)
}

/// Where it was found: `file:line`, or the file alone.
pub(crate) fn place(context: &Context<'_>, answer: &Answer<'_>) -> String {
    let shown = shown_run(context, answer);
    match &shown {
        Some((run, replayed)) => {
            let lines = Lines::of(run);
            lines.place(failing(run, replayed, &lines).origin)
        }
        None => context.source.name().to_owned(),
    }
}

/// The run that shows a violation, with what it is a run of; for a strategy the run to where the
/// formula fails, if there is one.
pub(crate) fn shown_run<'a>(
    context: &Context<'a>,
    answer: &'a Answer<'_>,
) -> Option<(RunContext<'a>, &'a Replayed<'a>)> {
    match (&context.about, answer.evidence.as_ref()?) {
        (About::Runs(run), Evidence::Run(replayed)) => Some((*run, replayed)),
        (
            About::Branching {
                program: Some(program),
            },
            Evidence::Strategy(refutation),
        ) => {
            let (property, answer) = refutation.run.as_deref()?;
            let run = RunContext::new(context.source, program, property);
            Some((run, answer.run()?))
        }
        _ => None,
    }
}

/// What is said if the property holds, and if it does not.
fn both(context: &Context<'_>, stack: Option<Stack>) -> [String; 2] {
    let name = &context.name;
    match (&context.about, context.kind) {
        (About::Runs(run), kind) => of_runs(run.property, kind, stack),
        (About::Branching { .. }, QuestionKind::Tree) => {
            let rejects = name.replacen(" accepts ", " does not accept ", 1);
            [name.clone(), rejects]
        }
        (About::Branching { .. }, _) => [
            format!("the formula holds: {name}"),
            format!("the formula fails: {name}"),
        ],
        (About::System, _) if context.infinite == Some(true) => [
            format!("every fair run satisfies `{name}`, whatever the size"),
            format!("a fair run violates `{name}`"),
        ],
        (About::System, _) => [
            format!("no bad word of `{name}` can be reached, whatever the size"),
            format!("a bad word of `{name}` can be reached"),
        ],
    }
}

/// Parts of names of properties that are about no kind of failure, and their opposites.
const OPPOSITES: [[&str; 2]; 2] = [
    ["no error label is reached", "an error label is reached"],
    [
        "nothing accepting is reached",
        "something accepting can be reached",
    ],
];

/// All parts of names of properties, and their opposites.
fn known_parts() -> impl Iterator<Item = [&'static str; 2]> {
    let kinds = FailureKind::ALL.into_iter().map(FailureKind::property);
    kinds.chain(OPPOSITES)
}

fn of_runs(property: &Property, kind: QuestionKind, stack: Option<Stack>) -> [String; 2] {
    let name = property.name();
    match property {
        Property::Unreachable { .. } => match label(&name) {
            Some(label) => [
                format!("label {label} cannot be reached"),
                format!("label {label} can be reached"),
            ],
            None => of_nodes(&name, kind),
        },
        Property::Monitor(monitor) => {
            let comes = format!("monitor {} comes to a target state", monitor.name());
            [name, comes]
        }
        Property::Ltl(Ltl { name, .. }) | Property::Caret(Ltl { name, .. }) => {
            let whose = whose(stack);
            match repeated(name) {
                Some(comes) => [name.clone(), comes],
                None if name == TERMINATION => [
                    format!("every run{whose} ends"),
                    format!("a run{whose} does not end"),
                ],
                None => [
                    format!("every infinite run{whose} satisfies {name}"),
                    format!("an infinite run{whose} does not satisfy {name}"),
                ],
            }
        }
        Property::Never(Never { name, .. }) => {
            let whose = whose(stack);
            match name.strip_prefix("no infinite run ") {
                Some(rest) => [
                    format!("no infinite run{whose} {rest}"),
                    format!("an infinite run{whose} {rest}"),
                ],
                None => [name.clone(), repeated(name).unwrap_or_else(|| fails(name))],
            }
        }
    }
}

/// That some nodes are not reached, by its name.
fn of_nodes(name: &str, kind: QuestionKind) -> [String; 2] {
    if let Some(it) = name.strip_suffix(" does not fail") {
        return [name.to_owned(), format!("{it} fails")];
    }
    let mut opposites = Vec::new();
    for part in name.split(", no ").enumerate() {
        let part = match part {
            (0, part) => part.to_owned(),
            (_, part) => format!("no {part}"),
        };
        let found = known_parts().find_map(|[holds, fails]| {
            let rest = part.strip_prefix(holds)?;
            Some(format!("{fails}{rest}"))
        });
        match found {
            Some(opposite) => opposites.push(opposite),
            None if kind == QuestionKind::Pal => {
                return [format!("{name} never fails"), format!("{name} fails")];
            }
            None => return [name.to_owned(), fails(name)],
        }
    }
    [name.to_owned(), opposites.join(" or ")]
}

/// For names that say nothing about their opposite.
fn fails(name: &str) -> String {
    format!("this fails: {name}")
}

/// The label of "label L is unreachable".
fn label(name: &str) -> Option<&str> {
    name.strip_prefix("label ")?.strip_suffix(" is unreachable")
}

/// The opposite of "it does not come again and again".
fn repeated(name: &str) -> Option<String> {
    let again = name.strip_suffix(" again and again")?;
    let known = [(" does not come", " comes"), (" is not in", " is in")];
    let mut found = known.into_iter();
    let (holds, fails) = found.find(|(holds, _)| again.contains(holds))?;
    Some(format!(
        "{} again and again",
        again.replacen(holds, fails, 1)
    ))
}

/// Which runs were asked about, if not all.
fn whose(stack: Option<Stack>) -> &'static str {
    match stack {
        None | Some(Stack::Any) => "",
        Some(Stack::Finite) => " whose stack stays finite",
        Some(Stack::Diverging) => " whose stack grows for ever",
    }
}

/// What a run shows.
fn by_run(context: &Context<'_>, run: &RunContext<'_>, replayed: &Replayed<'_>) -> String {
    let name = &context.name;
    match (run.property, replayed.lasso()) {
        (Property::Monitor(monitor), _) => {
            let states = target_states(monitor, replayed);
            format!(
                "monitor {} comes to its target state `{states}`",
                monitor.name()
            )
        }
        (Property::Ltl(Ltl { name, .. }) | Property::Caret(Ltl { name, .. }), Some(lasso)) => {
            if name == TERMINATION {
                return match lasso.frames() {
                    0 => "a run does not end: a loop goes on for ever",
                    _ => "a run does not end: a recursion goes on for ever, and the stack grows",
                }
                .to_owned();
            }
            let runs = the_run(lasso);
            repeated(name).unwrap_or_else(|| format!("{runs} does not satisfy {name}"))
        }
        (Property::Never(Never { name, .. }), Some(lasso)) => {
            match name.strip_prefix("no infinite run ") {
                Some(rest) => format!("{} {rest}", the_run(lasso)),
                None => repeated(name).unwrap_or_else(|| fails(name)),
            }
        }
        _ => match label(name) {
            Some(label) => format!("label {label} can be reached"),
            None => at_node(run, replayed),
        },
    }
}

/// The target states that a monitor is in at the end of a run.
pub(crate) fn target_states(monitor: &recurva_model::Monitor, replayed: &Replayed<'_>) -> String {
    let states = replayed.end_states().unwrap_or_default().iter();
    let is_target = |state: &&u32| monitor.states()[**state as usize].target;
    let targets: Vec<u32> = states.filter(is_target).copied().collect();
    show_states(monitor, &targets)
}

fn the_run(lasso: &Lasso) -> &'static str {
    match (lasso.length(), lasso.frames()) {
        (0, _) => "a run that ends and stays in its last state",
        (_, 0) => "an infinite run whose stack stays finite",
        _ => "an infinite run whose stack grows for ever",
    }
}

/// Whether the words of a violation leave open what the run that shows it is like; then that.
pub(crate) fn kind_of_run(run: &RunContext<'_>, replayed: &Replayed<'_>) -> Option<String> {
    let lasso = replayed.lasso()?;
    let name = match run.property {
        Property::Ltl(Ltl { name, .. })
        | Property::Caret(Ltl { name, .. })
        | Property::Never(Never { name, .. }) => name,
        Property::Unreachable { .. } | Property::Monitor(_) => return None,
    };
    repeated(name)?;
    Some(format!("It is {} that shows it.", the_run(lasso)))
}

/// What is wrong with the node that a run ends in.
fn at_node(run: &RunContext<'_>, replayed: &Replayed<'_>) -> String {
    let point = replayed.end().top().point();
    let program = run.program;
    let labels = || program.labels().iter().filter(|label| label.point == point);
    let is_failure = program.failures().iter().any(|it| it.point == point);
    let is_named = |name: &str| labels().any(|label| *label.name == *name);
    if is_failure {
        return failing(run, replayed, &Lines::of(run)).what;
    }
    if is_named("accept")
        && let Some(vertex) = labels().find(|label| &*label.name != "accept")
    {
        return format!("accepting `{}` can be reached", vertex.name);
    }
    let errors = ["ERROR", "SLIC_ERROR"];
    let error = errors.into_iter().find(|name| is_named(name));
    let first = error.or_else(|| labels().next().map(|label| &*label.name));
    match first {
        Some(name) => format!("label {name} can be reached"),
        None => "a node that must not be reached can be reached".to_owned(),
    }
}

/// A text without line breaks.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
