//! Files in. Whatever the bytes are, there is a proof or an error that says where.

use std::{collections::btree_map::Entry, fmt};

use recurva_model::{NodeId, Point, ProcId, Program};
use recurva_syntax::{Diagnostics, Source};
use serde_json::{Map, Value};

use super::{
    FORMAT, Header, LARGEST, NodeFormula, ProcedureFormulas, ProcedureName, ProofFile, ToolMark,
    VERSION,
};
use crate::{
    NodeKind, Proof,
    formula::Scope,
    text::{LONGEST, Names, parse},
};

/// Why a text is no proof, or not one of a program.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It is larger than any proof.
    #[error("the file has more than {LARGEST} bytes")]
    TooLarge,
    /// It is no JSON.
    #[error("this is no proof file, or a damaged one: {0}")]
    Json(#[from] serde_json::Error),
    /// It is the file of something else.
    #[error("this is no proof file: the field `format` is not \"{FORMAT}\"")]
    Foreign,
    /// It is of a later version of the format, or of none.
    #[error("this is a proof file of version {0}, and {VERSION} is what is known here")]
    Version(String),
    /// A part is not as it should be.
    #[error("{place}: {problem}")]
    Part {
        /// The part, as a path: `procedures[3].formulas[0].node`.
        place: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The text of a formula is none.
    #[error("{place}: {}", first(.formula.text(), .diagnostics))]
    Formula {
        /// The formula, as a path.
        place: String,
        /// Its text.
        formula: Box<Source>,
        /// What is wrong with it.
        diagnostics: Box<Diagnostics>,
    },
}

/// The first message, with the place in the text.
fn first(text: &str, diagnostics: &Diagnostics) -> String {
    let Some(error) = diagnostics.iter().next() else {
        return "this is no formula".to_owned();
    };
    let span = error.primary().span;
    let before = text.get(..span.start as usize).unwrap_or(text);
    format!(
        "{}, at character {}",
        error.message(),
        before.chars().count() + 1
    )
}

fn part(place: impl fmt::Display, problem: impl Into<String>) -> ReadError {
    ReadError::Part {
        place: place.to_string(),
        problem: problem.into(),
    }
}

/// A part of a document, and where it is.
struct At<'v> {
    value: &'v Value,
    place: String,
}

impl<'v> At<'v> {
    fn wrong(&self, problem: impl Into<String>) -> ReadError {
        part(&self.place, problem)
    }

    fn object(&self, fields: &[&str]) -> Result<Object<'v>, ReadError> {
        let Value::Object(map) = self.value else {
            return Err(self.wrong("expected an object"));
        };
        let object = Object {
            map,
            place: self.place.clone(),
        };
        match map.keys().find(|it| !fields.contains(&it.as_str())) {
            Some(unknown) => {
                let shown: String = unknown.chars().take(40).collect();
                Err(self.wrong(format!("there is no field `{}`", shown.escape_debug())))
            }
            None => Ok(object),
        }
    }

    fn map(&self) -> Result<Map<String, Value>, ReadError> {
        let map = self.value.as_object().cloned();
        map.ok_or_else(|| self.wrong("expected an object"))
    }

    fn list(&self) -> Result<Vec<At<'v>>, ReadError> {
        let Value::Array(list) = self.value else {
            return Err(self.wrong("expected a list"));
        };
        let items = list.iter().enumerate().map(|(index, value)| At {
            value,
            place: format!("{}[{index}]", self.place),
        });
        Ok(items.collect())
    }

    fn text(&self) -> Result<String, ReadError> {
        let text = self.value.as_str().map(str::to_owned);
        text.ok_or_else(|| self.wrong("expected a text"))
    }

    fn number(&self) -> Result<u32, ReadError> {
        let number = self.value.as_u64().and_then(|it| u32::try_from(it).ok());
        number.ok_or_else(|| self.wrong("expected a number below 2^32"))
    }
}

/// An object whose fields are known.
struct Object<'v> {
    map: &'v Map<String, Value>,
    place: String,
}

impl<'v> Object<'v> {
    fn optional(&self, name: &str) -> Option<At<'v>> {
        let value = self.map.get(name)?;
        let place = match &*self.place {
            "" => name.to_owned(),
            place => format!("{place}.{name}"),
        };
        Some(At { value, place })
    }

    fn field(&self, name: &str) -> Result<At<'v>, ReadError> {
        self.optional(name).ok_or_else(|| {
            let place = if self.place.is_empty() {
                "the file"
            } else {
                &self.place
            };
            part(place, format!("there is no field `{name}`"))
        })
    }
}

