//! What the page is given. `page/src/document.ts` describes every field: change both.

#![expect(
    missing_docs,
    reason = "the page's own description is the one to keep true"
)]

use std::collections::BTreeMap;

use recurva_report::parts::MoveData;
use serde::Serialize;

/// Source, line, column, end line, end column: from 1, columns in UTF-16 units.
pub type Place = [u32; 5];

/// A slot and its new value.
pub type Change = (usize, String);

/// All that a page shows.
#[derive(Clone, Debug, Serialize)]
pub struct Document {
    pub format: &'static str,
    pub version: u32,
    pub recurva: &'static str,
    pub model: String,
    pub command: String,
    pub sources: Vec<SourceText>,
    pub machines: Vec<Machine>,
    pub drawings: Vec<NamedDrawing>,
    pub questions: Vec<Question>,
    pub free: Option<BTreeMap<String, FreeEntry>>,
}

impl Document {
    /// A document without anything to show yet.
    pub fn empty(model: &str, command: &str) -> Self {
        Document {
            format: "recurva-exploration",
            version: 1,
            recurva: env!("CARGO_PKG_VERSION"),
            model: model.to_owned(),
            command: command.to_owned(),
            sources: Vec::new(),
            machines: Vec::new(),
            drawings: Vec::new(),
            questions: Vec::new(),
            free: None,
        }
    }
}

/// A text.
#[derive(Clone, Debug, Serialize)]
pub struct SourceText {
    pub name: String,
    pub text: String,
}

/// A program.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    pub globals: Vec<Slot>,
    pub procedures: Vec<Procedure>,
    pub main: u32,
}

/// A variable, or an element of an array.
#[derive(Clone, Debug, Serialize)]
pub struct Slot {
    pub name: String,
    #[serde(rename = "type")]
    pub ty: String,
    #[serde(skip_serializing_if = "is_false")]
    pub hidden: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_false(value: &bool) -> bool {
    !value
}

/// A procedure with its drawings.
#[derive(Clone, Debug, Serialize)]
pub struct Procedure {
    pub name: String,
    pub signature: String,
    pub place: Option<Place>,
    pub locals: Vec<Slot>,
    pub parameters: usize,
    pub entry: u32,
    pub exit: u32,
    pub nodes: Vec<MachineNode>,
    pub edges: Vec<MachineEdge>,
    pub drawing: Option<Drawing>,
    pub folded: Option<FoldedDrawing>,
}

/// A node of a procedure.
#[derive(Clone, Debug, Serialize)]
pub struct MachineNode {
    pub place: Option<Place>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
}

/// An edge of a procedure.
#[derive(Clone, Debug, Serialize)]
pub struct MachineEdge {
    pub from: u32,
    pub to: u32,
    pub place: Option<Place>,
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callee: Option<u32>,
}

/// A drawing that has been laid out.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Drawing {
    pub width: f64,
    pub height: f64,
    pub nodes: Vec<DrawnNode>,
    pub edges: Vec<DrawnEdge>,
}

/// A drawing in which several nodes may be one.
#[derive(Clone, Debug, Serialize)]
pub struct FoldedDrawing {
    #[serde(flatten)]
    pub drawing: Drawing,
    pub shows: Vec<usize>,
}

/// A node of a drawing.
#[derive(Clone, Debug, Serialize)]
pub struct DrawnNode {
    pub id: String,
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
    pub shape: &'static str,
    pub lines: Vec<String>,
    pub classes: Vec<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ports: Vec<Port>,
}

/// Where edges enter or leave a call.
#[derive(Clone, Debug, Serialize)]
pub struct Port {
    pub x: f64,
    pub y: f64,
    pub label: String,
    pub kind: &'static str,
}

/// An edge of a drawing.
#[derive(Clone, Debug, Serialize)]
pub struct DrawnEdge {
    pub id: String,
    pub from: usize,
    pub to: usize,
    pub points: Vec<[f64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<DrawnLabel>,
    pub classes: Vec<&'static str>,
}

/// The text at an edge.
#[derive(Clone, Debug, Serialize)]
pub struct DrawnLabel {
    pub text: String,
    pub x: f64,
    pub y: f64,
}

/// A drawing of the whole, or of a part with a name.
#[derive(Clone, Debug, Serialize)]
pub struct NamedDrawing {
    pub name: String,
    pub about: String,
    pub drawing: Drawing,
}

/// A property and what came out.
#[derive(Clone, Debug, Serialize)]
pub struct Question {
    pub property: String,
    pub verdict: &'static str,
    pub summary: String,
    pub message: String,
    pub notes: Vec<Note>,
    pub engine: String,
    pub stats: Vec<(&'static str, String)>,
    pub machine: Option<usize>,
    pub drawing: Option<usize>,
    pub evidence: Option<Evidence>,
}

/// What else should be known.
#[derive(Clone, Debug, Serialize)]
pub struct Note {
    pub text: String,
    pub help: Option<String>,
    pub place: Option<Place>,
}

/// What shows the verdict.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Evidence {
    Run(Box<Run>),
    Strategy(Strategy),
    Words(Words),
}

/// A run of a program.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    pub globals: Vec<String>,
    pub locals: Vec<String>,
    pub monitor: Option<MonitorStart>,
    pub steps: Vec<Step>,
    pub segments: Vec<Segment>,
    pub turn: Option<Turn>,
    pub length: String,
    pub end: End,
    pub table: Option<FormulaTable>,
}

