#![allow(missing_docs, clippy::print_stdout)]
use recurva_regular::*;
use recurva_syntax::Source;
use std::time::Instant;
fn main() {
    let dir = "/tmp/wt/shared/bench/rmc/dodo-json";
    let mut files: Vec<_> = std::fs::read_dir(dir).unwrap().flatten().map(|e| e.path()).collect();
    files.sort();
    let filter = std::env::args().nth(1).unwrap_or_default();
    for file in files {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        if !name.contains(&filter) { continue; }
        let source = Source::new(name.clone(), std::fs::read_to_string(&file).unwrap()).unwrap();
        let system = json::parse(&source).value.unwrap();
        for bad in &system.bad {
            for engine in [engine::Engine::Auto, engine::Engine::Widening] {
            let t = Instant::now();
            let mut m = Meter::new(if engine == engine::Engine::Auto {u64::MAX} else {4_000_000});
            let p = engine::Problem::new(&system, &bad.words, &mut m).unwrap();
            let o = engine::check(&p, engine, &mut m).unwrap();
            let v = match &o.verdict { engine::Verdict::Safe(i) => format!("safe {} exact {} {:?} {:?}", i.words.states(), i.exact, i.direction, express::expression(&i.words, express::Alphabet::Letters(&system.letters)).map(|s| s.chars().take(100).collect::<String>())), engine::Verdict::Violated(r) => format!("violated {}", r.words.len()-1), engine::Verdict::Unknown(s) => format!("unknown {s}") };
            println!("{name} {}: {v} {} n<{} {:?} {}", bad.name, o.technique, o.searched, t.elapsed(), o.work);
            }
        }
    }
}
