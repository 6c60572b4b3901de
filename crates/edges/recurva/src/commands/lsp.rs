//! The `lsp` command.

use recurva_lsp::End;
use recurva_process::{Exit, output};

/// Serves an editor until it leaves. One that leaves without a word is answered with exit code
/// 1, as the protocol wants it.
pub(crate) fn run() -> Exit {
    match recurva_lsp::serve_stdio() {
        Ok(End::Asked) => Exit::Holds,
        Ok(End::Gone) => Exit::Violated,
        Err(cause) => {
            output::error(&cause.to_string());
            Exit::BadInput
        }
    }
}
