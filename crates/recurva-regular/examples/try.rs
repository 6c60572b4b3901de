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
        let t = Instant::now();
        let parsed = json::parse(&source);
        let system = parsed.value.unwrap();
        let mut m = Meter::new(u64::MAX);
        let r = system.relation(&mut m).unwrap();
        println!("{name}: read {:?}, R {} states, I {}", t.elapsed(), r.dfa().states(), system.initial.states());
        let t = Instant::now();
        let mut m = Meter::new(20_000_000);
        let c = columns::closure(&r, columns::Depth::Any, &mut m);
        println!("  R+ {:?} {:?} {}", c.map(|c| (c.subsets, c.dfa.states())), t.elapsed(), m.used());
        let t = Instant::now();
        let mut m = Meter::new(20_000_000);
        let c = columns::reach(&system.initial, &r, columns::Depth::Any, &mut m);
        println!("  R*(I) {:?} {:?} {}", c.map(|c| (c.subsets, c.dfa.states())), t.elapsed(), m.used());
        let t = Instant::now();
        let mut m = Meter::new(200_000_000);
        let acts = r.actions(&mut m).unwrap();
        let mut s = system.initial.clone();
        let mut sizes = Vec::new();
        let res = 'l: loop {
            let before = s.clone();
            for a in &acts {
                match columns::reach(&s, a, columns::Depth::Any, &mut m) { Ok(c) => {s = c.dfa; sizes.push(c.subsets);}, Err(e) => break 'l Err(e) }
            }
            if s == before { break Ok(s.states()); }
        };
        println!("  per action ({}) {:?} max subsets {:?} {:?} {}", acts.len(), res, sizes.iter().max(), t.elapsed(), m.used());
        for bad in &system.bad {
            let t = Instant::now();
            let mut m = Meter::new(20_000_000);
            let mut found = None;
            for n in 0..6 { if let Ok(Some(run)) = finite::search((&system.initial, &r, &bad.words), n, &mut m) { found = Some((n, run.len()-1, system.show(run.last().unwrap()))); break; } }
            let mut inv = None;
            if found.is_none() { for h in 0..6 { let mut m = Meter::new(20_000_000); match abstraction::over_approximation((&system.initial, &r, &bad.words), h, &mut m) {
                Ok(Some(s)) => { inv = Some((h, s.states(), evidence::check_invariant(&s, &system.initial, &[&r], &bad.words))); break; } _ => {} } } }
            println!("  {}: {:?} {:?} {:?}", bad.name, found, inv, t.elapsed());
        }
    }
}
