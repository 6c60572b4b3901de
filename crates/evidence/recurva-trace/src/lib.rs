//! Trace files, `.trace.json`: a run that violates a property, together with what was asked, so
//! that it can be kept, sent to somebody, and replayed on the same model or on a later one.
//!
//! A [`TraceFile`] has the decisions of a run and no states: what the run does follows from the
//! model, so a file cannot lie about it. Procedures are named, so a file outlives edits elsewhere
//! in the model. [`TraceFile::read`] checks all that can be told without the model and never
//! panics; whether it is a run is for `recurva_evidence::replay` to say.
//!
//! The format is described in `docs/src/reference/outputs.md` and by the schema `docs/src/reference/trace.schema.json`.
//!
//! ```
//! use recurva_trace::{End, FileMark, Options, Question, Recording, Run, TraceFile};
//! # use recurva_evidence::Trace;
//! # use recurva_model::*;
//! # let main = Procedure {
//! #     name: "main".into(), locals: vec![], parameters: 0, results: vec![],
//! #     nodes: vec![Node::default(); 2], edges: vec![], entry: NodeId(0), exit: NodeId(1),
//! #     origin: Origin::default(),
//! # };
//! # let program = Program::new(Parts {
//! #     globals: vec![], procedures: vec![main], main: ProcId(0), labels: vec![], failures: vec![],
//! # })?;
//! # let trace = Trace {
//! #     globals: [].into(), locals: [].into(), bodies: vec![], stem: vec![], turn: None,
//! # };
//! let file = TraceFile {
//!     property: "label L is unreachable".to_owned(),
//!     model: FileMark::of("model.bp", "void main() begin L: skip; end"),
//!     question: Question::Reach { label: "L".to_owned() },
//!     options: Options::default(),
//!     end: End { what: "label `L` is reached".to_owned(), ..End::default() },
//!     run: Run::Trace(Recording::of(&program, trace.clone())),
//! };
//! let mut text = Vec::new();
//! file.write(&mut text)?;
//!
//! let read = TraceFile::read(&text)?;
//! assert_eq!(read, file);
//! let Run::Trace(recording) = read.run else { unreachable!() };
//! assert_eq!(recording.on(&program)?, trace);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod file;
mod hash;
mod read;
mod recording;
mod shape;
mod write;

pub use file::{
    CReading, DataModel, Dialect, End, FileMark, Options, Question, Run, Runs, Stack,
    StrategyClaim, StrategyReason, StrategyRecording, TraceFile, Words,
};
pub use hash::sha256;
pub use read::ReadError;
pub use recording::{Recording, UnknownProcedure};
