//! The functions of a C file, each of which can be checked.

use recurva_c::ast::{self, Item};
use recurva_cc::{Compiler, Unit};
use recurva_syntax::Source;

use super::places::{Files, Preprocessed};
use crate::{Asked, Offer};

/// What can be asked of the functions that a file defines: of `main` the program's own property, of
/// every other one the same of runs that begin there. None if it cannot be preprocessed or parsed;
/// reading it says why.
pub(crate) fn functions(source: &Source) -> Vec<Offer> {
    let is_preprocessed = source.name().ends_with(".i");
    let text = match is_preprocessed {
        true => Some(source.text().as_bytes().to_vec()),
        false => Compiler::find().and_then(|compiler| {
            let unit = Unit {
                name: source.name(),
                text: source.text().as_bytes(),
                options: &[],
            };
            compiler.preprocess(&unit, &mut || false).ok()
        }),
    };
    let Some(text) = text else {
        return Vec::new();
    };
    let Ok(unit) = ast::parse(&text) else {
        return Vec::new();
    };
    let mut files = Files::new(source);
    let preprocessed = match is_preprocessed {
        true => Preprocessed::whole(&text, 0),
        false => Preprocessed::new(&text),
    };
    let names = unit.items.iter().filter_map(|item| match item {
        Item::Function(function) => function.declarator.name,
        _ => None,
    });
    let offers = names.filter_map(|ident| {
        let (file, place) = files.place(&preprocessed, ident.span)?;
        let name = unit.name(ident.name);
        let is_main = name == "main";
        (file == 0).then(|| Offer {
            place,
            title: match is_main {
                true => "check this program",
                false => "check this function",
            },
            asked: Asked::default(),
            name: None,
            detail: String::new(),
            entry: (!is_main).then(|| name.to_owned()),
        })
    });
    offers.collect()
}
