//! Infinite runs: the papers' families, with the papers' figures beside ours, and one that tells
//! the engines apart.

use std::time::Duration;

use recurva_check::{
    Answer, Engine, Limits, Options, Order, Property, Stack, Stats, Verdict, check, spec,
};
use recurva_model::Program;
use recurva_syntax::Source;

use super::{Size, example, expect, parse};

pub(crate) fn run(size: Size) -> Result<(), String> {
    flip(size)?;
    quicksort()?;
    driver()?;
    copies(size)
}

/// N in thousands, and the paper's seconds where it has such a row.
type Row = (u64, Option<f64>);

/// Resource-constrained paper, Fig. 5: `G F @reach` on runs with a bounded stack, with the
/// recursion bound N kept as a parameter; `g` initially false, or open.
fn flip(size: Size) -> Result<(), String> {
    let sizes = (0..9).map(|doubling| 1 << doubling);
    let none = [0.5, 1.1, 2.1, 4.4, 8.9, 17.2].map(Some);
    let none: Vec<Row> = sizes
        .clone()
        .zip(none.into_iter().chain([None; 3]))
        .collect();
    let good = [0.6, 1.2, 2.2, 4.8, 9.6, 19.0].map(Some);
    let good: Vec<Row> = sizes.zip([None; 3].into_iter().chain(good)).collect();
    let most = if size == Size::Quick { 2 } else { 9 };
    for (title, start, rows) in [
        ("g initially false: no good cycle", "g := F;", none),
        ("g initially open: a good cycle", "", good),
    ] {
        println!("\nflip(N), G F @reach, bounded stacks; {title}");
        println!(
            "{:>8} {:>10} {:>11} {:>9} {:>9} {:>11} {:>8} {:>9} {:>9}",
            "N",
            "states",
            "path edges",
            "check s",
            "MB",
            "bytes/edge",
            "growth",
            "paper s",
            "ratio"
        );
        let mut before: Option<f64> = None;
        for (thousands, paper) in &rows[..most] {
            let n = thousands * 1024;
            let program = parse(&flip_program(n, start))?;
            let outcome = ask(&program, "G F @reach", Stack::Finite, Order::DepthFirst)?;
            expect(&outcome, start.is_empty(), "flip")?;
            let stats = outcome.stats;
            let each = stats.seconds / n as f64;
            let growth = before.map_or("-".to_owned(), |before| format!("{:.2}", each / before));
            let (seconds, ratio) = paper.map_or(("-".to_owned(), "-".to_owned()), |s| {
                (format!("{s:.1}"), format!("{:.0}", s / stats.seconds))
            });
            println!(
                "{:>7}K {:>10} {:>11} {:>9.4} {:>9.1} {:>11.1} {growth:>8} {seconds:>9} {ratio:>9}",
                thousands,
                stats.states,
                stats.path_edges,
                stats.seconds,
                stats.peak_bytes as f64 / 1e6,
                stats.peak_bytes as f64 / stats.path_edges as f64,
            );
            before = Some(each);
        }
    }
    Ok(())
}

/// Fig. 1 (a) and (c): main calls flip(N) twice in every round.
fn flip_program(n: u64, start: &str) -> String {
    format!(
        "decl g;
void flip(int(20) n) begin
  if (n > 0) then flip(n - 1); flip(n - 1); fi
  g := !g;
end
void main() begin
  {start}
  while (T) do
    flip({n});
    flip({n});
    if (!g) then reach: skip; fi
  od
end
"
    )
}

/// The Vera paper's Fig. 6, "does every run terminate": the states visited must not depend on
/// the width of the inputs. The paper's tool visits 95.
fn quicksort() -> Result<(), String> {
    println!("\nquicksort: an infinite run, two arbitrary N-bit inputs (Vera: 95 states)");
    println!(
        "{:>10} {:>8} {:>11} {:>8}",
        "N", "states", "path edges", "check s"
    );
    let text = example("quicksort.bp")?;
    for bits in [4, 8, 16, 32, 64] {
        let program = parse(&text.replace("int(8)", &format!("int({bits})")))?;
        let outcome = ask(&program, "F @DONE", Stack::Diverging, Order::DepthFirst)?;
        expect(&outcome, true, "quicksort")?;
        let stats = outcome.stats;
        println!(
            "{bits:>10} {:>8} {:>11} {:>8.4}",
            stats.states, stats.path_edges, stats.seconds
        );
    }
    Ok(())
}

