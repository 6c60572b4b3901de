//! A proof as a witness: the invariants of loops, as far as they can be said in C.

use std::fmt::Write;

use recurva_check::{Certified, RunContext};

use crate::witness::{NoWitness, Task, document, place, quoted};

/// A proof as a witness: a YAML document with one entry. What cannot be said as an expression of C about
/// the values of now is left out, which is allowed: a witness with fewer invariants says less and nothing
/// wrong.
///
/// # Errors
///
/// If the program does not say where in C its statements are, or a file is missing.
pub fn correctness_witness(
    run: &RunContext<'_>,
    proof: &Certified,
    task: &Task<'_>,
) -> Result<String, NoWitness> {
    let places = run.places.ok_or(NoWitness::NoPlace)?;
    let mut invariants = String::new();
    for statement in &proof.statements {
        let Some(value) = &statement.c_expression else {
            continue;
        };
        let Some(place) = place(places, statement.place) else {
            continue;
        };
        let mut files = task.files.iter();
        let file = files.find(|file| *file.named == *place.file);
        let file = quoted(&file.ok_or(NoWitness::NoFile)?.path);
        let (value, function) = (quoted(value), quoted(&statement.function));
        // Writing to a string cannot fail.
        let _ = writeln!(
            invariants,
            "    - invariant:\n        type: \"loop_invariant\"\n        location:\n          \
             file_name: {file}\n          line: {}\n          function: {function}\n        \
             value: {value}\n        format: \"c_expression\"",
            place.line
        );
    }
    let content = match invariants.is_empty() {
        true => "  content: []\n".to_owned(),
        false => format!("  content:\n{invariants}"),
    };
    Ok(document("invariant_set", &content, task))
}
