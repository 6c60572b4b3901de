//! From systems to text.

use std::{collections::HashSet, fmt::Write};

use recurva_model::{
    Pds, PlainNames,
    pds::{Control, Head, HeadSet, StackSymbol},
};

use crate::flat::{plain, quoted};

/// The system as the text of a `.pds` file. Names that the format cannot hold are replaced
/// by similar ones; the lines that Moped does not know are only there if they are needed.
pub fn write(pds: &Pds) -> String {
    let mut names = PlainNames::default();
    let controls = pds.parts().controls.iter().map(|name| names.give(name));
    let controls: Vec<String> = controls.collect();
    let mut names = PlainNames::default();
    let symbols = pds.parts().symbols.iter().map(|name| names.give(name));
    let symbols: Vec<String> = symbols.collect();
    let head = |head: Head| {
        let (control, symbol) = (head.control.index(), head.symbol.index());
        format!("{} <{}>", controls[control], symbols[symbol])
    };
    let mut out = String::new();
    let _ = writeln!(out, "({})", head(pds.initial()));
    for rule in pds.rules() {
        let word: Vec<&str> = rule.word.symbols().map(|s| &*symbols[s.index()]).collect();
        let to = &controls[rule.to.index()];
        let _ = write!(out, "{} --> {to} <{}>", head(rule.from), word.join(" "));
        if let Some(letter) = rule.letter {
            let _ = write!(out, " {}", quoted(&pds.parts().alphabet[letter.index()]));
        }
        out.push('\n');
    }
    // A name that only an `accept` or `label` line had would be taken for a slip; it is of
    // no consequence, as nothing leads there.
    let (known_controls, known_symbols) = occurring(pds);
    let sets = |set: HeadSet| -> Vec<String> {
        let known = |control: &Control| known_controls.contains(control);
        let controls_of = match set.control {
            Some(control) => vec![control],
            None => (0..controls.len() as u32).map(Control).collect(),
        };
        let show = |control: Control| match set.symbol {
            None => Some(controls[control.index()].clone()),
            Some(symbol) if known_symbols.contains(&symbol) => Some(head(Head { control, symbol })),
            Some(_) => None,
        };
        let list = controls_of.into_iter().filter(known);
        list.filter_map(show).collect()
    };
    for &set in &pds.parts().accept {
        for heads in sets(set) {
            let _ = writeln!(out, "accept {heads}");
        }
    }
    for label in &pds.parts().labels {
        for heads in sets(label.heads) {
            let name = match plain(&label.name) {
                true => label.name.to_string(),
                false => quoted(&label.name),
            };
            let _ = writeln!(out, "label {heads} : {name}");
        }
    }
    out
}

/// The locations and symbols in the rules and the initial configuration.
fn occurring(pds: &Pds) -> (HashSet<Control>, HashSet<StackSymbol>) {
    let start = pds.initial();
    let mut controls = HashSet::from([start.control]);
    let mut symbols = HashSet::from([start.symbol]);
    for rule in pds.rules() {
        controls.extend([rule.from.control, rule.to]);
        symbols.insert(rule.from.symbol);
        symbols.extend(rule.word.symbols());
    }
    (controls, symbols)
}
