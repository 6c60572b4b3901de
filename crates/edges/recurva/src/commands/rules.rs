//! `recurva rules`: the library of rules.

use clap::Args;
use recurva_pal::library::{RULES, Rule};
use recurva_process::{Exit, output};

use crate::rules;

/// What `rules` is told.
#[derive(Args, Debug)]
pub(crate) struct RulesArguments {
    /// Print this rule, as a start for one of your own.
    #[arg(value_name = "RULE", value_parser = rules::names(), hide_possible_values = true)]
    pub(crate) name: Option<String>,
}

/// Lists the rules, or prints one.
pub(crate) fn run(arguments: &RulesArguments) -> Exit {
    let named = arguments.name.as_deref().and_then(Rule::named);
    let text = match named {
        Some(rule) => rule.text.to_owned(),
        None => list(),
    };
    output::stdout(text.as_bytes());
    Exit::Holds
}

/// One line for each rule.
fn list() -> String {
    let widest = RULES.iter().map(|rule| rule.name.len()).max();
    let width = widest.unwrap_or_default();
    let lines = RULES.iter();
    let lines = lines.map(|rule| format!("{:width$}  {}\n", rule.name, rule.about()));
    lines.collect()
}
