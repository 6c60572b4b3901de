//! Guarded commands, channels and counters against what they say, word by word.

mod support;

use recurva_regular::{Letter, lang, system::System, zip};
use recurva_syntax::{Source, Style};
use recurva_testkit::rng::Rng;
use support::words;

fn read(text: &str) -> System {
    let source = Source::new("test.rmc", text).expect("it is short");
    let parsed = lang::parse(&source);
    parsed
        .value
        .unwrap_or_else(|| panic!("{}", parsed.diagnostics.render(&source, Style::Plain)))
}

/// A rule as data: sets are lists of values of the only variable.
#[derive(Debug, Default)]
struct Rule {
    when: Vec<u32>,
    to: Option<u32>,
    /// Side (0 left, 1 right, 2 others), all or some, and the set.
    tests: Vec<(usize, bool, Vec<u32>)>,
    /// Side of the neighbour, its set, its new value.
    neighbours: [Option<(Vec<u32>, Option<u32>)>; 2],
    broadcast: Option<(usize, Vec<u32>, u32)>,
}

const SIDES: [&str; 3] = ["left", "right", "others"];

fn shown(set: &[u32]) -> String {
    match set {
        [] => "false".to_owned(),
        _ => set
            .iter()
            .map(|v| format!("v{v}"))
            .collect::<Vec<_>>()
            .join(" | "),
    }
}

impl Rule {
    fn random(rng: &mut Rng) -> Rule {
        let set = |rng: &mut Rng| -> Vec<u32> { (0..3).filter(|_| rng.chance(60)).collect() };
        let mut rule = Rule {
            when: set(rng),
            to: rng.chance(80).then(|| rng.below(3) as u32),
            ..Rule::default()
        };
        for _ in 0..rng.below(3) {
            rule.tests.push((rng.below(3), rng.chance(50), set(rng)));
        }
        for side in 0..2 {
            if rng.chance(30) {
                let to = rng.chance(60).then(|| rng.below(3) as u32);
                rule.neighbours[side] = Some((set(rng), to));
            }
        }
        if rng.chance(30) {
            rule.broadcast = Some((rng.below(3), set(rng), rng.below(3) as u32));
        }
        rule
    }

    fn text(&self) -> String {
        let mut text = format!("when {}", shown(&self.when));
        for (side, all, set) in &self.tests {
            let word = if *all { "forall" } else { "exists" };
            text += &format!(" {word} {} : {}", SIDES[*side], shown(set));
        }
        for (side, clause) in self.neighbours.iter().enumerate() {
            if let Some((set, to)) = clause {
                text += &format!(" {} : {}", SIDES[side], shown(set));
                text += &to.map_or_else(String::new, |to| format!(" -> x := v{to}"));
            }
        }
        if let Some((side, set, to)) = &self.broadcast {
            text += &format!(" all {} : {} -> x := v{to}", SIDES[*side], shown(set));
        }
        text + &self
            .to
            .map_or_else(String::new, |to| format!(" do x := v{to}"))
    }

    /// The word after a step of one process, if it can take one.
    fn step(&self, word: &[Letter], process: usize, ring: bool) -> Option<Vec<Letter>> {
        let on = |side: usize, other: usize| match side {
            0 => other < process,
            1 => other > process,
            _ => other != process,
        };
        if !self.when.contains(&word[process]) {
            return None;
        }
        for (side, all, set) in &self.tests {
            let mut others = (0..word.len()).filter(|&other| on(*side, other));
            let holds = match all {
                true => others.all(|other| set.contains(&word[other])),
                false => others.any(|other| set.contains(&word[other])),
            };
            if !holds {
                return None;
            }
        }
        let mut next = word.to_vec();
        if let Some((side, set, to)) = &self.broadcast {
            for other in (0..word.len()).filter(|&other| on(*side, other)) {
                if set.contains(&word[other]) {
                    next[other] = *to;
                }
            }
        }
        for (side, clause) in self.neighbours.iter().enumerate() {
            let Some((set, to)) = clause else {
                continue;
            };
            let last = word.len() - 1;
            let other = match (side, ring) {
                (0, false) => process.checked_sub(1)?,
                (0, true) => process.checked_sub(1).unwrap_or(last),
                (_, false) => Some(process + 1).filter(|&other| other <= last)?,
                (_, true) => (process + 1) % word.len(),
            };
            if other == process || !set.contains(&word[other]) {
                return None;
            }
            if let Some(to) = to {
                next[other] = *to;
            }
        }
        if let Some(to) = self.to {
            next[process] = to;
        }
        Some(next)
    }
}

