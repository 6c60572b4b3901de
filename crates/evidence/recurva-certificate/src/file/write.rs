//! Files out.

use std::collections::HashMap;

use recurva_model::{Point, ProcId, Program};
use serde::{Serialize, Serializer, ser::SerializeMap};

use super::{
    FORMAT, Header, NodeFormula, ProcedureFormulas, ProcedureName, ProofFile, ToolMark, VERSION,
};
use crate::{
    NodeKind, Proof,
    formula::Scope,
    text::{LONGEST, Names, PrintError, print},
};

/// Why a proof cannot be written down.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// A formula has no text.
    #[error("node {} of procedure {}: {error}", .point.node.0, .point.procedure.0)]
    Formula {
        /// Where it stands.
        point: Point,
        /// Why.
        error: PrintError,
    },
    /// There is no such node in the program.
    #[error("there is no node {} in procedure {}", .0.node.0, .0.procedure.0)]
    NoNode(Point),
}

impl ProofFile {
    /// A proof as it is in files. `line` gives the line of a node, if it has one.
    ///
    /// # Errors
    ///
    /// If a formula has no text, or too long a one.
    pub fn of(
        header: Header,
        program: &Program,
        proof: &Proof,
        names: &dyn Names,
        line: &dyn Fn(Point) -> Option<u32>,
    ) -> Result<Self, WriteError> {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for procedure in program.procedures() {
            *counts.entry(&procedure.name).or_default() += 1;
        }
        let name = |id: ProcId| {
            let name = &*program.procedure(id).name;
            match counts.get(name) {
                Some(1) => ProcedureName::Name(name.to_owned()),
                _ => ProcedureName::Number(id.0),
            }
        };
        let mut procedures: Vec<ProcedureFormulas> = Vec::new();
        let mut last = None;
        let mut kinds = Vec::new();
        for (&point, formula) in &proof.formulas {
            if last != Some(point.procedure) {
                kinds = NodeKind::of_all(program, point.procedure);
            }
            let kind = kinds.get(point.node.index()).copied();
            let kind = kind.ok_or(WriteError::NoNode(point))?;
            let scope = Scope {
                program,
                procedure: point.procedure,
            };
            let text = print(formula, scope, names, LONGEST)
                .map_err(|error| WriteError::Formula { point, error })?;
            if last != Some(point.procedure) {
                last = Some(point.procedure);
                procedures.push(ProcedureFormulas {
                    procedure: name(point.procedure),
                    formulas: Vec::new(),
                });
            }
            if let Some(procedure) = procedures.last_mut() {
                procedure.formulas.push(NodeFormula {
                    node: point.node.0,
                    line: line(point).filter(|it| *it > 0),
                    kind,
                    formula: text,
                });
            }
        }
        Ok(ProofFile { header, procedures })
    }

    /// The file's text.
    pub fn to_json(&self) -> String {
        // There is nothing in it that JSON does not have.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

#[derive(Serialize)]
struct ModelShape<'a> {
    name: &'a str,
    sha256: &'a str,
}

impl Serialize for ProofFile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Header {
            model,
            sha256,
            property,
            asked,
            tools,
        } = &self.header;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("format", FORMAT)?;
        map.serialize_entry("version", &VERSION)?;
        let name = model;
        map.serialize_entry("model", &ModelShape { name, sha256 })?;
        map.serialize_entry("property", property)?;
        map.serialize_entry("asked", asked)?;
        map.serialize_entry("tools", tools)?;
        map.serialize_entry("procedures", &self.procedures)?;
        map.end()
    }
}

impl Serialize for ToolMark {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &self.name)?;
        map.serialize_entry("version", &self.version)?;
        map.end()
    }
}

impl Serialize for ProcedureName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            ProcedureName::Name(name) => serializer.serialize_str(name),
            ProcedureName::Number(number) => serializer.serialize_u32(*number),
        }
    }
}

impl Serialize for ProcedureFormulas {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("procedure", &self.procedure)?;
        map.serialize_entry("formulas", &self.formulas)?;
        map.end()
    }
}

impl Serialize for NodeFormula {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("node", &self.node)?;
        if let Some(line) = self.line {
            map.serialize_entry("line", &line)?;
        }
        map.serialize_entry("kind", self.kind.text())?;
        map.serialize_entry("formula", &self.formula)?;
        map.end()
    }
}
