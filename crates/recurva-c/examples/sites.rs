//! Reads preprocessed files and says how many calls they contain: `sites FILE…`.

use std::{env, fs, process::ExitCode};

use recurva_c::{ExprKind, Places, Unit, Use};

fn main() -> ExitCode {
    let mut exit = ExitCode::SUCCESS;
    for path in env::args().skip(1) {
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{path}: {error}");
                exit = ExitCode::FAILURE;
                continue;
            }
        };
        match recurva_c::parse(&text) {
            Ok(unit) => println!("{path}: {} calls", calls(&unit)),
            Err(error) => {
                let tokens = recurva_c::tokens(&text);
                let place = Places::new(&text, &tokens).of(error.span().start);
                let file = String::from_utf8_lossy(place.file);
                println!("{path}: {file}:{}: {error}", place.line);
                exit = ExitCode::FAILURE;
            }
        }
    }
    exit
}

fn calls(unit: &Unit) -> usize {
    let roots = unit.functions().iter().flat_map(|it| it.roots());
    let mut pending: Vec<_> = roots.copied().collect();
    let mut calls = 0;
    while let Some(root) = pending.pop() {
        let mut exprs = vec![root.expr];
        while let Some(id) = exprs.pop() {
            let kind = &unit.expr(id).kind;
            calls +=
                usize::from(matches!(kind, ExprKind::Call { .. }) && root.usage != Use::Parameter);
            if let ExprKind::Block(inner) = kind {
                pending.extend(inner);
            }
            exprs.extend(kind.operands());
        }
    }
    calls
}