#[test]
fn rules_do_what_they_say() {
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let rule = Rule::random(&mut rng);
        let ring = rng.chance(50);
        let text = format!(
            "process {{ x : v0, v1, v2 }}\ntopology {}\ninitial .*\nrule r : {}\n",
            if ring { "ring" } else { "line" },
            rule.text()
        );
        let system = read(&text);
        let steps = system.actions[0].relation.dfa();
        for length in 1..=4 {
            let list = words(3, length);
            for from in &list {
                let wanted: Vec<Vec<Letter>> = (0..length)
                    .filter_map(|process| rule.step(from, process, ring))
                    .collect();
                for to in &list {
                    let holds = steps.accepts(&zip(from, to));
                    assert_eq!(holds, wanted.contains(to), "{text}{from:?} to {to:?}");
                }
            }
        }
    }
}

#[test]
fn assignments_between_variables_copy_the_value() {
    // The values are listed in another order, begin elsewhere, or are fewer.
    let declared = [
        ("x : a, b, c", "y : c, a, b"),
        ("x : 0..3", "y : 1..2"),
        ("x : 2, 1, 0", "y : 0..2"),
    ];
    for (x, y) in declared {
        let text = format!("process {{ {x} ; {y} }}\ninitial .*\nrule r : do x := y\n");
        let system = read(&text);
        let steps = system.actions[0].relation.dfa();
        let values = |letter: Letter| -> Vec<&str> {
            let parts = system.letters[letter as usize].split('.');
            parts
                .map(|part| part.trim_start_matches(['x', 'y', '=']))
                .collect()
        };
        for from in 0..system.letters.len() as Letter {
            for to in 0..system.letters.len() as Letter {
                let (before, after) = (values(from), values(to));
                let wanted = after == [before[1], before[1]];
                assert_eq!(steps.accepts(&zip(&[from], &[to])), wanted, "{text}");
            }
        }
    }
}

#[test]
fn operators_behind_operators_cost_no_states() {
    for (operators, wanted) in [("+", "a+"), ("?", "a?"), ("*", "a*"), ("+?*", "a*")] {
        let text = |initial: &str| {
            format!("process {{ s : a, b }}\ninitial {initial}\nrule r : do s := b\n")
        };
        let long = format!("a{}", operators.repeat(1000));
        let (long, short) = (read(&text(&long)), read(&text(wanted)));
        assert_eq!(long.initial, short.initial, "{operators}");
    }
}

/// The contents of the counters of a word, if it is one: control, mark, tracks.
fn counters(word: &[Letter]) -> Option<(u32, u32)> {
    let count = |bit: u32| -> Option<u32> {
        let bits: Vec<u32> = word.iter().map(|letter| letter >> bit & 1).collect();
        let ones = bits.iter().take_while(|&&b| b == 1).count();
        bits[ones..].iter().all(|&b| b == 0).then_some(ones as u32)
    };
    Some((count(0)?, count(1)?))
}

