//! Programs as drawings, with the text of their statements.

use recurva_draw::{
    Drawing, Graph,
    machines::{self, Texts},
};
use recurva_model::{EdgeId, Origin, ProcId, Program};
use recurva_syntax::Source;

use crate::{lines::Lines, trace::branch};

impl Texts for Lines<'_> {
    fn line(&self, origin: Origin) -> Option<String> {
        self.label(origin)
    }

    fn edge(&self, program: &Program, procedure: ProcId, edge: EdgeId) -> String {
        let origin = program.edge(procedure, edge).origin;
        let text = self.excerpt(origin).unwrap_or_default();
        match branch(program, procedure, edge) {
            Some(truth) => format!("{text} ({truth})"),
            None => text,
        }
    }
}

/// All procedures of a program; `monitor` is the text of a monitor that is part of it.
pub fn draw_program(source: &Source, monitor: Option<&Source>, program: &Program) -> Drawing {
    let lines = Lines::with_monitor(source, monitor);
    machines::program(program, &lines, source.name())
}

/// One procedure of a program.
pub fn draw_procedure(
    source: &Source,
    monitor: Option<&Source>,
    program: &Program,
    procedure: ProcId,
) -> Graph {
    let lines = Lines::with_monitor(source, monitor);
    machines::procedure(program, procedure, &lines)
}
