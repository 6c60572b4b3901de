//! Automata as regular expressions.

use std::{collections::BTreeSet, fmt::Write};

use crate::{Dfa, Letter, parts};

/// How letters of an automaton are shown.
#[derive(Clone, Copy, Debug)]
pub enum Alphabet<'a> {
    /// Letters with these names.
    Letters(&'a [String]),
    /// Pairs of them: `a/b`, and `a` for a letter that stays.
    Pairs(&'a [String]),
}

impl Alphabet<'_> {
    fn name(&self, letter: Letter) -> String {
        let show = |names: &[String], letter: Letter| {
            let name = names.get(letter as usize);
            name.map_or_else(|| letter.to_string(), |name| quoted(name))
        };
        match self {
            Alphabet::Letters(names) => show(names, letter),
            Alphabet::Pairs(names) => match parts(letter) {
                (a, b) if a == b => show(names, a),
                (a, b) => format!("{}/{}", show(names, a), show(names, b)),
            },
        }
    }

    /// The letters that `.` stands for.
    fn all(&self) -> Vec<Letter> {
        match self {
            Alphabet::Letters(names) => (0..names.len() as Letter).collect(),
            Alphabet::Pairs(names) => (0..names.len() as Letter)
                .map(|a| crate::pair(a, a))
                .collect(),
        }
    }

    /// A set of letters, which are sorted, as a text.
    pub fn set(&self, letters: &[Letter]) -> String {
        let all = self.all();
        if letters.len() > 1 && letters == all {
            return ".".to_owned();
        }
        let names: Vec<String> = letters.iter().map(|&letter| self.name(letter)).collect();
        match &names[..] {
            [name] => name.clone(),
            _ => format!("({})", names.join("|")),
        }
    }
}

/// A name that a reader of expressions takes as one.
fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '⊥' | '#');
    match !name.is_empty() && name.chars().all(plain) {
        true => name.to_owned(),
        false => format!("[{name}]"),
    }
}

/// A regular expression.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Expression {
    Epsilon,
    Set(BTreeSet<Letter>),
    Sequence(Vec<Expression>),
    Choice(Vec<Expression>),
    Star(Box<Expression>),
}

use Expression::{Choice, Epsilon, Sequence, Set, Star};

fn sequence(a: Expression, b: Expression) -> Expression {
    let mut list = match a {
        Epsilon => return b,
        Sequence(list) => list,
        other => vec![other],
    };
    match b {
        Epsilon => {}
        Sequence(more) => list.extend(more),
        other => list.push(other),
    }
    match list.len() {
        1 => list.remove(0),
        _ => Sequence(list),
    }
}

fn choice(a: Option<Expression>, b: Expression) -> Expression {
    let Some(a) = a else {
        return b;
    };
    if a == b {
        return a;
    }
    match (a, b) {
        (Set(a), Set(b)) => Set(a.union(&b).copied().collect()),
        (Star(a), Epsilon) | (Epsilon, Star(a)) => Star(a),
        // ε | x x* is x*.
        (Epsilon, Sequence(list)) | (Sequence(list), Epsilon)
            if list.len() == 2 && list[1] == Star(Box::new(list[0].clone())) =>
        {
            list[1].clone()
        }
        // x | x y y* is x y*.
        (short, Sequence(mut list)) | (Sequence(mut list), short)
            if list.len() > 2
                && list[list.len() - 1] == Star(Box::new(list[list.len() - 2].clone()))
                && sequence_of(&list[..list.len() - 2]) == short =>
        {
            list.remove(list.len() - 2);
            Sequence(list)
        }
        (Choice(mut list), other) => {
            if !list.contains(&other) {
                list.push(other);
            }
            Choice(list)
        }
        (other, Choice(mut list)) => {
            if !list.contains(&other) {
                list.insert(0, other);
            }
            Choice(list)
        }
        (a, b) => Choice(vec![a, b]),
    }
}

fn sequence_of(list: &[Expression]) -> Expression {
    match list {
        [one] => one.clone(),
        _ => Sequence(list.to_vec()),
    }
}

fn star(a: Option<Expression>) -> Expression {
    match a {
        None | Some(Epsilon) => Epsilon,
        Some(Star(inner)) => Star(inner),
        Some(Choice(list)) if list.contains(&Epsilon) => {
            let rest: Vec<Expression> = list.into_iter().filter(|e| *e != Epsilon).collect();
            Star(Box::new(match rest.len() {
                1 => sequence_of(&rest),
                _ => Choice(rest),
            }))
        }
        Some(other) => Star(Box::new(other)),
    }
}

