//! Writing.

use std::fmt::{self, Write};

use crate::{
    automaton::{Cube, Label, Tgba},
    ltl::write_quoted,
};

/// Writes an automaton. `name` is usually the formula it was made from.
pub fn write(out: &mut impl Write, automaton: &Tgba, name: &str) -> fmt::Result {
    writeln!(out, "HOA: v1")?;
    if !name.is_empty() {
        write!(out, "name: ")?;
        write_quoted(out, &name.replace(['\n', '\r'], " "))?;
        writeln!(out)?;
    }
    writeln!(out, "tool: \"recurva\" \"{}\"", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "States: {}", automaton.states())?;
    writeln!(out, "Start: {}", automaton.initial())?;
    write!(out, "AP: {}", automaton.atoms().len())?;
    for atom in automaton.atoms() {
        write!(out, " ")?;
        write_quoted(out, atom)?;
    }
    writeln!(out)?;
    let sets = automaton.sets();
    match sets {
        0 => writeln!(out, "acc-name: all")?,
        1 => writeln!(out, "acc-name: Buchi")?,
        _ => writeln!(out, "acc-name: generalized-Buchi {sets}")?,
    }
    write!(out, "Acceptance: {sets} ")?;
    match sets {
        0 => write!(out, "t")?,
        _ => {
            for set in 0..sets {
                let and = if set == 0 { "" } else { "&" };
                write!(out, "{and}Inf({set})")?;
            }
        }
    }
    writeln!(out, "\nproperties: trans-labels explicit-labels trans-acc")?;
    writeln!(out, "--BODY--")?;
    for state in 0..automaton.states() as u32 {
        writeln!(out, "State: {state}")?;
        for edge in automaton.edges_from(state) {
            write_label(out, &edge.label)?;
            write!(out, " {}", edge.target)?;
            let marks: Vec<String> = (0..sets)
                .filter(|set| edge.marks >> set & 1 == 1)
                .map(|set| set.to_string())
                .collect();
            if !marks.is_empty() {
                write!(out, " {{{}}}", marks.join(" "))?;
            }
            writeln!(out)?;
        }
    }
    writeln!(out, "--END--")
}

fn write_label(out: &mut impl Write, label: &Label) -> fmt::Result {
    out.write_char('[')?;
    if label.cubes().is_empty() {
        out.write_char('f')?;
    }
    for (index, cube) in label.cubes().iter().enumerate() {
        if index > 0 {
            out.write_str(" | ")?;
        }
        if *cube == Cube::default() {
            out.write_char('t')?;
        }
        let mut and = "";
        for atom in 0..64 {
            let bit = 1 << atom;
            let sign = match (cube.positive & bit != 0, cube.negative & bit != 0) {
                (true, _) => "",
                (_, true) => "!",
                _ => continue,
            };
            write!(out, "{and}{sign}{atom}")?;
            and = "&";
        }
    }
    out.write_char(']')
}
