//! One unit: from its preprocessed text to the tree with types.

use recurva_c::ast;
use recurva_cir::SourceText;
use recurva_ctype::{Target, typed::Unit};
use recurva_syntax::{Diagnostic, Diagnostics};

/// Reads a preprocessed text and checks its types.
pub(crate) fn read_unit(source: &SourceText, target: Target) -> Result<Unit, Diagnostics> {
    let tree = match ast::parse(&source.text) {
        Ok(tree) => tree,
        Err(error) => {
            let mut diagnostics = Diagnostics::default();
            diagnostics.report(|| Diagnostic::error(error.to_string(), error.span()));
            return Err(diagnostics);
        }
    };
    let checked = recurva_ctype::check(&tree, &source.text, target);
    match checked.unit {
        Some(unit) => Ok(unit),
        None => Err(checked.diagnostics),
    }
}
