//! What a witness says about a run of a C program: ways at branches, calls and returns, and the values
//! that came from outside.

use std::collections::HashMap;

use recurva_check::{CKind, CRun, CStep};
use recurva_lang::provenance::Place;
use recurva_model::Origin;

use crate::{
    lines::Lines,
    witness::{Constraint, Waypoint},
};

/// What a run passes, in order. What is not an integer is left out, and so are places that a macro
/// has made.
pub(crate) fn c_waypoints(run: &CRun, lines: &Lines<'_>) -> Vec<Waypoint> {
    let mut list = Vec::new();
    let mut calls: HashMap<u64, Origin> = HashMap::new();
    for (index, step) in run.steps.iter().enumerate() {
        // Values from outside come before what is done with them.
        for input in step.inputs.iter().filter(|input| input.is_call) {
            list.extend(returned(lines, step, input.place, &input.value));
        }
        match &step.kind {
            CKind::Call { call, place, .. } => {
                calls.insert(*call, *place);
                list.extend(closing(lines, *place).map(|at| Waypoint {
                    kind: "function_enter",
                    constraint: None,
                    place: at.within(&step.function),
                }));
            }
            CKind::Return { call, value, .. } => {
                if let (Some(place), Some(value)) = (calls.remove(call), value) {
                    list.extend(returned(lines, step, place, value));
                }
            }
            CKind::Start(_) | CKind::Statement | CKind::Gap { .. } => {}
        }
        if let Some(truth) = step.truth.filter(|_| step.is_beginning)
            && let Some(at) = At::of(lines, step.origin)
        {
            list.push(Waypoint {
                kind: "branching",
                constraint: Some(Constraint::truth(truth)),
                place: at.within(&step.function),
            });
        }
        list.extend(assumed(lines, step, run.steps.get(index + 1)));
    }
    list
}

/// A place in a text.
struct At<'a> {
    file: &'a str,
    line: usize,
    column: usize,
}

impl<'a> At<'a> {
    fn of(lines: &Lines<'a>, origin: Origin) -> Option<Self> {
        let region = lines.region(origin)?;
        Some(At {
            file: region.file,
            line: region.start.0,
            column: region.start.1,
        })
    }

    fn within(&self, function: &str) -> Place {
        Place {
            file: self.file.into(),
            line: self.line as u32,
            column: Some(self.column as u32),
            function: Some(function.into()),
        }
    }
}

/// The parenthesis that closes a call.
fn closing<'a>(lines: &Lines<'a>, call: Origin) -> Option<At<'a>> {
    let last = Origin {
        start: call.end.checked_sub(1).filter(|it| *it > call.start)?,
        end: call.end,
    };
    let text = lines.excerpt(last)?;
    At::of(lines, last).filter(|_| text == ")")
}

/// That a function returns a value.
fn returned(lines: &Lines<'_>, step: &CStep, call: Origin, value: &str) -> Option<Waypoint> {
    let value = integer(value)?;
    Some(Waypoint {
        kind: "function_return",
        constraint: Some(Constraint {
            value: format!("\\result == {value}"),
            format: Some("acsl_expression"),
        }),
        place: closing(lines, call)?.within(&step.function),
    })
}

/// What values from outside have made of variables, where the next statement begins.
fn assumed(lines: &Lines<'_>, step: &CStep, next: Option<&CStep>) -> Option<Waypoint> {
    let next = next?;
    let is_same = next.depth == step.depth && next.function == step.function;
    let is_left = matches!(step.kind, CKind::Call { .. });
    if step.inputs.is_empty() || is_left || !is_same || !next.is_beginning {
        return None;
    }
    let is_name = |name: &str| {
        name.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let changes = step.changes.iter();
    let known: Vec<String> = changes
        .filter(|change| is_name(&change.part.name))
        .filter_map(|change| Some((&change.part.name, integer(&change.part.value)?)))
        .map(|(name, value)| format!("{name} == {value}"))
        .collect();
    if known.is_empty() {
        return None;
    }
    Some(Waypoint {
        kind: "assumption",
        constraint: Some(Constraint {
            value: known.join(" && "),
            format: Some("c_expression"),
        }),
        place: At::of(lines, next.origin)?.within(&next.function),
    })
}

/// An integer as C writes it, out of how it is shown: `-3`, `'a' (97)`, `true`.
fn integer(shown: &str) -> Option<String> {
    let shown = match shown.rsplit_once(" (") {
        Some((_, number)) => number.strip_suffix(')')?,
        None => shown,
    };
    match shown {
        "true" => return Some("1".to_owned()),
        "false" => return Some("0".to_owned()),
        _ => {}
    }
    let number: i128 = shown.parse().ok()?;
    Some(match number {
        // The smallest numbers have no literals of their own.
        _ if number == i128::from(i32::MIN) => "(-2147483647 - 1)".to_owned(),
        _ if number == i128::from(i64::MIN) => "(-9223372036854775807LL - 1)".to_owned(),
        _ if number > i128::from(i64::MAX) => format!("{number}ULL"),
        _ if number > i128::from(u32::MAX) || number < i128::from(i32::MIN) => {
            format!("{number}LL")
        }
        _ => number.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_as_c_writes_them() {
        let written = |shown: &str| integer(shown).unwrap_or_default();
        assert_eq!(written("-3"), "-3");
        assert_eq!(written("'a' (97)"), "97");
        assert_eq!(written("'(' (40)"), "40");
        assert_eq!(written("true"), "1");
        assert_eq!(written("-2147483648"), "(-2147483647 - 1)");
        assert_eq!(written("18446744073709551615"), "18446744073709551615ULL");
        assert_eq!(written("5 (uninitialised)"), "");
        assert_eq!(written("malloc#1"), "");
        assert_eq!(written("1.5"), "");
    }
}
