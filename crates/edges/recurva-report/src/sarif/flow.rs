//! Code flows: a run as a list of places.

use std::collections::HashMap;

use recurva_check::{CRun, RunContext};
use recurva_evidence::{Lasso, Replayed};
use recurva_lang::provenance::Place;
use recurva_model::{Origin, semantics::Frame};
use serde_json::{Map, Value, json};

use super::{Files, function_of};
use crate::{
    Layout,
    c_run::show_c_run,
    lines::Lines,
    numbers::counted,
    trace::{Kind, Show, Shown, show_trace},
    values,
    verdict::Failing,
};

/// At most this many frames of a call stack are listed.
const FRAMES: usize = 100;

/// What is needed to tell a run.
pub(super) struct Flow<'a, 'f> {
    files: &'f mut Files,
    run: &'a RunContext<'a>,
    replayed: &'a Replayed<'a>,
    lines: &'a Lines<'a>,
    c_run: Option<&'a CRun>,
    /// Places in C, each with its number as a related location.
    related: Vec<Value>,
    known: HashMap<&'a Place, usize>,
}

impl<'a, 'f> Flow<'a, 'f> {
    pub(super) fn new(
        files: &'f mut Files,
        run: &'a RunContext<'a>,
        replayed: &'a Replayed<'a>,
        lines: &'a Lines<'a>,
        c_run: Option<&'a CRun>,
    ) -> Self {
        Flow {
            files,
            run,
            replayed,
            lines,
            c_run,
            related: Vec::new(),
            known: HashMap::new(),
        }
    }

    /// Places in C that were related to.
    pub(super) fn into_related(self) -> Vec<Value> {
        self.related
    }

    /// A place of the model, with a message.
    pub(super) fn location(&mut self, origin: Origin, message: &str) -> Value {
        let region = self.lines.region(origin);
        let file = region.map_or(self.run.source.name(), |region| region.file);
        let mut out = json!({
            "physicalLocation": self.files.physical(file, region.as_ref()),
            "message": { "text": message },
        });
        if let Some(number) = self.relate(origin) {
            out["relationships"] = json!([{ "target": number, "kinds": ["relevant"] }]);
        }
        out
    }

    /// The number of the place in C that something came from.
    fn relate(&mut self, origin: Origin) -> Option<usize> {
        if origin.is_none() {
            return None;
        }
        let place = self.run.places?.at(origin.start)?;
        // The model may be the C program itself.
        let region = self.lines.region(origin)?;
        if region.file == &*place.file && region.start.0 == place.line as usize {
            return None;
        }
        let number = self.related.len() + 1;
        if let Some(&known) = self.known.get(place) {
            return Some(known);
        }
        self.known.insert(place, number);
        let mut location = self.files.place(place);
        location["id"] = number.into();
        location["message"] = json!({ "text": "where this came from in C" });
        self.related.push(location);
        Some(number)
    }

    /// The steps of the run, and what is to be said of all of them.
    pub(super) fn thread(&mut self, layout: Layout, failing: &Failing) -> (String, Vec<Value>) {
        let replayed = self.replayed;
        let lines = self.lines;
        let mut steps = Steps {
            flow: self,
            list: Vec::new(),
            turn: None,
            cut: 0,
        };
        let c_run = steps.flow.c_run;
        match c_run {
            Some(run) => show_c_run(&mut steps, run, lines, layout, failing),
            None => show_trace(&mut steps, replayed, lines, layout, failing),
        }
        let (list, cut) = (steps.list, steps.cut);
        let length = c_run.map_or(replayed.length(), |run| run.length);
        let length = counted(length, "step");
        let mut message = match replayed.lasso() {
            None => format!("A run of {length}."),
            Some(lasso) => {
                let turn = counted(lasso.length(), "step");
                format!("A run of {length}, then a turn of {turn} that is repeated for ever.")
            }
        };
        if cut > 0 {
            message += &format!(" {} are folded here.", counted(cut, "step"));
        }
        (message, list)
    }