impl ProofFile {
    /// Reads a file. Whether its formulas mean anything in a program, [`Self::on`] says.
    ///
    /// # Errors
    ///
    /// If it is no proof file, or a damaged one.
    pub fn read(bytes: &[u8]) -> Result<Self, ReadError> {
        if bytes.len() > LARGEST {
            return Err(ReadError::TooLarge);
        }
        let value: Value = serde_json::from_slice(bytes)?;
        if value.get("format").and_then(Value::as_str) != Some(FORMAT) {
            return Err(ReadError::Foreign);
        }
        let version = value.get("version").unwrap_or(&Value::Null);
        if version.as_u64() != Some(u64::from(VERSION)) {
            return Err(ReadError::Version(version.to_string()));
        }
        let whole = At {
            value: &value,
            place: String::new(),
        };
        let fields = [
            "format",
            "version",
            "model",
            "property",
            "asked",
            "tools",
            "procedures",
        ];
        let whole = whole.object(&fields)?;
        let model = whole.field("model")?.object(&["name", "sha256"])?;
        let sha256 = model.field("sha256")?;
        let digits = sha256.text()?;
        let is_digit = |it: u8| matches!(it, b'0'..=b'9' | b'a'..=b'f');
        if digits.len() != 64 || !digits.bytes().all(is_digit) {
            return Err(sha256.wrong("expected 64 hexadecimal digits"));
        }
        let tools = whole.field("tools")?.list()?;
        let procedures = whole.field("procedures")?.list()?;
        Ok(ProofFile {
            header: Header {
                model: model.field("name")?.text()?,
                sha256: digits,
                property: whole.field("property")?.text()?,
                asked: whole.field("asked")?.map()?,
                tools: tools.iter().map(tool).collect::<Result<_, _>>()?,
            },
            procedures: procedures.iter().map(procedure).collect::<Result<_, _>>()?,
        })
    }

    /// The proof, about a program whose variables have these names.
    ///
    /// # Errors
    ///
    /// If procedures, nodes or variables are not there, a node has two formulas, or a formula's text is none.
    pub fn on(&self, program: &Program, names: &dyn Names) -> Result<Proof, ReadError> {
        let mut proof = Proof::default();
        for (index, procedure) in self.procedures.iter().enumerate() {
            let place = format!("procedures[{index}]");
            let id = find(program, &procedure.procedure)
                .map_err(|problem| part(format!("{place}.procedure"), problem))?;
            for (index, said) in procedure.formulas.iter().enumerate() {
                let place = format!("{place}.formulas[{index}]");
                if said.node as usize >= program.procedure(id).nodes.len() {
                    return Err(part(format!("{place}.node"), "there is no such node"));
                }
                let point = Point {
                    procedure: id,
                    node: NodeId(said.node),
                };
                let Entry::Vacant(vacant) = proof.formulas.entry(point) else {
                    return Err(part(format!("{place}.node"), "it has a formula already"));
                };
                let place = format!("{place}.formula");
                let source = Source::new("formula", &*said.formula)
                    .map_err(|error| part(&place, error.to_string()))?;
                let scope = Scope {
                    program,
                    procedure: id,
                };
                let formula =
                    parse(&source, scope, names).map_err(|diagnostics| ReadError::Formula {
                        place,
                        formula: Box::new(source),
                        diagnostics: Box::new(diagnostics),
                    })?;
                vacant.insert(formula);
            }
        }
        Ok(proof)
    }
}

fn find(program: &Program, name: &ProcedureName) -> Result<ProcId, &'static str> {
    let procedures = program.procedures();
    match name {
        ProcedureName::Number(number) if (*number as usize) < procedures.len() => {
            Ok(ProcId(*number))
        }
        ProcedureName::Number(_) => Err("there is no procedure of that number"),
        ProcedureName::Name(name) => {
            let mut found = (0..)
                .map(ProcId)
                .zip(procedures)
                .filter(|(_, it)| *it.name == **name);
            match (found.next(), found.next()) {
                (Some((id, _)), None) => Ok(id),
                (None, _) => Err("there is no procedure of that name"),
                (Some(_), Some(_)) => Err("there is more than one procedure of that name"),
            }
        }
    }
}

fn tool(at: &At<'_>) -> Result<ToolMark, ReadError> {
    let object = at.object(&["name", "version"])?;
    Ok(ToolMark {
        name: object.field("name")?.text()?,
        version: object.field("version")?.text()?,
    })
}

fn procedure(at: &At<'_>) -> Result<ProcedureFormulas, ReadError> {
    let object = at.object(&["procedure", "formulas"])?;
    let name = object.field("procedure")?;
    let procedure = match name.value {
        Value::String(name) => ProcedureName::Name(name.clone()),
        Value::Number(_) => ProcedureName::Number(name.number()?),
        _ => return Err(name.wrong("expected the name or the number of a procedure")),
    };
    let formulas = object.field("formulas")?.list()?;
    Ok(ProcedureFormulas {
        procedure,
        formulas: formulas.iter().map(said).collect::<Result<_, _>>()?,
    })
}

fn said(at: &At<'_>) -> Result<NodeFormula, ReadError> {
    let object = at.object(&["node", "line", "kind", "formula"])?;
    let kind = object.field("kind")?;
    let text = kind.text()?;
    let found = NodeKind::ALL.iter().find(|(it, _)| *it == text);
    let &(_, kind) = found.ok_or_else(|| kind.wrong("there is no such kind of node"))?;
    let line = match object.optional("line") {
        None => None,
        Some(line) => match line.number()? {
            0 => return Err(line.wrong("lines are counted from 1")),
            number => Some(number),
        },
    };
    let formula = object.field("formula")?;
    let text = formula.text()?;
    if text.len() > LONGEST {
        return Err(formula.wrong(format!("the formula has more than {LONGEST} bytes")));
    }
    Ok(NodeFormula {
        node: object.field("node")?.number()?,
        line,
        kind,
        formula: text,
    })
}
