//! Random graphs and grammars, and a membership test that shares no code with the crate.

#![allow(dead_code, reason = "each test uses a part")]

use std::collections::{BTreeMap, BTreeSet};

use recurva_reach::{Edge, Grammar, Graph, NO_INDEX, Notation, Options, Solution, carry_on, solve};
use recurva_syntax::{Diagnostics, Source, Style};
use recurva_testkit::rng::Rng;

pub(crate) fn grammar(text: &str) -> Grammar {
    let source = Source::new("random.ebnf", text).unwrap();
    let parsed = Grammar::read(&source, Notation::Ebnf);
    let problems = parsed.diagnostics.render(&source, Style::Plain);
    parsed
        .grammar
        .unwrap_or_else(|| panic!("{text}\n{problems}"))
}

pub(crate) fn solved(graph: &Graph, grammar: &Grammar, options: &Options) -> Option<Solution> {
    let diagnostics = &mut Diagnostics::default();
    solve(graph, grammar, options, diagnostics, &mut carry_on).ok()
}

pub(crate) fn pairs(solution: &Solution) -> BTreeSet<(u32, u32)> {
    let mut pairs = BTreeSet::new();
    let give = |from: u32, list: &[u32]| -> Result<(), ()> {
        pairs.extend(list.iter().map(|&to| (from, to)));
        Ok(())
    };
    assert_eq!(solution.rows(give, &mut carry_on), Ok(Ok(())));
    pairs
}

/// Labels of all random graphs: two plain ones, two pairs of indexed ones.
pub(crate) const LABELS: [&str; 6] = ["a", "b", "x_i", "y_i", "p_i", "q_i"];

pub(crate) fn random_graph(rng: &mut Rng) -> Graph {
    let nodes = 1 + rng.below(9) as u32;
    let edges = rng.below(22);
    let kinds = 1 + rng.below(LABELS.len());
    let edges = (0..edges).map(|_| {
        let label = rng.below(kinds) as u32;
        Edge {
            from: rng.below(nodes as usize) as u32,
            to: rng.below(nodes as usize) as u32,
            label,
            index: if label < 2 {
                NO_INDEX
            } else {
                rng.below(3) as u32
            },
        }
    });
    let edges = edges.collect();
    Graph::new(nodes, &LABELS, edges).unwrap()
}

/// Grammars as programs have them, with variations, and grammars without any sense.
pub(crate) fn random_grammar(rng: &mut Rng) -> String {
    const SHAPES: [&str; 16] = [
        "S = (a | x_i S y_i)*;",
        "S = S S | C_i y_i | a | ; C_i = x_i S;",
        "S = a S b | a b;",
        "S = (x_i S ^x_i)*;",
        "S = (x_i S ^x_i | p_i S ^p_i | a | ^a)*;",
        "R = (A | x_i)*; A = (a | x_i A y_i)*;",
        "V = B V | V A | F_i y_i | M | ; M = D b; D = ^b V; F_i = ^y_i V; A = A A | a M | a | ; B = B B | M ^a | ^a | ;",
        "S = a X; X = S b | b;",
        "S = (a | b)+ ^a?;",
        "S = S a S b | ;",
        "S = x_i (a S | b)? y_i | p_i S q_i | a;",
        "S = a S a | b S b | ;",
        "S = A B; A = a A b | a b; B = x_i B y_i | b*;",
        "S = T a T; T = x_i T T y_i | b | ;",
        "S = N_i y_i | a S; N_i = x_i a | N_i b;",
        "S = x_i T_i; T_i = a T_i | S T_i | y_i;",
    ];
    if rng.chance(60) {
        return SHAPES[rng.below(SHAPES.len())].to_owned();
    }
    let names = ["S", "T", "U"];
    let count = 1 + rng.below(3);
    let mut text = String::new();
    for name in &names[..count] {
        text.push_str(&format!("{name} = "));
        for alternative in 0..1 + rng.below(3) {
            if alternative > 0 {
                text.push_str(" | ");
            }
            for _ in 0..rng.below(4) {
                let part = match rng.below(12) {
                    0 => "a".to_owned(),
                    1 => "b".to_owned(),
                    2 => "^a".to_owned(),
                    3 => "a*".to_owned(),
                    4 => "(a | b)?".to_owned(),
                    5 => format!("(x_i {} y_i)", names[rng.below(count)]),
                    6 => format!("(p_i {}? q_i)*", names[rng.below(count)]),
                    7 => "(x_i | b)+".to_owned(),
                    _ => names[rng.below(count)].to_owned(),
                };
                text.push_str(&part);
                text.push(' ');
            }
        }
        // Something to end with, or the symbol may be empty.
        text.push_str(if rng.chance(50) { " | a;\n" } else { " | ;\n" });
    }
    text
}

