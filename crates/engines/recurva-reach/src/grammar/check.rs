//! What a grammar has to be, and what is odd about it.

use recurva_syntax::{Diagnostic, Diagnostics, Source};

use super::{Draft, Grammar, Symbol};

/// The grammar, if nothing is wrong with it. Rules that no word comes from, or that the start
/// symbol does not lead to, are left out with a warning.
pub(super) fn check(
    draft: Draft,
    source: &Source,
    diagnostics: &mut Diagnostics,
) -> Option<Grammar> {
    let (start, start_span) = draft.start?;
    if !draft.symbols[start as usize].has_rules {
        diagnostics.report(|| {
            let name = source.slice(start_span);
            Diagnostic::error(format!("the start symbol `{name}` has no rule"), start_span)
        });
    }
    if draft.symbols[start as usize].indexed {
        diagnostics.report(|| {
            Diagnostic::error("the start symbol cannot have an index", start_span)
                .help("add a rule `S = X_i;` and start with `S`")
        });
    }
    indices(&draft, diagnostics);
    backwards(&draft, diagnostics);
    if diagnostics.has_errors() {
        return None;
    }
    let productive = productive(&draft);
    if !productive[start as usize] {
        diagnostics.report(|| {
            Diagnostic::error("no word can be derived from the start symbol", start_span)
                .help("every rule leads back to a symbol that never ends")
        });
        return None;
    }
    let reachable = reachable(&draft, &productive, start);
    for (symbol, info) in draft.symbols.iter().enumerate() {
        if info.hidden || !info.has_rules {
            continue;
        }
        if !productive[symbol] {
            diagnostics.warn(|| {
                let text = format!("no word can be derived from `{}`", info.name);
                Diagnostic::warning(text, info.span).label("its rules are ignored")
            });
        } else if !reachable[symbol] {
            diagnostics.warn(|| {
                let text = format!("the start symbol does not lead to `{}`", info.name);
                Diagnostic::warning(text, info.span).label("its rules are ignored")
            });
        }
    }
    let mut rules = draft.rules;
    rules.retain(|rule| {
        let all = rule.right.iter().all(|&symbol| productive[symbol as usize]);
        all && reachable[rule.left as usize]
    });
    Some(Grammar {
        symbols: draft.symbols,
        rules,
        start,
    })
}

/// An index on the left comes from the right.
fn indices(draft: &Draft, diagnostics: &mut Diagnostics) {
    let indexed = |symbol: Symbol| draft.symbols[symbol as usize].indexed;
    for rule in &draft.rules {
        if indexed(rule.left) && !rule.right.iter().any(|&symbol| indexed(symbol)) {
            diagnostics.report(|| {
                let name = &draft.symbols[rule.left as usize].name;
                Diagnostic::error(
                    format!("nothing says what the index of `{name}` is"),
                    rule.span,
                )
                .label("no symbol on the right side ends in `_i`")
            });
        }
    }
}

/// Only labels can be walked backwards.
fn backwards(draft: &Draft, diagnostics: &mut Diagnostics) {
    for info in draft.symbols.iter().filter(|info| info.reversed) {
        let same = |other: &&super::Info| other.name == info.name && other.has_rules;
        if let Some(rule) = draft.symbols.iter().find(same) {
            diagnostics.report(|| {
                Diagnostic::error(format!("`{}` is no label", info.name), info.span)
                    .label("only labels of edges can be walked backwards")
                    .note(rule.span, "it has a rule")
            });
        }
    }
}

/// The symbols from which words can be derived.
fn productive(draft: &Draft) -> Vec<bool> {
    let mut productive: Vec<bool> = draft.symbols.iter().map(|info| !info.has_rules).collect();
    // For each rule, how many places on the right are still without a word.
    let mut missing: Vec<usize> = Vec::with_capacity(draft.rules.len());
    let mut uses: Vec<Vec<u32>> = vec![Vec::new(); draft.symbols.len()];
    let mut found = Vec::new();
    for (number, rule) in draft.rules.iter().enumerate() {
        let open = rule.right.iter().filter(|&&s| !productive[s as usize]);
        let mut count = 0;
        for &symbol in open {
            uses[symbol as usize].push(number as u32);
            count += 1;
        }
        missing.push(count);
        if count == 0 {
            found.push(rule.left);
        }
    }
    while let Some(symbol) = found.pop() {
        if std::mem::replace(&mut productive[symbol as usize], true) {
            continue;
        }
        for &rule in &uses[symbol as usize] {
            missing[rule as usize] -= 1;
            if missing[rule as usize] == 0 {
                found.push(draft.rules[rule as usize].left);
            }
        }
    }
    productive
}

/// The symbols that the start symbol leads to.
fn reachable(draft: &Draft, productive: &[bool], start: Symbol) -> Vec<bool> {
    let mut rules: Vec<Vec<u32>> = vec![Vec::new(); draft.symbols.len()];
    for (number, rule) in draft.rules.iter().enumerate() {
        if rule.right.iter().all(|&symbol| productive[symbol as usize]) {
            rules[rule.left as usize].push(number as u32);
        }
    }
    let mut reachable = vec![false; draft.symbols.len()];
    let mut open = vec![start];
    while let Some(symbol) = open.pop() {
        if std::mem::replace(&mut reachable[symbol as usize], true) {
            continue;
        }
        for &rule in &rules[symbol as usize] {
            open.extend(&draft.rules[rule as usize].right);
        }
    }
    reachable
}