fn size(expression: &Expression) -> usize {
    let mut todo = vec![expression];
    let mut count = 0;
    while let Some(now) = todo.pop() {
        count += 1;
        match now {
            Epsilon => {}
            Set(letters) => count += letters.len(),
            Sequence(list) | Choice(list) => todo.extend(list),
            Star(inner) => todo.push(inner),
        }
    }
    count
}

/// Larger expressions are of no use to anybody.
const MAX_SIZE: usize = 4000;

/// The words of an automaton as a regular expression; `None` if it would be too long to be read.
pub fn expression(dfa: &Dfa, alphabet: Alphabet<'_>) -> Option<String> {
    if dfa.is_empty() {
        return Some("∅".to_owned());
    }
    let states = dfa.states();
    let members = dfa.classes().members();
    let (start, end) = (states, states + 1);
    let mut edges: Vec<Vec<Option<Expression>>> = vec![vec![None; states + 2]; states + 2];
    edges[start][0] = Some(Epsilon);
    for (state, row) in edges.iter_mut().enumerate().take(states) {
        for (class, to) in dfa.edges(state as u32) {
            let letters = members[class as usize].iter().copied().collect();
            let slot = &mut row[to as usize];
            *slot = Some(choice(slot.take(), Set(letters)));
        }
        if dfa.is_accepting(state as u32) {
            row[end] = Some(Epsilon);
        }
    }
    let mut left: Vec<usize> = (0..states).collect();
    while !left.is_empty() {
        // The state with the fewest ways through it goes first.
        let weight = |&state: &usize| {
            let into = edges
                .iter()
                .enumerate()
                .filter(|(s, row)| *s != state && row[state].is_some());
            let out = edges[state]
                .iter()
                .enumerate()
                .filter(|(s, e)| *s != state && e.is_some());
            into.count() * out.count()
        };
        let (at, _) = left
            .iter()
            .enumerate()
            .min_by_key(|&(_, state)| weight(state))?;
        let state = left.remove(at);
        let turn = star(edges[state][state].take());
        let row: Vec<(usize, Expression)> = edges[state]
            .iter_mut()
            .enumerate()
            .filter_map(|(to, slot)| Some((to, slot.take()?)))
            .collect();
        for from in &mut edges {
            let Some(into) = from[state].take() else {
                continue;
            };
            let into = sequence(into, turn.clone());
            for (to, out) in &row {
                let way = sequence(into.clone(), out.clone());
                let slot = &mut from[*to];
                let joined = choice(slot.take(), way);
                if size(&joined) > MAX_SIZE {
                    return None;
                }
                *slot = Some(joined);
            }
        }
    }
    let whole = edges[start][end].take()?;
    let mut out = String::new();
    write(&whole, alphabet, &mut out);
    Some(out)
}

/// Nesting is as deep as the automaton has states at most, and those are few here.
fn write(expression: &Expression, alphabet: Alphabet<'_>, out: &mut String) {
    match expression {
        Epsilon => out.push('ε'),
        Set(letters) => {
            let list: Vec<Letter> = letters.iter().copied().collect();
            out.push_str(&alphabet.set(&list));
        }
        Sequence(list) => {
            for (index, part) in list.iter().enumerate() {
                if index > 0 {
                    out.push(' ');
                }
                match part {
                    Choice(_) => bracketed(part, alphabet, out),
                    _ => write(part, alphabet, out),
                }
            }
        }
        Choice(list) => {
            for (index, part) in list.iter().enumerate() {
                if index > 0 {
                    out.push_str(" | ");
                }
                write(part, alphabet, out);
            }
        }
        Star(inner) => {
            let mut text = String::new();
            write(inner, alphabet, &mut text);
            match **inner {
                Set(_) if !text.contains('/') || text.starts_with('(') => out.push_str(&text),
                _ => {
                    let _ = write!(out, "({text})");
                }
            }
            out.push('*');
        }
    }
}

fn bracketed(part: &Expression, alphabet: Alphabet<'_>, out: &mut String) {
    out.push('(');
    write(part, alphabet, out);
    out.push(')');
}