    /// The call stack at the end, innermost first.
    pub(super) fn stack(&mut self, at: Origin) -> Value {
        if let Some(run) = self.c_run {
            return self.c_stack(run, at);
        }
        let replayed = self.replayed;
        let end = replayed.end();
        let shown: Vec<Value> = end
            .stack
            .iter()
            .rev()
            .take(FRAMES)
            .map(|frame| self.frame(frame, at))
            .collect();
        let mut message = match replayed.lasso() {
            Some(lasso) if lasso.length() > 0 => "Call stack after the first turn".to_owned(),
            _ => "Call stack at the end".to_owned(),
        };
        let hidden = end.stack.len() - shown.len();
        if hidden > 0 {
            message += &format!(
                "; {} further out are left out",
                counted(hidden as u64, "frame")
            );
        }
        json!({ "message": { "text": message }, "frames": shown })
    }

    fn c_stack(&mut self, run: &CRun, at: Origin) -> Value {
        let stack = &run.end.stack;
        let mut shown = Vec::new();
        for (index, frame) in stack.iter().rev().take(FRAMES).enumerate() {
            let origin = if index == 0 { at } else { frame.origin };
            let mut location = self.location(origin, &frame.invocation());
            location["logicalLocations"] = json!([function_of(&frame.function)]);
            shown.push(json!({ "location": location }));
        }
        let mut message = "Call stack at the end".to_owned();
        let hidden = stack.len() + run.end.hidden - shown.len();
        if hidden > 0 {
            let frames = counted(hidden as u64, "frame");
            message += &format!("; {frames} further out are left out");
        }
        json!({ "message": { "text": message }, "frames": shown })
    }

    fn frame(&mut self, frame: &Frame, at: Origin) -> Value {
        let program = self.replayed.program();
        let origin = match frame.pending {
            Some(edge) => program.edge(frame.procedure, edge).origin,
            None => at,
        };
        let invocation = values::invocation(self.replayed.machine(), frame);
        let mut location = self.location(origin, &invocation);
        let name = &program.procedure(frame.procedure).name;
        location["logicalLocations"] = json!([function_of(name)]);
        json!({ "location": location })
    }
}

/// Makes a place of each step.
struct Steps<'a, 'f, 's> {
    flow: &'s mut Flow<'a, 'f>,
    list: Vec<Value>,
    /// What is to be said of the next step: that the turn begins with it.
    turn: Option<String>,
    cut: u64,
}

impl Show for Steps<'_, '_, '_> {
    fn step(&mut self, shown: &Shown<'_>) {
        let mut parts: Vec<&str> = Vec::new();
        let turn = self.turn.take();
        parts.extend(turn.as_deref());
        parts.push(shown.text);
        parts.extend(shown.notes.iter().map(String::as_str));
        parts.push(shown.monitor);
        parts.retain(|part| !part.is_empty());
        let mut message = parts.join("  ");
        if message.is_empty() {
            message = shown.changes.join(", ");
        }
        let (kinds, importance) = match shown.kind {
            Kind::Start => (vec!["enter", "function"], "important"),
            Kind::Call | Kind::FoldedCall => (vec!["call", "function"], "important"),
            Kind::Return => (vec!["return", "function"], "important"),
            Kind::End => (vec!["danger"], "essential"),
            Kind::Folded => (vec![], "unimportant"),
            Kind::Internal if !shown.monitor.is_empty() => (vec!["value"], "important"),
            Kind::Internal if shown.truth.is_some() => (vec!["branch"], "important"),
            Kind::Internal if !shown.inputs.is_empty() => (vec!["taint"], "important"),
            Kind::Internal if !shown.changes.is_empty() => (vec!["value"], "important"),
            Kind::Internal => (vec![], "unimportant"),
        };
        let importance = if turn.is_some() {
            "essential"
        } else {
            importance
        };
        let mut step = json!({
            "location": self.flow.location(shown.origin, &message),
            // The line of a statement stands below that of its procedure, if there is one.
            "nestingLevel": shown.depth,
            "executionOrder": self.list.len() + 1,
            "importance": importance,
        });
        if !kinds.is_empty() {
            step["kinds"] = json!(kinds);
        }
        let state: Map<String, Value> = shown
            .changes
            .iter()
            .filter_map(|change| change.split_once('='))
            .map(|(name, value)| (name.to_owned(), json!({ "text": value })))
            .collect();
        if !state.is_empty() {
            step["state"] = state.into();
        }
        self.list.push(step);
    }

    fn turn(&mut self, lasso: &Lasso) {
        let steps = counted(lasso.length(), "step");
        self.turn = Some(format!("Turn, {steps}, repeated for ever:"));
    }

    fn cut(&mut self, steps: u64) {
        self.cut = steps;
    }
}
