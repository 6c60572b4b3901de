//! Ranks of loops in files: `{"value": [[1, "n"], [-1, "i"]], "constant": 0}`, an element of an array as
//! `[1, "a", 3]`; the same with `sign`; `{"guard": 7, "negated": false}`.

use recurva_certificate::text::{Names, ProgramNames};
use recurva_model::{EdgeId, ProcId, VarRef};
use recurva_rank::{Cell, Rank, Ranks, Sum};
use serde_json::{Value, json};

/// Ranks as they are in files.
pub(super) fn saved(ranks: &Ranks, procedure: ProcId, names: &ProgramNames) -> Value {
    let name = |variable: VarRef| names.name(procedure, variable).unwrap_or_default();
    let list = ranks.iter().map(|rank| {
        let sum = match rank {
            Rank::Value(sum) | Rank::Sign(sum) => sum,
            Rank::Guard { edge, is_negated } => {
                return json!({ "guard": edge.0, "negated": is_negated });
            }
        };
        let terms = sum.terms.iter().map(|(factor, cell)| {
            let name = name(cell.variable);
            match cell.element {
                None => json!([factor, name]),
                Some(element) => json!([factor, name, element]),
            }
        });
        let terms: Vec<Value> = terms.collect();
        match rank {
            Rank::Sign(_) => json!({ "sign": terms, "constant": sum.constant }),
            _ => json!({ "value": terms, "constant": sum.constant }),
        }
    });
    list.collect()
}

/// Ranks from a file; `None` if they are none.
pub(super) fn read(value: &Value, procedure: ProcId, names: &ProgramNames) -> Option<Ranks> {
    let ranks = value.as_array()?.iter();
    ranks.map(|it| rank(it, procedure, names)).collect()
}

fn rank(value: &Value, procedure: ProcId, names: &ProgramNames) -> Option<Rank> {
    if let Some(edge) = value.get("guard") {
        return Some(Rank::Guard {
            edge: EdgeId(u32::try_from(edge.as_u64()?).ok()?),
            is_negated: value.get("negated")?.as_bool()?,
        });
    }
    let terms = |list: &Value| -> Option<Vec<(i64, Cell)>> {
        let terms = list.as_array()?.iter();
        terms.map(|it| term(it, procedure, names)).collect()
    };
    let constant = |value: &Value| match value.get("constant") {
        None => Some(0),
        Some(constant) => constant.as_i64(),
    };
    let sum = Sum {
        terms: terms(value.get("value").or(value.get("sign"))?)?,
        constant: constant(value)?,
    };
    Some(match value.get("value") {
        Some(_) => Rank::Value(sum),
        None => Rank::Sign(sum),
    })
}

fn term(value: &Value, procedure: ProcId, names: &ProgramNames) -> Option<(i64, Cell)> {
    let (factor, name, element) = match &value.as_array()?[..] {
        [factor, name] => (factor, name, None),
        [factor, name, element] => (factor, name, Some(u32::try_from(element.as_u64()?).ok()?)),
        _ => return None,
    };
    let cell = Cell {
        variable: names.find(procedure, name.as_str()?)?,
        element,
    };
    Some((factor.as_i64()?, cell))
}
