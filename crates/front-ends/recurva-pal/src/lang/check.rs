//! What is wrong, or strange, with a monitor that could be read.

use recurva_syntax::{Diagnostic, Diagnostics, Source, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    ast::{
        Arguments, Decl, Event, Fragment, Hole, Monitor, Name, Operand, OperandKind, Part,
        PatternKind,
    },
    token::{CTokens, Kind},
};

/// Reports what is wrong with a monitor, and warns of what may not mean what it seems to.
pub(super) fn check(source: &Source, monitor: &Monitor, diagnostics: &mut Diagnostics) {
    let globals = declared(&monitor.globals, diagnostics);
    let mut names: FxHashMap<&str, Span> = FxHashMap::default();
    for event in &monitor.events {
        if let Some(name) = &event.name
            && let Some(first) = names.insert(&name.text, name.span)
        {
            diagnostics.report(|| {
                let message = format!("there are two events called `{}`", name.text);
                Diagnostic::error(message, name.span).note(first, "the first one")
            });
        }
        let locals = declared(&event.locals, diagnostics);
        for (name, place) in &locals {
            if let Some(&global) = globals.get(name) {
                diagnostics.warn(|| {
                    let message = format!("`{name}` hides a global variable of the monitor");
                    Diagnostic::warning(message, *place).note(global, "this one")
                });
            }
        }
        holes(event, diagnostics);
        jumps(source, event, diagnostics);
        assigning_guards(source, event, diagnostics);
        // What a header defines may use any name.
        if monitor.includes.is_empty() {
            unused(&event.locals, fragments_of(event), diagnostics);
        }
    }
    if monitor.includes.is_empty() {
        let all = monitor.events.iter().flat_map(fragments_of);
        unused(&monitor.globals, all, diagnostics);
    }
    shadowed(monitor, diagnostics);
}

/// The variables of some declarations. One that is declared twice is reported.
fn declared<'m>(decls: &'m [Decl], diagnostics: &mut Diagnostics) -> FxHashMap<&'m str, Span> {
    let mut names: FxHashMap<&str, Span> = FxHashMap::default();
    for Name { text, span } in names_of(decls) {
        if let Some(first) = names.insert(text, *span) {
            diagnostics.report(|| {
                Diagnostic::error(format!("there are two variables called `{text}`"), *span)
                    .note(first, "the first one")
            });
        }
    }
    names
}

fn names_of(decls: &[Decl]) -> impl Iterator<Item = &Name> {
    let variables = decls.iter().flat_map(|decl| &decl.variables);
    variables.map(|variable| &variable.name)
}

/// All C of an event in which variables can be used.
fn fragments_of(event: &Event) -> impl Iterator<Item = &Fragment> {
    let locals = event.locals.iter().flat_map(|decl| &decl.variables);
    let values = locals.filter_map(|variable| variable.initialiser.as_ref());
    let operands = event.pattern.operands().filter_map(|it| match &it.kind {
        OperandKind::Expr(fragment) => Some(fragment),
        OperandKind::Any | OperandKind::Bind(_) => None,
    });
    let parts = event.before.fragments().chain(event.after.fragments());
    parts.chain(values).chain(operands)
}

fn unused<'m>(
    decls: &[Decl],
    fragments: impl Iterator<Item = &'m Fragment>,
    diagnostics: &mut Diagnostics,
) {
    if decls.is_empty() {
        return;
    }
    let used: FxHashSet<&str> = fragments.flat_map(Fragment::names).map(|it| it.0).collect();
    for Name { text, span } in names_of(decls) {
        if !used.contains(&**text) {
            diagnostics.warn(|| Diagnostic::warning(format!("`{text}` is never used"), *span));
        }
    }
}