#[test]
fn counters_count() {
    type Test = fn(u32, u32) -> bool;
    type Effect = fn(u32, u32) -> Option<(u32, u32)>;
    let rules: &[(&str, Test, Effect)] = &[
        ("do x := x + 1", |_, _| true, |x, y| Some((x + 1, y))),
        (
            "do x := x - 1",
            |_, _| true,
            |x, y| Some((x.checked_sub(1)?, y)),
        ),
        ("if x < y do x := y", |x, y| x < y, |_, y| Some((y, y))),
        (
            "if x = 0, y > 1 do y := 0",
            |x, y| x == 0 && y > 1,
            |x, _| Some((x, 0)),
        ),
        (
            "if x + 1 <= y do y := y - 2",
            |x, y| x < y,
            |x, y| Some((x, y.checked_sub(2)?)),
        ),
        (
            "if x != y do x := y, y := x",
            |x, y| x != y,
            |x, y| Some((y, x)),
        ),
        (
            "if y >= x + 2 do y := x + 1",
            |x, y| y >= x + 2,
            |x, _| Some((x, x + 1)),
        ),
        ("do x := 2", |_, _| true, |_, y| Some((2, y))),
    ];
    for (text, test, effect) in rules {
        let text = format!("control {{ c : a }}\ncounter x, y\ninitial a\nrule r : {text}\n");
        let system = read(&text);
        let steps = system.actions[0].relation.dfa();
        let letter = |name: &str| system.letters.iter().position(|l| l == name).unwrap() as Letter;
        let (control, mark, zero) = (letter("a"), letter("#"), letter("0"));
        let with_head = |tracks: &Vec<Letter>| {
            let tracks = tracks.iter().map(|bits| bits + zero);
            [control, mark]
                .into_iter()
                .chain(tracks)
                .collect::<Vec<_>>()
        };
        for length in 0..=4 {
            let list = words(4, length);
            for from in &list {
                for to in &list {
                    let wanted = match (counters(from), counters(to)) {
                        (Some((x, y)), Some(after)) => test(x, y) && effect(x, y) == Some(after),
                        _ => false,
                    };
                    let holds = steps.accepts(&zip(&with_head(from), &with_head(to)));
                    assert_eq!(holds, wanted, "{text}{from:?} to {to:?}");
                }
            }
        }
    }
}

#[test]
fn channels_are_queues() {
    let system = read(
        "control { c : a }\nchannel q : m, n lossy\ninitial a\n\
         rule send : do q ! m\nrule receive : do q ? n\n",
    );
    let letter = |name: &str| system.letters.iter().position(|l| l == name).unwrap() as Letter;
    let blank = letter("_");
    let named = |name: &str| {
        system
            .actions
            .iter()
            .find(|a| a.name == name)
            .unwrap()
            .relation
            .dfa()
    };
    let symbols = [blank, letter("m"), letter("n")];
    let contents =
        |word: &[Letter]| -> Vec<Letter> { word.iter().copied().filter(|&l| l != blank).collect() };
    for list in (0..=4).map(|length| words(3, length)) {
        let list: Vec<Vec<Letter>> = list
            .iter()
            .map(|word| word.iter().map(|&l| symbols[l as usize]).collect())
            .collect();
        for from in &list {
            for to in &list {
                let (before, after) = (contents(from), contents(to));
                let head = [letter("a"), letter("#")];
                let pairs = zip(&[&head[..], from].concat(), &[&head[..], to].concat());
                // What a step may do to the contents; it changes one place only.
                let places = from.iter().zip(to).filter(|(a, b)| a != b).count();
                if named("send").accepts(&pairs) {
                    assert_eq!(after, [&before[..], &[letter("m")]].concat());
                    assert_eq!(places, 1);
                }
                if named("receive").accepts(&pairs) {
                    assert_eq!(before, [&[letter("n")], &after[..]].concat());
                    assert_eq!(places, 1);
                }
                if named("lose q").accepts(&pairs) {
                    assert_eq!((before.len(), places), (after.len() + 1, 1));
                }
            }
            // With room behind the last message something can be sent, with `n` in front received.
            let sends = list.iter().any(|to| {
                let head = [letter("a"), letter("#")];
                named("send").accepts(&zip(&[&head[..], from].concat(), &[&head[..], to].concat()))
            });
            assert_eq!(sends, from.last() == Some(&blank), "{from:?}");
        }
    }
}
