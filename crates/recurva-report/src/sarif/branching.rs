//! Outcomes about branching in a log.

use recurva_check::nested::{NestedOutcome, NestedVerdict};
use recurva_model::Program;
use serde_json::json;

use super::{Answer, Log, Rule};
use crate::{Detail, Layout, NestedQuestion, Question, nested_text};

/// At most this many characters of a strategy stand in a message.
const STRATEGY: usize = 4000;

impl Log {
    /// Adds the outcome of a check of a formula of NT-µ. The strategy that refutes a formula is told in
    /// words; a run to where the formula fails, if there is one, is a code flow.
    pub fn add_nested(
        &mut self,
        question: &NestedQuestion<'_>,
        program: Option<&Program>,
        outcome: &NestedOutcome<'_>,
        layout: Layout,
    ) {
        let answer = match outcome.verdict {
            NestedVerdict::Holds => Answer::Holds,
            NestedVerdict::Violated(_) | NestedVerdict::Unfinished(_) => Answer::Violated,
            NestedVerdict::Unknown(_) => Answer::Unknown,
        };
        // What a code flow tells need not be told twice.
        let told = match &outcome.verdict {
            NestedVerdict::Violated(refutation) if refutation.run.is_some() => Layout {
                detail: Detail::None,
                ..layout
            },
            _ => layout,
        };
        let text = nested_text(question, program, outcome, told);
        // The last line has figures that are of no use here.
        let text = text
            .trim_end()
            .rsplit_once('\n')
            .map_or("", |(text, _)| text);
        let mut text = text.trim_end().to_owned();
        if let Some((end, _)) = text.char_indices().nth(STRATEGY) {
            text.truncate(end);
            text.push_str("…\n(The rest of the strategy is left out.)");
        }
        let mut result = self.answered(Rule::Ntmu, question.source.name(), answer, &text);
        if let (NestedVerdict::Violated(refutation), Some(program)) = (&outcome.verdict, program)
            && let Some(run) = &refutation.run
        {
            let (property, outcome) = &**run;
            let question = Question::new(question.source, program, property);
            self.add(&question, outcome, layout);
            if let Some(run) = self.results.pop() {
                for field in ["locations", "codeFlows", "stacks"] {
                    if let Some(value) = run.get(field) {
                        result[field] = value.clone();
                    }
                }
            }
        }
        result["properties"] = json!({ "property": question.property.name, "engine": "nested" });
        self.results.push(result);
    }
}
