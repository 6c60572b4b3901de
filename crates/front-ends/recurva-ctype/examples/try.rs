//! scratch
#![allow(clippy::print_stdout, clippy::print_stderr)]
use recurva_ctype::*;
fn main() {
    let mut args = std::env::args().skip(1);
    let file = args.next().unwrap();
    let text = std::fs::read(&file).unwrap();
    let target = if args.next().is_some() {
        Target::ilp32()
    } else {
        Target::lp64()
    };
    let t = std::time::Instant::now();
    let unit = match recurva_c::ast::parse(&text) {
        Ok(u) => u,
        Err(e) => {
            println!("{e} {:?}", e.span());
            return;
        }
    };
    let parsed = t.elapsed();
    let t = std::time::Instant::now();
    let checked = check(&unit, &text, target);
    let done = t.elapsed();
    let source =
        recurva_syntax::Source::new(file, String::from_utf8_lossy(&text).into_owned()).unwrap();
    println!(
        "{}",
        checked
            .diagnostics
            .render(&source, recurva_syntax::Style::Plain)
    );
    if let Some(u) = &checked.unit {
        println!(
            "exprs {} stmts {} objects {} functions {} types",
            u.exprs.len(),
            u.stmts.len(),
            u.objects.len(),
            u.functions.len()
        );
        if u.exprs.len() < 400 {
            for o in &u.objects {
                println!(
                    "{} : {} {:?} {:?} {:?}",
                    o.name,
                    u.types.describe_qualified(o.ty),
                    o.align,
                    o.definition,
                    o.init
                );
            }
            for (i, e) in u.exprs.iter().enumerate() {
                println!("{i}: {} {:?}", u.types.describe_qualified(e.ty), e.kind);
            }
            for (i, e) in u.stmts.iter().enumerate() {
                println!("s{i}: {:?}", e.kind);
            }
        }
    }
    println!(
        "parse {parsed:?} check {done:?} errors {}",
        checked.diagnostics.errors()
    );
}