/// Pattern variables must be bound, and a target has its new value only afterwards.
fn holes(event: &Event, diagnostics: &mut Diagnostics) {
    let bound: FxHashSet<u32> = event.pattern.operands().flat_map(Operand::binds).collect();
    let target = event.pattern.target.as_ref();
    let target = target.and_then(|target| match target.kind {
        OperandKind::Bind(number) => Some((number, target.span)),
        _ => None,
    });
    let rest = event.pattern.operands();
    let rest = rest.skip(usize::from(event.pattern.target.is_some()));
    let elsewhere: FxHashSet<u32> = rest.flat_map(Operand::binds).collect();
    let locals = event.locals.iter().flat_map(|decl| &decl.variables);
    let values = locals.filter_map(|variable| variable.initialiser.as_ref());
    let before = event.before.fragments().chain(values);
    let all = before.map(|it| (it, true));
    for (fragment, early) in all.chain(event.after.fragments().map(|it| (it, false))) {
        for (hole, place) in fragment.holes() {
            let Hole::Variable(number) = hole else {
                diagnostics.report(|| {
                    Diagnostic::error("`$?` has no value", place)
                        .note(event.pattern.span, "this is the pattern")
                        .help("name it in the pattern: `$1`")
                });
                continue;
            };
            if !bound.contains(&number) {
                diagnostics.report(|| {
                    let message = format!("`${number}` is not in the pattern");
                    let help = match bound.iter().min() {
                        Some(_) => format!("the pattern has {}", listed(&bound)),
                        None => "the pattern has no variables".to_owned(),
                    };
                    Diagnostic::error(message, place)
                        .note(event.pattern.span, "this is the pattern")
                        .help(help)
                });
            } else if let Some((_, target)) = target.filter(|it| it.0 == number)
                && early
                && !elsewhere.contains(&number)
            {
                diagnostics.warn(|| {
                    let message = format!("`${number}` has its old value here");
                    Diagnostic::warning(message, place)
                        .label("this is run before the assignment")
                        .note(target, "here it is assigned to")
                        .help("to use what was assigned, write it in `after { … }`")
                });
            }
        }
    }
}

fn listed(numbers: &FxHashSet<u32>) -> String {
    let mut numbers: Vec<u32> = numbers.iter().copied().collect();
    numbers.sort_unstable();
    let names: Vec<String> = numbers.iter().map(|it| format!("`${it}`")).collect();
    names.join(", ")
}

fn parts(event: &Event) -> [&Part; 2] {
    [&event.before, &event.after]
}

/// The tokens of a fragment, which was read before.
fn tokens(source: &Source, fragment: &Fragment) -> Vec<(Kind, Span)> {
    use recurva_syntax::Lexer;
    let mut lexer = CTokens::new(source, fragment.span);
    let mut ignored = Diagnostics::default();
    let tokens = std::iter::from_fn(|| {
        let token = lexer.next_token(&mut ignored);
        (token.kind != Kind::End).then_some((token.kind, token.span))
    });
    tokens.collect()
}

/// An action may not leave the function that it was put into.
fn jumps(source: &Source, event: &Event, diagnostics: &mut Diagnostics) {
    for action in parts(event).into_iter().filter_map(|it| it.action.as_ref()) {
        let words = tokens(source, action).into_iter();
        let words = words.filter(|&(kind, _)| kind == Kind::Word);
        let words: Vec<(&str, Span)> = words.map(|(_, it)| (source.slice(it), it)).collect();
        let has = |list: &[&str]| words.iter().any(|(word, _)| list.contains(word));
        for &(word, place) in &words {
            let leaves = match word {
                "return" | "goto" => true,
                "break" => !has(&["for", "while", "switch"]),
                "continue" => !has(&["for", "while"]),
                _ => false,
            };
            if leaves {
                diagnostics.report(|| {
                    let message = format!("`{word}` would leave the action");
                    Diagnostic::error(message, place)
                        .help("an action is run in the midst of the program, which has to go on")
                });
            }
        }
    }
}

/// `guard { x = 0 }` is surely a slip, and a guard is no statement.
fn assigning_guards(source: &Source, event: &Event, diagnostics: &mut Diagnostics) {
    for guard in parts(event).into_iter().filter_map(|it| it.guard.as_ref()) {
        let mut depth = 0_usize;
        for (kind, place) in tokens(source, guard) {
            match kind {
                Kind::Open(_) => depth += 1,
                Kind::Close(_) => depth = depth.saturating_sub(1),
                Kind::Assign => diagnostics.warn(|| {
                    Diagnostic::warning("this guard changes a variable", place)
                        .help("values are compared with `==`")
                }),
                Kind::Semicolon if depth == 0 => diagnostics.report(|| {
                    Diagnostic::error("a guard is an expression", place)
                        .help("leave out the `;`; statements go into `action { … }`")
                }),
                _ => {}
            }
        }
    }
}

/// Warns of events that an earlier one leaves nothing to.
fn shadowed(monitor: &Monitor, diagnostics: &mut Diagnostics) {
    let mut whole: FxHashMap<&str, &Event> = FxHashMap::default();
    for event in &monitor.events {
        let PatternKind::Call { callee, arguments } = &event.pattern.kind else {
            continue;
        };
        if let Some(first) = whole.get(&*callee.text) {
            diagnostics.warn(|| {
                let message = format!("{} never applies", event.title());
                Diagnostic::warning(message, event.pattern.span)
                    .note(first.pattern.span, "this matches every such call before it")
                    .help("of the events that match, the first one counts")
            });
        }
        let target = event.pattern.target.as_ref();
        let any_target = target.is_none_or(|target| target.kind == OperandKind::Any);
        if any_target && *arguments == Arguments::Any {
            whole.entry(&callee.text).or_insert(event);
        }
    }
}