/// Grammars of plain rules, for those who read them themselves.
pub(crate) const PLAIN: [&str; 9] = [
    "S = S S | C_i y_i | a | ; C_i = x_i S;",
    "S = a S b | a b;",
    "S = S S | x_i S ^x_i | a | ;",
    "R = R A | R x_i | ; A = A A | x_i A y_i | a | ;",
    "V = B V | V A | F_i y_i | M | ; M = D b; D = ^b V; F_i = ^y_i V; A = A A | a M | a | ; B = B B | M ^a | ^a | ;",
    "S = a X; X = S b | b;",
    "S = S a S b | ;",
    "S = a S a | b S b | ;",
    "S = T a T; T = x_i T T y_i | b | ;",
];

/// The rules of a grammar without groups and repetitions.
pub(crate) fn rules(text: &str) -> Rules {
    let mut rules = Rules::new();
    for rule in text
        .split(';')
        .map(str::trim)
        .filter(|rule| !rule.is_empty())
    {
        let (left, right) = rule.split_once('=').unwrap();
        let words = |it: &str| it.split_whitespace().map(str::to_owned).collect();
        let right: Vec<Vec<String>> = right.split('|').map(words).collect();
        rules
            .entry(left.trim().to_owned())
            .or_default()
            .extend(right);
    }
    rules
}

/// A rule: a symbol, and what it can be replaced by.
pub(crate) type Rules = BTreeMap<String, Vec<Vec<String>>>;

/// Whether a word can be derived, by trying all ways to cut it, for grammars of plain rules. A
/// letter with an index matches a rule's `x_i` for one index in the whole rule.
pub(crate) fn derives(rules: &Rules, start: &str, word: &[String]) -> bool {
    // (symbol, index, from, to) until nothing new comes.
    let mut facts: BTreeSet<(String, Option<u32>, usize, usize)> = BTreeSet::new();
    loop {
        let before = facts.len();
        for (left, alternatives) in rules {
            for right in alternatives {
                for from in 0..=word.len() {
                    let mut open = vec![(from, None::<u32>)];
                    for symbol in right {
                        let mut next = Vec::new();
                        for &(at, index) in &open {
                            step(rules, symbol, word, at, index, &facts, &mut next);
                        }
                        next.sort_unstable();
                        next.dedup();
                        open = next;
                    }
                    for (to, index) in open {
                        let index = index.filter(|_| left.ends_with("_i"));
                        facts.insert((left.clone(), index, from, to));
                    }
                }
            }
        }
        if facts.len() == before {
            return facts.contains(&(start.to_owned(), None, 0, word.len()));
        }
    }
}

fn step(
    rules: &Rules,
    symbol: &str,
    word: &[String],
    at: usize,
    index: Option<u32>,
    facts: &BTreeSet<(String, Option<u32>, usize, usize)>,
    next: &mut Vec<(usize, Option<u32>)>,
) {
    let agree = |other: Option<u32>| match (index, other) {
        (Some(one), Some(other)) if one != other => None,
        (one, other) => Some(one.or(other)),
    };
    if rules.contains_key(symbol) {
        for (_, own, _, to) in facts.iter().filter(|it| it.0 == symbol && it.2 == at) {
            if let Some(index) = agree(*own) {
                next.push((*to, index));
            }
        }
    } else if let Some(letter) = word.get(at) {
        match symbol.strip_suffix("_i") {
            Some(base) => {
                let own = letter
                    .strip_prefix(base)
                    .and_then(|rest| rest.strip_prefix('_'));
                let own = own.and_then(|own| own.parse().ok());
                if let Some(own) = own
                    && let Some(index) = agree(Some(own))
                {
                    next.push((at + 1, index));
                }
            }
            None if symbol == letter => next.push((at + 1, index)),
            None => {}
        }
    }
}
