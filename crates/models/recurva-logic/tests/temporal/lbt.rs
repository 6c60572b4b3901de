//! Reads the automata that `lbt` writes, and says which words they accept. For tests only.

use recurva_logic::automaton::{Cube, Edge, Label, Tgba};

/// Whether it is initial, its marks, and its edges with the names of their targets.
type State = (bool, u32, Vec<(Label, i64)>);

/// Reads an automaton in LBT's format: marks are on states, conditions are in prefix form and
/// name atoms `p0`, `p1`, ….
pub(crate) fn read(text: &str, atoms: &[Box<str>]) -> Tgba {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = numbers(lines.next().expect("a first line"));
    let (count, sets) = (first[0] as usize, first[1] as u32);
    if count == 0 {
        return Tgba::new(atoms, 0, 0, vec![Vec::new()]).expect("parts that fit");
    }
    let mut names: Vec<i64> = Vec::new();
    let mut states: Vec<State> = Vec::new();
    for _ in 0..count {
        let head = numbers(lines.next().expect("a state"));
        names.push(head[0]);
        let marks = head[2..].iter().take_while(|&&n| n >= 0);
        let marks = marks.fold(0, |all, &n| all | 1 << n);
        let mut edges = Vec::new();
        for line in lines.by_ref() {
            if line == "-1" {
                break;
            }
            let (target, condition) = line.split_once(' ').expect("an edge");
            let mut words: Vec<&str> = condition.split_whitespace().rev().collect();
            let cubes = cubes(&mut words, false);
            edges.push((Label::new(cubes), target.parse().expect("a number")));
        }
        states.push((head[1] == 1, marks, edges));
    }
    let place = |name: i64| names.iter().position(|&n| n == name).expect("a state") as u32;
    let initial = states
        .iter()
        .position(|state| state.0)
        .expect("an initial state");
    let edges = states.iter().map(|(_, marks, edges)| {
        let edges = edges.iter().map(|(label, target)| Edge {
            target: place(*target),
            marks: *marks,
            label: label.clone(),
        });
        edges.collect()
    });
    Tgba::new(atoms, initial as u32, sets, edges.collect()).expect("parts that fit")
}

fn numbers(line: &str) -> Vec<i64> {
    let words = line.split_whitespace();
    words.map(|word| word.parse().expect("a number")).collect()
}

/// The cubes of a condition or of its negation.
fn cubes(words: &mut Vec<&str>, negated: bool) -> Vec<Cube> {
    let word = words.pop().expect("a condition");
    match (word, negated) {
        ("t", false) | ("f", true) => vec![Cube::default()],
        ("t", true) | ("f", false) => Vec::new(),
        ("!", _) => cubes(words, !negated),
        ("&", false) | ("|", true) => {
            let (a, b) = (cubes(words, negated), cubes(words, negated));
            let both = a.iter().flat_map(|x| {
                b.iter().map(|y| Cube {
                    positive: x.positive | y.positive,
                    negative: x.negative | y.negative,
                })
            });
            both.filter(|cube| cube.positive & cube.negative == 0)
                .collect()
        }
        ("|", false) | ("&", true) => {
            let mut all = cubes(words, negated);
            all.extend(cubes(words, negated));
            all
        }
        (atom, _) => {
            let number: u32 = atom[1..].parse().expect("p and a number");
            let (positive, negative) = if negated {
                (0, 1 << number)
            } else {
                (1 << number, 0)
            };
            vec![Cube { positive, negative }]
        }
    }
}
