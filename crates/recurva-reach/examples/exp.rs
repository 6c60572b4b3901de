use recurva_reach::*;
use recurva_syntax::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let t = std::time::Instant::now();
    let gs = Source::from_bytes(&a[1], std::fs::read(&a[1]).unwrap()).unwrap();
    let g = read(&gs, Layout::of(a[1].as_ref()));
    eprint!("{}", g.diagnostics.render(&gs, Style::Plain));
    let g = g.graph.unwrap();
    let ms = Source::from_bytes(&a[2], std::fs::read(&a[2]).unwrap()).unwrap();
    let m = Grammar::read(&ms, Notation::of(a[2].as_ref()));
    eprint!("{}", m.diagnostics.render(&ms, Style::Plain));
    let m = m.grammar.unwrap();
    let algorithm = Algorithm::ALL.iter().find(|x| x.0 == a[4]).unwrap().1;
    let s = solve(&g, &m, &Options { threads: a[3].parse().unwrap(), algorithm, ..Options::default() }, &mut Diagnostics::default()).unwrap();
    println!("{:?} {} {:?} {:?} {}", s.count(), s.algorithm().name(), t.elapsed(), s.facts(), s.bytes());
}
