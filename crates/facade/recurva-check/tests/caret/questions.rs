//! Random formulas of CaRet.

use recurva_check::{
    Property,
    spec::{Reader, Vocabulary},
};
use recurva_model::Program;
use recurva_syntax::{Source, Style};
use recurva_testkit::rng::Rng;

/// A formula about a program.
pub(crate) fn caret(seed: u64, program: &Program) -> Property {
    let mut rng = Rng::new(seed ^ 0x6361_7265_745f);
    let atoms = [atom(&mut rng, program), atom(&mut rng, program)];
    let size = 2 + rng.below(5);
    let text = formula(&mut rng, size, &atoms, &["", "_a", "_a", "_c"]);
    let reader = Reader::new(program, Vocabulary::Program);
    read(&reader, &text)
}

/// A formula as a property.
pub(crate) fn read(reader: &Reader<'_>, text: &str) -> Property {
    let source = Source::new("formula", text).expect("a short text");
    let spec = reader.caret(&source);
    let errors = spec.diagnostics.render(&source, Style::Plain);
    let properties = spec.properties.unwrap_or_else(|| panic!("{errors}"));
    let property = properties.into_iter().next().expect("a formula");
    property.property
}

/// A formula with so many operators and atoms, whose temporal operators have these endings.
pub(crate) fn formula(rng: &mut Rng, size: usize, atoms: &[String], endings: &[&str]) -> String {
    if size <= 1 {
        return atoms[rng.below(atoms.len())].clone();
    }
    let ending = endings[rng.below(endings.len())];
    if size == 2 || rng.chance(55) {
        let inner = formula(rng, size - 1, atoms, endings);
        return match rng.below(4) {
            0 => format!("!({inner})"),
            kind => format!("{}{ending} ({inner})", ["X", "F", "G"][kind - 1]),
        };
    }
    let left = 1 + rng.below(size - 2);
    let (a, b) = (
        formula(rng, left, atoms, endings),
        formula(rng, size - 1 - left, atoms, endings),
    );
    match rng.below(6) {
        0 => format!("({a}) & ({b})"),
        1 => format!("({a}) | ({b})"),
        2 => format!("({a}) -> ({b})"),
        kind => format!("({a}) {}{ending} ({b})", ["U", "W", "R"][kind - 3]),
    }
}

fn atom(rng: &mut Rng, program: &Program) -> String {
    match rng.below(6) {
        0 => return "call".into(),
        1 => return "ret".into(),
        2 => {}
        3 => {
            let procedure = &program.procedures()[rng.below(program.procedures().len())];
            return format!("in({})", procedure.name);
        }
        _ => {
            let booleans: Vec<_> = program
                .globals()
                .iter()
                .filter(|global| global.ty == recurva_model::Type::Bool && global.len.is_none())
                .collect();
            if let Some(global) = rng.pick(&booleans) {
                return global.name.to_string();
            }
        }
    }
    match rng.pick(program.labels()) {
        Some(label) => format!("@{}", label.name),
        None => "call".into(),
    }
}
