//! Reads the never claims that SPIN and this crate write, and says which words they accept.
//! Written for tests, with a code path of its own: conditions are evaluated as text.

use std::collections::HashMap;

use recurva_logic::ltl::Letter;

/// A never claim: states with their conditions and targets.
#[derive(Debug)]
pub(crate) struct Claim {
    pub(crate) states: Vec<State>,
}

#[derive(Debug)]
pub(crate) struct State {
    accepting: bool,
    /// Condition and target.
    moves: Vec<(String, usize)>,
}

impl Claim {
    pub(crate) fn read(text: &str) -> Claim {
        let mut names: HashMap<String, usize> = HashMap::new();
        let mut raw: Vec<(bool, Vec<(String, String)>)> = Vec::new();
        let mut pending: Vec<String> = Vec::new();
        for line in text.lines() {
            let line = line.split("/*").next().unwrap_or_default().trim();
            if let Some(name) = line.strip_suffix(':').filter(|l| !l.starts_with("::")) {
                pending.push(name.to_owned());
                continue;
            }
            if line.is_empty() || line.starts_with("never") || line == "}" {
                continue;
            }
            if !pending.is_empty() {
                let accepting = pending.iter().any(|name| name.starts_with("accept"));
                for name in pending.drain(..) {
                    names.insert(name, raw.len());
                }
                raw.push((accepting, Vec::new()));
            }
            let last = raw.len() - 1;
            let here = &mut raw[last];
            if line == "skip" {
                let this = names.iter().find(|(_, index)| **index == last);
                let name = this.map(|(name, _)| name.clone()).expect("a label");
                here.1.push(("(1)".to_owned(), name));
            } else if let Some(rest) = line.strip_prefix("::") {
                // `atomic { (c) -> assert(!(c)) }` ends the claim: whatever follows is accepted.
                let rest = rest.trim();
                if rest == "false" {
                    continue;
                }
                let end = rest.strip_prefix("atomic {");
                let (condition, target) = match end.and_then(|end| end.split_once("-> assert")) {
                    Some((condition, _)) => (condition, "accept_all"),
                    None => rest
                        .split_once("-> goto")
                        .unwrap_or_else(|| panic!("a move was expected:\n{text}")),
                };
                here.1
                    .push((condition.trim().to_owned(), target.trim().to_owned()));
            } else {
                assert!(
                    matches!(line, "if" | "fi;" | "do" | "od;" | "false;"),
                    "unknown line {line}"
                );
            }
        }
        let states = raw.into_iter().map(|(accepting, moves)| State {
            accepting,
            moves: moves
                .into_iter()
                .map(|(condition, target)| (condition, names[&target]))
                .collect(),
        });
        Claim {
            states: states.collect(),
        }
    }

    pub(crate) fn accepts(&self, atoms: &[Box<str>], stem: &[Letter], cycle: &[Letter]) -> bool {
        let length = stem.len() + cycle.len();
        let letter = |at: usize| *stem.get(at).unwrap_or_else(|| &cycle[at - stem.len()]);
        let next = |at: usize| if at + 1 < length { at + 1 } else { stem.len() };
        let successors = |(state, at): (usize, usize)| -> Vec<(usize, usize)> {
            let moves = self.states[state].moves.iter();
            moves
                .filter(|(condition, _)| holds(condition, atoms, letter(at)))
                .map(|&(_, target)| (target, next(at)))
                .collect()
        };
        let reach = |from: Vec<(usize, usize)>| {
            let mut seen = from;
            let mut done = 0;
            while let Some(&node) = seen.get(done) {
                done += 1;
                for node in successors(node) {
                    if !seen.contains(&node) {
                        seen.push(node);
                    }
                }
            }
            seen
        };
        let reached = reach(vec![(0, 0)]);
        reached
            .iter()
            .filter(|(state, _)| self.states[*state].accepting)
            .any(|&node| reach(successors(node)).contains(&node))
    }
}

/// Whether a condition of `!`, `&&`, `||`, parentheses, names and `1` holds on a letter.
fn holds(condition: &str, atoms: &[Box<str>], letter: Letter) -> bool {
    let mut tokens: Vec<&str> = Vec::new();
    let mut rest = condition.trim_start();
    while !rest.is_empty() {
        let length = match rest.as_bytes()[0] {
            b'&' | b'|' => 2,
            b'(' | b')' | b'!' => 1,
            _ => rest
                .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                .unwrap_or(rest.len()),
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    let mut at = 0;
    let value = disjunction(&tokens, &mut at, atoms, letter);
    assert_eq!(at, tokens.len(), "{condition}");
    value
}

fn disjunction(tokens: &[&str], at: &mut usize, atoms: &[Box<str>], letter: Letter) -> bool {
    let mut value = conjunction(tokens, at, atoms, letter);
    while tokens.get(*at) == Some(&"||") {
        *at += 1;
        value |= conjunction(tokens, at, atoms, letter);
    }
    value
}

fn conjunction(tokens: &[&str], at: &mut usize, atoms: &[Box<str>], letter: Letter) -> bool {
    let mut value = operand(tokens, at, atoms, letter);
    while tokens.get(*at) == Some(&"&&") {
        *at += 1;
        value &= operand(tokens, at, atoms, letter);
    }
    value
}

fn operand(tokens: &[&str], at: &mut usize, atoms: &[Box<str>], letter: Letter) -> bool {
    let token = tokens[*at];
    *at += 1;
    match token {
        "!" => !operand(tokens, at, atoms, letter),
        "(" => {
            let value = disjunction(tokens, at, atoms, letter);
            *at += 1;
            value
        }
        "1" | "true" => true,
        "0" | "false" => false,
        name => {
            let atom = atoms.iter().position(|atom| **atom == *name);
            letter >> atom.expect("a known atom") & 1 == 1
        }
    }
}
