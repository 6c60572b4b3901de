//! The `empty` command: whether a nondeterministic automaton on nested trees accepts no tree.

use recurva_check::branching::empty;
use recurva_lang::nsm;
use recurva_logic::nta::Automaton;
use recurva_process::{Exit, Line, files, output};

use crate::{commands::convert::read_tree, options::EmptyArguments};

/// Asks, and shows a machine whose tree is accepted.
pub(crate) fn run(arguments: &EmptyArguments) -> Exit {
    match ask(arguments) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn ask(arguments: &EmptyArguments) -> Result<Exit, Exit> {
    let Automaton::Nondeterministic(automaton) = read_tree(&arguments.automaton)? else {
        output::error("whether an alternating automaton accepts any tree cannot be decided");
        output::help("`recurva check MODEL --spec x.nta` asks for the tree of one model");
        return Err(Exit::BadInput);
    };
    let mut line = Line::new(false);
    let found = empty(&automaton, arguments.limits.limits(), &mut line);
    drop(line);
    let found = found.map_err(|limit| {
        output::error(&format!("no answer: {}", recurva_report::limit(limit)));
        Exit::of_limit(limit)
    })?;
    let name = arguments.automaton.display();
    let Some(machine) = found else {
        output::stdout(format!("empty: {name} accepts no tree\n").as_bytes());
        return Ok(Exit::Holds);
    };
    let text = nsm::write(&machine);
    match &arguments.witness {
        Some(path) => files::store(path, &[&arguments.automaton], text.as_bytes())?,
        None => {
            let text = format!("not empty: {name} accepts the tree of this machine\n\n{text}");
            output::stdout(text.as_bytes());
        }
    }
    Ok(Exit::Violated)
}