/// Every lock that is acquired is released. The paper's tool did not end at eight bits.
fn driver() -> Result<(), String> {
    println!("\nlock-handling driver, G(@acquire -> F @release)");
    println!(
        "{:>6} {:>10} {:>8} {:>11} {:>8}",
        "bits", "answer", "states", "path edges", "check s"
    );
    let text = example("driver_fixed.bp")?;
    for bits in [2, 4, 8] {
        let program = parse(&text.replace("int(2)", &format!("int({bits})")))?;
        let formula = "G(@acquire -> F @release)";
        let outcome = ask(&program, formula, Stack::Any, Order::DepthFirst)?;
        expect(&outcome, false, "driver")?;
        let stats = outcome.stats;
        println!(
            "{bits:>6} {:>10} {:>8} {:>11} {:>8.4}",
            "holds", stats.states, stats.path_edges, stats.seconds
        );
    }
    Ok(())
}

/// Every request is granted, over k open variables and their k copies, which a procedure that
/// calls itself changes together: on runs whose stack stays finite, and not on all. Both engines,
/// the one over explicit states as long as it takes no more than some seconds.
fn copies(size: Size) -> Result<(), String> {
    let formula = "G(@request -> F @grant)";
    println!("\nk open variables and their copies, {formula}");
    println!(
        "{:>6} {:>7} {:>10} {:>10} {:>11} {:>11} {:>11} {:>11}",
        "k", "stack", "answer", "states", "explicit s", "nodes", "symbolic s", "variables"
    );
    let sizes: &[usize] = match size {
        Size::Quick => &[2, 10],
        Size::Full => &[2, 4, 6, 8, 10, 25, 50, 100, 200],
    };
    let mut explicitly = [true; 2];
    for &k in sizes {
        let program = parse(&copies_program(k))?;
        for (stack, explicitly) in [Stack::Finite, Stack::Any].into_iter().zip(&mut explicitly) {
            let violated = stack == Stack::Any;
            let options = |engine| Options {
                engine,
                stack,
                limits: Limits {
                    time: Some(PATIENCE),
                    memory: Some(1 << 30),
                },
                ..Options::default()
            };
            let symbolic = ask_with(&program, formula, &options(Engine::Symbolic))?;
            expect(&symbolic, violated, "copies")?;
            let mut columns = ["-".to_owned(), "-".to_owned()];
            if *explicitly {
                match ask_with(&program, formula, &options(Engine::Explicit)) {
                    Ok(explicit) => {
                        expect(&explicit, violated, "copies")?;
                        let Stats {
                            states, seconds, ..
                        } = explicit.stats;
                        columns = [states.to_string(), format!("{seconds:.4}")];
                    }
                    Err(_) => *explicitly = false,
                }
            }
            let [states, seconds] = columns;
            let answer = if violated { "violated" } else { "holds" };
            println!(
                "{k:>6} {:>7} {answer:>10} {states:>10} {seconds:>11} {:>11} {:>11.4} {:>11}",
                format!("{stack:?}").to_lowercase(),
                symbolic.stats.nodes,
                symbolic.stats.seconds,
                2 * k
            );
        }
    }
    Ok(())
}

/// What each question of the last family may take.
const PATIENCE: Duration = Duration::from_secs(20);

fn copies_program(k: usize) -> String {
    let list = |text: &dyn Fn(usize) -> String, separator: &str| -> String {
        (0..k).map(text).collect::<Vec<_>>().join(separator)
    };
    let names = list(&|i| format!("x{i}, y{i}"), ", ");
    let same = list(&|i| format!("(x{i} = y{i})"), " & ");
    let flips = list(
        &|i| format!("if (*) then x{i}, y{i} := !x{i}, !y{i}; fi"),
        "\n  ",
    );
    format!(
        "decl {names};
void change() begin
  {flips}
  if (*) then change(); fi
end
void main() begin
  assume({same});
  while (T) do
    request: change();
    if ({same}) then grant: skip; fi
  od
end
"
    )
}

fn ask<'p>(
    program: &'p Program,
    formula: &str,
    stack: Stack,
    order: Order,
) -> Result<Answer<'p>, String> {
    let options = Options {
        engine: Engine::Explicit,
        order,
        stack,
        ..Options::default()
    };
    ask_with(program, formula, &options)
}

fn ask_with<'p>(
    program: &'p Program,
    formula: &str,
    options: &Options,
) -> Result<Answer<'p>, String> {
    let source = Source::new("formula", formula).map_err(|error| error.to_string())?;
    let reader = spec::Reader::new(program, spec::Vocabulary::Program);
    let named = reader.formula(&source).properties;
    let named = named.ok_or("the formula has errors")?;
    let property: &Property = &named[0].property;
    let outcome = check(program, property, options, &mut ()).map_err(|error| error.to_string())?;
    match outcome.verdict {
        Verdict::Unknown(limit) => Err(format!("{formula}: {limit:?}")),
        _ => Ok(outcome),
    }
}
