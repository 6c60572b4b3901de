//! What the tests share.

#![allow(dead_code, reason = "no test uses all of it")]
#![allow(clippy::print_stderr, reason = "tests say what they skip")]

pub(crate) mod image;
pub(crate) mod random;

use std::{
    path::Path,
    process::{Command, Stdio},
};

use recurva_ctype::{Checked, Target, check};
use recurva_syntax::{Diagnostics, Source, Style};

/// Reads and checks a text.
pub(crate) fn checked(text: &[u8], target: Target) -> Result<Checked, recurva_c::Unreadable> {
    let unit = recurva_c::ast::parse(text)?;
    Ok(check(&unit, text, target))
}

/// Messages with their lines.
pub(crate) fn render(name: &str, text: &[u8], diagnostics: &Diagnostics) -> String {
    let text = String::from_utf8_lossy(text).into_owned();
    match Source::new(name, text) {
        Ok(source) => diagnostics.render(&source, Style::Plain),
        Err(error) => error.to_string(),
    }
}

/// What GCC prints for a file; `None` if there is no GCC or it refuses the file.
pub(crate) fn gcc(arguments: &[&str], file: &Path) -> Option<Vec<u8>> {
    let output = Command::new("gcc")
        .args(arguments)
        .arg(file)
        .stderr(Stdio::null())
        .output()
        .ok()?;
    output.status.success().then_some(output.stdout)
}
