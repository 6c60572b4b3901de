//! What an answer about a C program depends on, in few words.

use recurva_cbuild::{Assumed, Assumption, Built};
use recurva_cir::{Module, Origin, Scalar};

/// Models of functions that only compute: they do exactly what the functions do, which tests compare
/// with the system's library. Nothing is assumed about them.
const EXACT: [&str; 8] = [
    "ctype.c",
    "memory.c",
    "string.c",
    "search.c",
    "numbers.c",
    "sort.c",
    "allocate.c",
    "errno.c",
];

/// So many names are listed.
const FEW: usize = 8;

/// Functions of which the same is assumed.
#[derive(Default)]
struct Group {
    names: Vec<Box<str>>,
    first: Origin,
}

impl Group {
    fn add(&mut self, name: &str, assumed: &Assumed) {
        if self.names.is_empty() {
            self.first = assumed.origin;
        }
        self.names.push(name.into());
    }

    /// The remark, with words for one function and for several.
    fn remark(&self, one: &str, several: &str) -> Option<(String, Origin)> {
        let mut quoted: Vec<String> = self.names.iter().map(|it| format!("`{it}`")).collect();
        if quoted.len() > FEW {
            let more = quoted.len() - FEW;
            quoted.truncate(FEW);
            quoted.push(format!("{more} more"));
        }
        let text = match &quoted[..] {
            [] => return None,
            [only] => format!("{only} {one}"),
            [first @ .., last] => format!("{} and {last} {several}", first.join(", ")),
        };
        Some((text, self.first))
    }
}

/// All that is assumed, and where the program first relies on it.
pub(super) fn assumed(built: &Built) -> Vec<(String, Origin)> {
    let (mut without, mut modelled, mut given) =
        (Group::default(), Group::default(), Group::default());
    let mut remarks = Vec::new();
    for assumed in &built.assumed {
        let text = match &assumed.what {
            Assumption::ExternalFunction(name) => {
                without.add(name, assumed);
                continue;
            }
            Assumption::Model(name) => {
                match library(&built.module, assumed.origin) {
                    Some(file) if EXACT.contains(&file) => {}
                    Some(_) => modelled.add(name, assumed),
                    None => given.add(name, assumed),
                }
                continue;
            }
            Assumption::ExternalStops(name) => format!("`{name}` has no body and does not return"),
            Assumption::ExternalVariable(name) => {
                format!("`{name}` is defined nowhere: it has any value at first")
            }
            Assumption::Arguments { count, length } => {
                format!("the program gets at most {count} arguments of at most {length} characters")
            }
            Assumption::Inputs(name) if !takes_pointers(&built.module, name) => continue,
            Assumption::Inputs(name) => {
                format!("pointers that `{name}` gets are null or point to an object of their own")
            }
            Assumption::AllocationSucceeds => "memory does not run out".to_owned(),
        };
        remarks.push((text, assumed.origin));
    }
    let groups = [
        without.remark(
            "has no body: it returns any value and changes nothing",
            "have no body: they return any value and change nothing",
        ),
        modelled.remark(
            "does what our model of it does: any input, any failure",
            "do what our models of them do: any input, any failure",
        ),
        given.remark("does what its model says", "do what their models say"),
    ];
    remarks.extend(groups.into_iter().flatten());
    remarks
}

/// Whether something that a function is given may be or have a pointer.
fn takes_pointers(module: &Module, name: &str) -> bool {
    let Some(function) = module.find_function(name) else {
        return false;
    };
    let function = module.function(function);
    let parameters = function.locals.iter().take(function.parameters as usize);
    let mut types = parameters.map(|it| module.types.scalar(it.ty));
    types.any(|ty| matches!(ty, None | Some(Scalar::Pointer)))
}

/// The file of our own models that a place is in.
fn library(module: &Module, origin: Origin) -> Option<&str> {
    let source = module.sources.get(origin.source.0 as usize)?;
    source.name.strip_prefix("<library>/")
}
