//! From machines to text.

use std::fmt::Write;

use recurva_model::{Nsm, nsm::Kind};

use crate::flat::{plain, quoted};

/// The machine as the text of a `.nsm` file. Names that are not made of letters, digits, dots
/// and the like are put in quotes.
pub fn write(nsm: &Nsm) -> String {
    let mut out = String::new();
    let names: Vec<String> = nsm.states().iter().map(|state| word(&state.name)).collect();
    for (state, name) in nsm.states().iter().zip(&names) {
        let kind = match state.kind {
            Kind::Local => "local ",
            Kind::Call => "call  ",
            Kind::Return => "return",
        };
        let _ = write!(out, "{kind} {name}");
        let propositions = state.propositions.iter();
        let propositions: Vec<String> = propositions
            .map(|proposition| word(&nsm.propositions()[proposition.index()]))
            .collect();
        if !propositions.is_empty() {
            let _ = write!(out, " : {}", propositions.join(", "));
        }
        out.push('\n');
    }
    let _ = writeln!(out, "init   {}", names[nsm.init().index()]);
    for state in nsm.ids() {
        let from = &names[state.index()];
        for to in nsm.locals(state) {
            let _ = writeln!(out, "{from} -> {}", names[to.index()]);
        }
        for to in nsm.calls(state) {
            let _ = writeln!(out, "{from} -call-> {}", names[to.index()]);
        }
        for (pending, to) in nsm.returns(state) {
            let (pending, to) = (&names[pending.index()], &names[to.index()]);
            let _ = writeln!(out, "({from}, {pending}) -ret-> {to}");
        }
    }
    out
}

fn word(text: &str) -> String {
    let dotted = text.split('.').all(plain);
    if dotted {
        text.to_owned()
    } else {
        quoted(text)
    }
}
