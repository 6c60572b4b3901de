//! A call put into a unit's text where the run must come to.

use recurva_c::ast::{self, BlockItem, Item, StmtId, StmtKind};

/// What a run has to come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A call of this function, with or without a body.
    Call(String),
    /// A label of a function.
    Label {
        /// The function.
        function: String,
        /// The label.
        label: String,
    },
    /// A failed `assert`.
    Assertion,
    /// A call of `abort`.
    Abort,
    /// A guard of a monitor does not hold, as the run-time of monitors says. That is among the case's
    /// further files.
    Guard {
        /// What the run-time calls the event.
        event: String,
        /// When the guard is looked at: `before` or `after`.
        moment: &'static str,
        /// Where the guard stands: `rule.pal:7`.
        place: String,
    },
    /// An assertion in an action of a monitor fails, or the action calls `abort` or a function that is an
    /// error.
    Action {
        /// The monitor's file.
        file: String,
        /// The first and the last line of the action.
        lines: (u32, u32),
    },
    /// Something that a sanitizer reports.
    Undefined(Fault),
    /// Its end: `main` returns, or `exit` or `abort` is called.
    End,
    /// No end: the values from one on are given again and again. If there are none, the program is
    /// still running after a second, or has run out of stack.
    Never {
        /// The number of the first value that is repeated.
        turn: usize,
        /// Whether its stack grows for ever.
        diverges: bool,
    },
}

/// What a sanitizer looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Computations without a result: overflow, division by zero, shifts by too much.
    Arithmetic,
    /// The use of memory that is not there, and wrong calls of `free`.
    Memory,
    /// Memory that is not freed.
    Leak,
}

impl Fault {
    /// The sanitizers that find it.
    pub(crate) fn sanitizers(self) -> &'static str {
        match self {
            Fault::Arithmetic => "undefined,float-divide-by-zero,float-cast-overflow",
            Fault::Memory => "address,bounds,null,object-size",
            Fault::Leak => "address",
        }
    }
}

/// Functions that actions of monitors call where something does not hold.
const ERRORS: [&str; 3] = ["reach_error", "__VERIFIER_error", "error_fn"];

/// What ends the program when the goal is reached. Declared where it is called, so that it can
/// stand in any text.
pub(crate) const REACHED: &str = "recurva_reached";

/// A preprocessed text in which coming to the goal calls [`REACHED`]; `None` if nothing had to be
/// put in.
///
/// Only text is added, and on lines that are there: places stay what they are.
pub(crate) fn instrument(text: &[u8], goal: &Goal) -> Option<Vec<u8>> {
    let unit = ast::parse(text).ok()?;
    let mut offsets = Vec::new();
    for item in &unit.items {
        let Item::Function(function) = item else {
            continue;
        };
        let name = function.declarator.name.map(|it| unit.name(it.name));
        match goal {
            Goal::Call(wanted) if name == Some(wanted) => {
                offsets.push(unit.stmt(function.body).span.start + 1);
            }
            Goal::Action { .. } if name.is_some_and(|it| ERRORS.contains(&it)) => {
                offsets.push(unit.stmt(function.body).span.start + 1);
            }
            Goal::Label {
                function: wanted,
                label,
            } if name == Some(wanted) => labels(&unit, function.body, label, &mut offsets),
            _ => {}
        }
    }
    if offsets.is_empty() {
        return None;
    }
    offsets.sort_unstable();
    let call = format!("{{ extern void {REACHED}(void); {REACHED}(); }}");
    let mut out = Vec::with_capacity(text.len() + call.len() * offsets.len());
    let mut at = 0;
    for offset in offsets {
        out.extend_from_slice(&text[at..offset as usize]);
        out.extend_from_slice(call.as_bytes());
        at = offset as usize;
    }
    out.extend_from_slice(&text[at..]);
    Some(out)
}

/// Takes away what a preprocessed text says of some functions that it declares: that they do not
/// return.
pub(crate) fn returning(text: &mut [u8], is_meant: &dyn Fn(&str) -> bool) {
    let Ok(unit) = ast::parse(text) else {
        return;
    };
    let declared = unit.items.iter().filter_map(|item| match item {
        Item::Declaration(declaration) => Some(declaration),
        _ => None,
    });
    let declarators = declared.flat_map(|it| it.declarators.iter().map(|it| &it.declarator));
    let meant = declarators.filter(|it| it.name.is_some_and(|it| is_meant(unit.name(it.name))));
    let attributes = meant.flat_map(|it| &it.attributes);
    let wrong = attributes.filter(|it| unit.name(it.name.name) == "noreturn");
    let spans: Vec<_> = wrong.map(|it| it.span).collect();
    for span in spans {
        text[span.start as usize..span.end as usize].fill(b' ');
    }
}

/// Whether a preprocessed text defines a function.
pub(crate) fn defines(text: &[u8], wanted: &str) -> bool {
    let Ok(unit) = ast::parse(text) else {
        return false;
    };
    unit.items.iter().any(|item| match item {
        Item::Function(function) => {
            let name = function.declarator.name.map(|it| unit.name(it.name));
            name == Some(wanted)
        }
        _ => false,
    })
}

/// Where the statements behind a label of a function begin.
fn labels(unit: &ast::Unit, body: StmtId, wanted: &str, offsets: &mut Vec<u32>) {
    let mut stack = vec![body];
    while let Some(id) = stack.pop() {
        match &unit.stmt(id).kind {
            StmtKind::Block(items) => stack.extend(items.iter().filter_map(|item| match item {
                BlockItem::Stmt(id) => Some(*id),
                _ => None,
            })),
            StmtKind::If { then, other, .. } => {
                stack.push(*then);
                stack.extend(*other);
            }
            StmtKind::Switch { body, .. }
            | StmtKind::While { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::For { body, .. }
            | StmtKind::Case { body, .. }
            | StmtKind::Default(body) => stack.push(*body),
            StmtKind::Label { name, body, .. } => {
                if unit.name(name.name) == wanted {
                    offsets.push(unit.stmt(*body).span.start);
                }
                stack.push(*body);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(text: &str, goal: &Goal) -> Option<String> {
        let text = instrument(text.as_bytes(), goal)?;
        Some(String::from_utf8(text).unwrap())
    }

    const CALL: &str = "{ extern void recurva_reached(void); recurva_reached(); }";

    #[test]
    fn functions_and_labels() {
        let text = "void e(void) { abort(); }\nint main(void) { if (1) { E: return 2; } e(); }";
        let found = with(text, &Goal::Call("e".to_owned())).unwrap();
        assert_eq!(
            found,
            text.replacen("{ abort", &format!("{{{CALL} abort"), 1)
        );
        let goal = Goal::Label {
            function: "main".to_owned(),
            label: "E".to_owned(),
        };
        let found = with(text, &goal).unwrap();
        assert_eq!(found, text.replace("return 2", &format!("{CALL}return 2")));
        assert_eq!(with(text, &Goal::Call("f".to_owned())), None);
        assert_eq!(with(text, &Goal::Assertion), None);
    }
}
