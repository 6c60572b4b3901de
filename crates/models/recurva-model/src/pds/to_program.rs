//! From pushdown systems to programs.

use crate::{
    Label, Program,
    pds::{Head, Heads, Pds, Position, RsmOfPds},
    rsm::{Letters, ProgramOfRsm, VertexId},
};

/// A program made from a pushdown system.
#[derive(Clone, Debug)]
pub struct ProgramOfPds {
    /// The program.
    pub program: Program,
    /// The machine in between: its vertices are the program's nodes.
    pub machine: RsmOfPds,
    /// From the machine to the program.
    pub points: ProgramOfRsm,
}

impl Pds {
    /// The system as a program, by way of a [machine](Pds::to_rsm) with all heads that may
    /// be reached. Nodes are labelled with their head, `p.γ`, with its location and with its
    /// symbol alone (the atoms of Moped's formulas), with the propositions of the system, and
    /// with `accept` where it is accepting.
    pub fn to_program(&self, letters: Letters) -> ProgramOfPds {
        let machine = self.to_rsm(Heads::Possible);
        let points = machine.rsm.to_program(letters);
        let mut parts = points.program.parts().clone();
        let mut labels = Vec::with_capacity(parts.labels.len() * 3);
        for vertex in machine.rsm.vertices() {
            let point = points.point(vertex);
            let node = &parts.procedures[point.procedure.index()].nodes[point.node.index()];
            labels.extend(self.atoms(&machine, vertex).into_iter().map(|name| Label {
                name: name.into(),
                point,
                origin: node.origin,
            }));
        }
        // The vertices' own names mean nothing to the user; the other labels stay, behind
        // the heads, which reports show first.
        let own = machine
            .rsm
            .vertices()
            .map(|vertex| machine.rsm.name(vertex));
        let own: std::collections::HashSet<String> = own.collect();
        labels.extend(
            parts
                .labels
                .drain(..)
                .filter(|label| !own.contains(&*label.name)),
        );
        parts.labels = labels;
        let program = Program::new(parts).expect("only labels have changed");
        ProgramOfPds {
            program,
            machine,
            points,
        }
    }

    fn atoms(&self, machine: &RsmOfPds, vertex: VertexId) -> Vec<String> {
        match machine.position(vertex) {
            Position::Popped(control) => vec![self.control(control).to_owned()],
            Position::Head(Head { control, symbol }) => {
                let (control, symbol) = (self.control(control), self.symbol(symbol));
                vec![
                    format!("{control}.{symbol}"),
                    control.to_owned(),
                    symbol.to_owned(),
                ]
            }
        }
    }
}
