//! Models that solvers print.

use rustc_hash::FxHashMap;

use super::{name, read::clipped, read_sort, read_term, sexpr::Sexpr};
use crate::{Model, Terms};

/// A model, as z3 and cvc5 print one: a list of definitions. What it says of anything but variables of
/// `terms` is left out.
///
/// # Errors
///
/// If it is none, or has values that terms cannot have.
pub fn read_model(terms: &Terms, text: Sexpr<'_>) -> Result<Model, String> {
    let wrong = || format!("no model: {}", clipped(text));
    let mut values = FxHashMap::default();
    let mut definitions = text.items().ok_or_else(wrong)?.peekable();
    if definitions.peek().and_then(|it| it.symbol()) == Some("model") {
        definitions.next();
    }
    for definition in definitions {
        let list = definition.list();
        if !definition.begins_with("define-fun") {
            // z3 says so much of functions and sorts; there are none here.
            if definition.items().is_none() {
                return Err(wrong());
            }
            continue;
        }
        let &[_, symbol, parameters, sort, body] = &list[..] else {
            return Err(wrong());
        };
        let variable = symbol
            .symbol()
            .and_then(name)
            .and_then(|it| terms.find_variable(&it));
        let Some(variable) = variable else {
            continue;
        };
        let has_parameters = parameters.items().is_none_or(|mut it| it.next().is_some());
        if has_parameters || read_sort(sort)? != terms.sort(variable) {
            return Err(wrong());
        }
        if body.begins_with("_")
            && body.list().get(1).and_then(|it| it.symbol()) == Some("as-array")
        {
            return Err("an array given as a function".to_owned());
        }
        let mut own = Terms::default();
        let term = read_term(&mut own, body, &|_| None)?;
        let value = own.evaluate(term, &|_| None);
        match value.filter(|_| own.sort(term) == terms.sort(variable)) {
            Some(value) => values.insert(variable, value),
            None => return Err(wrong()),
        };
    }
    Ok(Model::new(values))
}
