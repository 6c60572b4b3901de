//! Random small programs as source text.
//!
//! A program is a function of its seed and the configuration, well-typed by construction,
//! and small in its data, so that brute force can look at all of it. It is text so that a
//! failing test prints something a person can read and cut down, and so that the front end
//! is tested along with the engines.
//!
//! Every operator's operands are in parentheses: both dialects read the text alike.

mod automaton;
mod expression;
mod monitor;
mod scope;
mod statement;

use std::fmt::Write as _;

pub use automaton::automaton;
pub use monitor::monitor;

use crate::rng::Rng;
use scope::{Kind, Name, Scope, Signature};
use statement::Body;

/// What programs are made of. Chances are in percent.
#[derive(Clone, Debug)]
pub struct Config {
    /// The largest number of procedures besides main, at least 1.
    pub procedures: usize,
    /// The largest number of global variables.
    pub globals: usize,
    /// The largest number of locals of a procedure besides its parameters.
    pub locals: usize,
    /// The largest number of parameters.
    pub parameters: usize,
    /// The largest number of results.
    pub results: usize,
    /// The largest number of bits of all globals together, and of the parameters, results
    /// and locals of a procedure together.
    pub bits: usize,
    /// The largest number of statements in a row.
    pub statements: usize,
    /// How deep statements nest.
    pub nesting: usize,
    /// The chance that a variable is an integer.
    pub integers: u8,
    /// The chance that a program has an array.
    pub arrays: u8,
    /// The chance that a program may divide by zero and leave the range of arrays.
    pub faults: u8,
    /// The chance that a procedure has an enforce clause.
    pub enforce: u8,
    /// The chance that a statement has a label.
    pub labels: u8,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            procedures: 2,
            globals: 2,
            locals: 2,
            parameters: 2,
            results: 2,
            bits: 3,
            statements: 4,
            nesting: 2,
            integers: 35,
            arrays: 15,
            faults: 30,
            enforce: 8,
            labels: 60,
        }
    }
}

/// A random boolean program. The same seed and configuration give the same text.
///
/// ```
/// use recurva_testkit::generate::{Config, generate};
///
/// let text = generate(7, &Config::default());
/// assert!(text.contains("void main() begin"));
/// assert_eq!(text, generate(7, &Config::default()));
/// ```
pub fn generate(seed: u64, config: &Config) -> String {
    let mut rng = Rng::new(seed);
    let faults = rng.chance(config.faults);
    let globals = declare_globals(&mut rng, config);
    let procedures = 1 + rng.below(config.procedures.max(1));
    let signatures: Vec<Signature> = (0..procedures)
        .map(|index| signature(&mut rng, config, index))
        .collect();
    let main = Signature {
        name: "main".into(),
        parameters: vec![],
        results: vec![],
    };

    let mut text = format!("// seed {seed}\n");
    for name in &globals {
        let _ = writeln!(text, "decl {};", name.declaration());
    }
    let mut labels = 0;
    for own in signatures.iter().chain([&main]) {
        let locals = declare_locals(&mut rng, config, own);
        let mut visible = own.parameters.clone();
        visible.extend(locals.iter().cloned());
        // A local hides the global of its name, so that name must not be offered twice.
        let hidden = |name: &Name| visible.iter().any(|local| local.name == name.name);
        let outer: Vec<Name> = globals.iter().filter(|g| !hidden(g)).cloned().collect();
        visible.extend(outer);
        let scope = Scope {
            names: visible,
            faults,
        };

        let _ = writeln!(text, "\n{} begin", own.head());
        for name in &locals {
            let _ = writeln!(text, "  decl {};", name.declaration());
        }
        if rng.chance(config.enforce) {
            let mut budget = 0;
            let condition = scope.boolean(&mut rng, 2, &mut budget);
            let _ = writeln!(text, "  enforce {condition};");
        }
        let mut body = Body {
            rng: &mut rng,
            config,
            scope: &scope,
            own,
            signatures: &signatures,
            labels: &mut labels,
            own_labels: Vec::new(),
            lines: Vec::new(),
        };
        for name in &locals {
            body.initialise(name);
        }
        body.block(config.nesting, 0);
        body.end();
        for line in body.finish() {
            let _ = writeln!(text, "  {line}");
        }
        text.push_str("end\n");
    }
    text
}

fn declare_globals(rng: &mut Rng, config: &Config) -> Vec<Name> {
    let mut bits = config.bits;
    let mut names = Vec::new();
    if rng.chance(config.arrays) {
        let len = 2 + rng.below(2);
        if bits >= len {
            bits -= len;
            names.push(Name {
                name: "a".into(),
                kind: Kind::Bool,
                len: Some(len),
            });
        }
    }
    let count = 1 + rng.below(config.globals.max(1));
    names.extend(scalars(rng, config, "g", count, &mut bits));
    names
}

fn declare_locals(rng: &mut Rng, config: &Config, own: &Signature) -> Vec<Name> {
    let used: usize = own.parameters.iter().map(Name::bits).sum::<usize>()
        + own.results.iter().map(|kind| kind.bits()).sum::<usize>();
    let mut bits = config.bits.saturating_sub(used);
    let count = rng.below(config.locals + 1);
    let mut names = scalars(rng, config, "x", count, &mut bits);
    if let Some(first) = names.first_mut()
        && rng.chance(5)
    {
        first.name = "g0".into();
    }
    names
}

fn signature(rng: &mut Rng, config: &Config, index: usize) -> Signature {
    let mut bits = config.bits;
    let count = rng.below(config.parameters + 1);
    let parameters = scalars(rng, config, "p", count, &mut bits);
    let count = rng.below(config.results + 1);
    let results = scalars(rng, config, "r", count, &mut bits);
    let results = results.into_iter().map(|name| name.kind).collect();
    Signature {
        name: format!("f{index}"),
        parameters,
        results,
    }
}

/// Up to `count` scalars that fit into the bits that are left.
fn scalars(
    rng: &mut Rng,
    config: &Config,
    prefix: &str,
    count: usize,
    bits: &mut usize,
) -> Vec<Name> {
    let mut names = Vec::new();
    for index in 0..count {
        let kind = if rng.chance(config.integers) {
            match rng.below(4) {
                0 => Kind::Unsigned(1),
                1 => Kind::Unsigned(2),
                2 => Kind::Unsigned(3),
                _ => Kind::Signed(2),
            }
        } else {
            Kind::Bool
        };
        if kind.bits() > *bits {
            continue;
        }
        *bits -= kind.bits();
        names.push(Name {
            name: format!("{prefix}{index}"),
            kind,
            len: None,
        });
    }
    names
}