/// A monitor, and the states it begins in.
#[derive(Clone, Debug, Serialize)]
pub struct MonitorStart {
    pub name: String,
    pub start: String,
}

/// What is repeated for ever.
#[derive(Clone, Debug, Serialize)]
pub struct Turn {
    pub start: usize,
    pub length: usize,
    pub frames: usize,
    pub varies: Vec<String>,
}

/// What is wrong at the end.
#[derive(Clone, Debug, Serialize)]
pub struct End {
    pub what: String,
    pub place: Option<Place>,
}

/// One step.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Step {
    pub edge: i64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub globals: Vec<Change>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub locals: Vec<Change>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub monitor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<Call>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enter: Option<Enter>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap: Option<Gap>,
}

/// A call that returns.
#[derive(Clone, Debug, Serialize)]
pub struct Call {
    pub segment: Option<usize>,
    pub invocation: String,
    pub results: String,
    pub length: String,
}

/// A call that does not return.
#[derive(Clone, Debug, Serialize)]
pub struct Enter {
    pub invocation: String,
    pub locals: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub monitor: Option<String>,
}

/// Steps that are not stored.
#[derive(Clone, Debug, Serialize)]
pub struct Gap {
    pub steps: String,
    pub hidden: usize,
    pub frames: Vec<GapFrame>,
}

/// A frame that was entered among steps that are not stored.
#[derive(Clone, Debug, Serialize)]
pub struct GapFrame {
    pub procedure: u32,
    pub edge: i64,
    pub locals: Vec<String>,
}

/// The steps of a call that returns.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Segment {
    pub procedure: u32,
    pub locals: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub monitor: Option<String>,
    pub steps: Vec<Step>,
}

/// Which parts of a formula hold where.
#[derive(Clone, Debug, Serialize)]
pub struct FormulaTable {
    pub formulas: Vec<String>,
    pub rows: Vec<TableRow>,
    pub note: String,
}

/// A row of it.
#[derive(Clone, Debug, Serialize)]
pub struct TableRow {
    pub at: Vec<usize>,
    pub holds: Vec<bool>,
}

/// Why a formula about branching fails.
#[derive(Clone, Debug, Serialize)]
pub struct Strategy {
    pub formula: Vec<FormulaNode>,
    pub positions: Vec<StrategyPosition>,
}

/// A part of the formula.
#[derive(Clone, Debug, Serialize)]
pub struct FormulaNode {
    pub text: String,
    pub operator: String,
    pub children: Vec<usize>,
}

/// A state in the strategy.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StrategyPosition {
    pub state: String,
    pub state_kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub procedure: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point: Option<[u32; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    pub values: Vec<String>,
    pub fails: String,
    pub formula: Option<usize>,
    pub facts: Vec<String>,
    pub moves: Vec<MoveData>,
}

/// A run of a system of any size.
#[derive(Clone, Debug, Serialize)]
pub struct Words {
    pub words: Vec<Vec<String>>,
    pub actions: Vec<String>,
    pub turn: Option<usize>,
    pub process: Option<usize>,
}

/// A state in free exploration.
#[derive(Clone, Debug, Serialize)]
pub struct FreeState {
    pub picks: String,
    pub machine: usize,
    pub globals: Vec<String>,
    pub stack: Vec<FreeFrame>,
    pub hidden: usize,
    pub choices: Vec<Choice>,
    pub note: String,
    pub open: Vec<OpenChoice>,
}

/// A state that is stored, or the name under which it is.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum FreeEntry {
    State(Box<FreeState>),
    Same(String),
}

/// A frame of it.
#[derive(Clone, Debug, Serialize)]
pub struct FreeFrame {
    pub procedure: u32,
    pub node: u32,
    pub edge: Option<u32>,
    pub locals: Vec<String>,
}

/// What can be done next.
#[derive(Clone, Debug, Serialize)]
pub struct Choice {
    pub pick: String,
    pub kind: &'static str,
    pub edge: Option<u32>,
    pub text: String,
    pub note: String,
    pub to: [u32; 2],
}

/// An edge with more values than are listed.
#[derive(Clone, Debug, Serialize)]
pub struct OpenChoice {
    pub edge: u32,
    pub over: bool,
    pub types: Vec<String>,
    pub names: Vec<String>,
}

/// How far a check is.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Status {
    pub state: &'static str,
    pub question: usize,
    pub questions: usize,
    pub property: String,
    pub seconds: f64,
    pub explicit: Option<ExplicitStatus>,
    pub symbolic: Option<SymbolicStatus>,
    pub work: Option<WorkStatus>,
}

/// The search over explicit states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExplicitStatus {
    pub states: u64,
    pub path_edges: u64,
    pub waiting: u64,
    pub rate: f64,
    pub bytes: u64,
}

/// The search with decision diagrams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SymbolicStatus {
    pub nodes: u64,
    pub steps: u64,
    pub bytes: u64,
}

/// Work that is neither of the two searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct WorkStatus {
    pub what: &'static str,
    pub round: u64,
    pub number: u64,
    pub unit: &'static str,
    pub bytes: u64,
}
