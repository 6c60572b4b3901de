//! The command line's grammar.

use std::{ffi::OsString, path::PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use recurva_check::{Engine, Format as ModelFormat};

use crate::{
    c::{CArguments, Extra},
    commands::{
        analyze::AnalyzeArguments,
        reach::ReachArguments,
        rules::RulesArguments,
        verify::{VERIFY_CODES, VerifyArguments},
    },
    limits::LimitArguments,
    rules,
};

/// Model checker for recursive programs.
#[derive(Debug, Parser)]
#[command(name = "recurva", version, propagate_version = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check a model against its properties and show a counterexample.
    ///
    /// Without --reach, --ltl, --caret, --ntmu, --repeat, --spec and --rule the model's own property
    /// is checked: no assertion fails and no label ERROR or SLIC_ERROR is reached; in a C program
    /// reach_error and __VERIFIER_error are not called either.
    #[command(after_help = EXIT_CODES)]
    Check(Box<CheckArguments>),
    /// Open a page on which an answer can be looked at: the source, the counterexample step by step,
    /// the machine, and any other state.
    ///
    /// The question is asked as by check. The page is served on this machine only, until Ctrl-C.
    #[command(after_help = EXIT_CODES)]
    Explore(Box<ExploreArguments>),
    /// Convert a formula or an automaton into an automaton, or a model into a flat machine.
    Convert(ConvertArguments),
    /// Ask whether a nondeterministic automaton on nested trees accepts any, and show one.
    #[command(after_help = EMPTY_CODES)]
    Empty(EmptyArguments),
    /// Draw a program, a machine, an automaton or a system of any size.
    Draw(Box<DrawArguments>),
    /// Watch C programs with monitors written in PAL.
    #[command(subcommand)]
    Pal(PalCommand),
    /// List the rules for C programs that check --rule and pal cc --rule know, or print one.
    Rules(RulesArguments),
    /// Ask which nodes of a graph are connected by paths of a context-free language, or which
    /// vertices of a recursive state machine by runs.
    ///
    /// Without --from, --to, --witness and --out it is counted how many pairs there are.
    #[command(after_help = REACH_CODES)]
    Reach(Box<ReachArguments>),
    /// Data flow over a program: variables that are read before they are assigned, or that are
    /// live; functions of a C program that no run calls.
    #[command(after_help = ANALYZE_CODES)]
    Analyze(AnalyzeArguments),
    /// Serve an editor: the Language Server Protocol over the standard input and output.
    ///
    /// Mistakes as you type, names and types, and checks where properties stand, for .bp, .rem,
    /// .rmc, .pal, .ltl, .caret, .ntmu, .mon, .rsm, .pds, .nsm and .nta files.
    Lsp,
    /// Replay a run that check --save-trace has written: is it still a violation?
    #[command(after_help = REPLAY_CODES)]
    Replay(ReplayArguments),
    /// Check a proof that check --certificate has written: does it show that the property holds?
    #[command(after_help = VERIFY_CODES)]
    Verify(VerifyArguments),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page.
    Man,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PalCommand {
    /// Compile or link as a C compiler does, with a monitor in every unit.
    ///
    /// Stands for the compiler, as in make CC='recurva pal cc -m rule.pal -- gcc'.
    Cc(PalCcArguments),
    /// Put a monitor into one unit and write the C that comes of it.
    Instrument(PalInstrumentArguments),
    /// Say how many calls and assignments each event matched in objects or programs.
    Coverage {
        /// The monitor (.pal or .spc).
        #[arg(short, long, value_name = "FILE")]
        monitor: PathBuf,
        /// Objects, archives, libraries or programs that recurva pal cc made.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Write recurva_pal.c and recurva_pal.h, which instrumented programs are linked with.
    Runtime {
        /// The folder to write them into.
        #[arg(long, value_name = "FOLDER", default_value = ".")]
        out: PathBuf,
    },
}

#[derive(Args, Debug)]
pub(crate) struct PalCcArguments {
    /// The monitor (.pal or .spc).
    #[arg(short, long, value_name = "FILE", required_unless_present = "rule")]
    pub(crate) monitor: Option<PathBuf>,

    /// In place of a monitor: this rule of the library.
    #[arg(long, value_name = "RULE", value_parser = rules::names(), conflicts_with = "monitor")]
    pub(crate) rule: Option<String>,

    /// What a program does when a guard does not hold; the environment variable RECURVA_PAL
    /// says otherwise when it runs.
    #[arg(long, value_enum, default_value_t = PalPolicy::Abort)]
    pub(crate) policy: PalPolicy,

    /// Do not warn of events that match nothing in a program.
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// The compiler and its arguments.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

#[derive(Args, Debug)]
pub(crate) struct PalInstrumentArguments {
    /// The unit.
    pub(crate) unit: PathBuf,

    /// The monitor (.pal or .spc).
    #[arg(short, long, value_name = "FILE")]
    pub(crate) monitor: PathBuf,

    /// Where to write the result; without it, to the standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// The compiler that preprocesses the unit, with its options.
    #[arg(last = true, value_name = "COMMAND", default_value = "cc")]
    pub(crate) command: Vec<OsString>,
}

/// What a monitored program does when a guard does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PalPolicy {
    /// Report and abort.
    Abort,
    /// Report and exit with status 86.
    Exit,
    /// Report and go on.
    Log,
    /// Go on, and say how many there were at the end.
    Count,
}

/// What `replay` is told.
#[derive(Args, Debug)]
pub(crate) struct ReplayArguments {
    /// The model, which may have changed since.
    pub(crate) model: PathBuf,

    /// The trace file.
    #[arg(value_name = "TRACE")]
    pub(crate) file: PathBuf,

    /// The file that the property is in, if it is not where it was.
    #[arg(long, value_name = "FILE")]
    pub(crate) spec: Option<PathBuf>,

    /// How much of the run to show.
    #[arg(long, value_enum, default_value_t = Trace::Folded)]
    pub(crate) trace: Trace,

    /// For a formula, show which of its parts hold at each step.
    #[arg(long)]
    pub(crate) subformulas: bool,

    /// The form of the report.
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,

    #[command(flatten)]
    pub(crate) limits: LimitArguments,

    /// Print nothing but errors: the exit code is the answer.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

const REPLAY_CODES: &str = "\
Exit codes:
  1    confirmed: the run violates the property
  2    the input or the command line is wrong
  3    not confirmed: the trace is no run of this model, or no violation
  70   internal error";

const EMPTY_CODES: &str = "\
Exit codes:
  0    it accepts no tree
  1    it accepts some tree
  2    the input or the command line is wrong
  3    a limit was hit";

const REACH_CODES: &str = "\
Exit codes:
  0    answered
  2    the input or the command line is wrong
  3    a limit was hit";

const ANALYZE_CODES: &str = "\
Exit codes:
  0    nothing was found
  1    a variable may be read before it is assigned, or a function is never called
  2    the input or the command line is wrong";

const EXIT_CODES: &str = "\
Exit codes:
  0    every property holds
  1    some property is violated
  2    the input or the command line is wrong
  3    unknown: a limit was hit before an answer
  70   internal error
  130  interrupted";

/// What is asked, and how the answer is to be found: the same for every command that checks.
#[derive(Args, Debug)]
pub(crate) struct QuestionArguments {
    #[arg(help = models())]
    pub(crate) model: PathBuf,

    #[command(flatten)]
    pub(crate) c: CArguments,

    /// Check that no node with this label is reached; PROCEDURE::LABEL picks one procedure's. Of a C
    /// program also the name of a function, which must not be called. May be given several times.
    #[arg(long, value_name = "LABEL")]
    pub(crate) reach: Vec<String>,

    /// Check that every infinite run satisfies this formula of linear-time temporal logic, such
    /// as 'G(@acquire -> F @release)'. May be given several times.
    #[arg(long, value_name = "FORMULA")]
    pub(crate) ltl: Vec<String>,

    /// Check that every infinite run satisfies this formula of CaRet: linear-time temporal logic
    /// with operators that jump over calls (X_a, U_a, …) and to callers (X_c, U_c, …), such as
    /// 'G(@begin -> F_a @end)'. May be given several times.
    #[arg(long, value_name = "FORMULA")]
    pub(crate) caret: Vec<String>,

    /// Check that this formula of NT-µ holds, such as 'AG(on_stack(f) -> locked)': branching
    /// time with calls linked to their returns. May be given several times.
    #[arg(long, value_name = "FORMULA")]
    pub(crate) ntmu: Vec<String>,

    /// Check that no run comes to nodes with this label again and again. May be given several
    /// times.
    #[arg(long, value_name = "LABEL")]
    pub(crate) repeat: Vec<String>,

    /// Check the monitors (.mon, .pal) or formulas (.ltl, .caret, .ntmu) in this file, that no
    /// infinite run is accepted by the automaton in it (.hoa), or that the tree of the machine is
    /// (.nta). Of a C program also the properties in a .prp file.
    #[arg(long, value_name = "FILE")]
    pub(crate) spec: Option<PathBuf>,

    /// Check only this monitor, formula or guard ('guard of event 2') of the --spec file, or only
    /// this property of a system of any size.
    #[arg(long, value_name = "NAME")]
    pub(crate) property: Option<String>,

    /// How = and != bind: weakest (boppo), or tighter than & (moped).
    #[arg(long, value_enum, default_value_t = Dialect::Boppo)]
    pub(crate) dialect: Dialect,

    /// Treat more things as errors. They join the model's own property, so this does not go with
    /// other questions.
    #[arg(long, value_enum, value_name = "WHAT",
          conflicts_with_all = ["reach", "ltl", "caret", "ntmu", "repeat", "spec"])]
    pub(crate) check: Vec<Extra>,

    /// Which infinite runs formulas, repeating labels and automata are about: all, those whose
    /// stack stays finite, or those whose stack grows for ever.
    #[arg(long, value_enum, default_value_t = Stack::Any)]
    pub(crate) stack: Stack,

    /// What an infinite run is: also one that returns from main and then stays in its last state
    /// (stutter), or only one that takes steps for ever (infinite). By default stutter for
    /// programs and infinite for flat machines.
    #[arg(long, value_enum)]
    pub(crate) runs: Option<Runs>,

    /// Of a flat machine: formulas and automata are about the letters that a run reads, not
    /// about the positions it passes.
    #[arg(long)]
    pub(crate) letters: bool,

    /// The order of the search: depth first, or shortest counterexamples first; for infinite
    /// runs the fewest pending calls before the turn first.
    #[arg(long, value_enum, default_value_t = Order::Dfs)]
    pub(crate) order: Order,

    /// Search the whole program, also what cannot influence the property.
    #[arg(long)]
    pub(crate) no_slice: bool,

    /// Keep the values of variables that cannot matter any more.
    #[arg(long)]
    pub(crate) no_liveness: bool,

    /// Choose the values of uninitialised variables and of * at once, not when they are read.
    #[arg(long)]
    pub(crate) no_lazy: bool,

    /// For --ntmu: do not merge states that the formula cannot tell apart.
    #[arg(long)]
    pub(crate) no_quotient: bool,

    /// For --ntmu: give up if a program has more states than this.
    #[arg(long, value_name = "NUMBER", default_value_t = 5_000_000)]
    pub(crate) max_states: u64,

    /// The engine.
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = engines())]
    pub(crate) engine: Engine,

    /// With one thread the engines of --engine auto take turns, measured in work: the same
    /// question is answered by the same engine each time. By default two, if the machine has
    /// them.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,

    #[command(flatten)]
    pub(crate) limits: LimitArguments,

    /// Say what was dropped from the program before the search, and how many steps each event of a
    /// .pal file matches.
    #[arg(long, short)]
    pub(crate) verbose: bool,

    /// Print nothing but errors: the exit code is the answer.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// What `check` is told.
#[derive(Args, Debug)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) question: QuestionArguments,

    /// Of a C program: check that it keeps this rule of the library. May be given several times.
    #[arg(long, value_name = "RULE", value_parser = rules::names(), conflicts_with = "check")]
    pub(crate) rule: Vec<String>,

    /// Write what shows the answer (a run, a strategy, an invariant) to this file (- for the
    /// standard output) as a graph in the language of Graphviz.
    #[arg(long, value_name = "FILE")]
    pub(crate) dot: Option<PathBuf>,

    /// Write the run or the strategy that shows that the property is violated to this file
    /// (FILE.trace.json), for recurva replay. If several properties are violated the names of
    /// further files are numbered.
    #[arg(long, value_name = "FILE")]
    pub(crate) save_trace: Option<PathBuf>,

    /// Of a C program: write the proof that the property holds to this file, for recurva verify, and
    /// look for one until a limit is hit. If several properties hold the names of further files are
    /// numbered.
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,

    /// Write the run that violates the property, or the invariants of loops of a proof that it holds,
    /// to this file as a witness for validators of C programs (SV-COMP format 2.0, YAML). For models whose comments say where in C their
    /// statements came from.
    #[arg(long, value_name = "FILE")]
    pub(crate) witness: Option<PathBuf>,

    /// For --witness: the C file that the model was made from, if it is not beside the model.
    #[arg(long, value_name = "FILE", requires = "witness")]
    pub(crate) c_file: Option<PathBuf>,

    /// Of a C program: keep the run that violates the property in this folder, as a test case with
    /// a Makefile. If several properties are violated the names of further folders are numbered.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) test_case: Option<PathBuf>,

    /// Compare with this earlier log (--format sarif): what is in it does not count for the exit code, and
    /// results are marked as new, unchanged or absent.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,

    /// Of a C program: keep answers in this folder, and take them from there while all that they depend on is
    /// the same. The folder can be deleted at any time.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) cache: Option<PathBuf>,

    /// How much of a counterexample to show.
    #[arg(long, value_enum, default_value_t = Trace::Folded)]
    pub(crate) trace: Trace,

    /// For a violated formula, show which of its parts hold at each step.
    #[arg(long)]
    pub(crate) subformulas: bool,

    /// Walk through the strategy that shows why a formula of NT-µ fails, step by step, with
    /// commands on the standard input.
    #[arg(long, conflicts_with_all = ["quiet", "format"])]
    pub(crate) walk: bool,

    /// The form of the report.
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

/// What `explore` is told.
#[derive(Args, Debug)]
pub(crate) struct ExploreArguments {
    #[command(flatten)]
    pub(crate) question: QuestionArguments,

    /// Write the page to this file instead, which opens in a browser without anything else.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Open the run in this file, which check --save-trace has written, instead of looking for one.
    #[arg(long, value_name = "FILE",
          conflicts_with_all = ["reach", "ltl", "caret", "ntmu", "repeat", "property"])]
    pub(crate) trace: Option<PathBuf>,

    /// The port to serve the page on; by default any that is free.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 0,
        conflicts_with = "html"
    )]
    pub(crate) port: u16,

    /// Open the page in the browser, too.
    #[arg(long, conflicts_with = "html")]
    pub(crate) open: bool,
}

/// What `empty` is told.
#[derive(Debug, Args)]
pub(crate) struct EmptyArguments {
    /// The automaton (.nta).
    #[arg(value_name = "AUTOMATON")]
    pub(crate) automaton: PathBuf,

    /// Write the machine to this file (- for the standard output) instead of showing it.
    #[arg(long, short = 'o', value_name = "FILE.nsm")]
    pub(crate) witness: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

/// What `draw` is told.
#[derive(Debug, Args)]
pub(crate) struct DrawArguments {
    /// A model of any format, an automaton (.hoa, .nta), or a formula of linear-time temporal logic
    /// (ltl:'G(a -> F b)', x.ltl:NAME).
    #[arg(value_name = "MODEL")]
    pub(crate) model: String,

    #[command(flatten)]
    pub(crate) c: CArguments,

    /// For --counterexample: as for check.
    #[arg(long, value_enum, value_name = "WHAT", requires = "counterexample")]
    pub(crate) check: Vec<Extra>,

    /// Only this part: a procedure or component; of a system of any size initial, the name of an
    /// action or of a bad property.
    #[arg(long, visible_alias = "procedure", value_name = "NAME")]
    pub(crate) only: Option<String>,

    /// Of a machine: its R-graph and its Erase relation, which tell how runs use the stack.
    #[arg(long)]
    pub(crate) r_graph: bool,

    /// What shows that the model's property is violated, or the first of those asked for that is: a
    /// run, words, or a strategy.
    #[arg(long, conflicts_with_all = ["only", "r_graph", "text"])]
    pub(crate) counterexample: bool,

    /// For --counterexample: as for check.
    #[arg(long, value_name = "LABEL", requires = "counterexample")]
    pub(crate) reach: Vec<String>,

    /// For --counterexample: as for check.
    #[arg(long, value_name = "FORMULA", requires = "counterexample")]
    pub(crate) ltl: Vec<String>,

    /// For --counterexample: as for check.
    #[arg(long, value_name = "FORMULA", requires = "counterexample")]
    pub(crate) caret: Vec<String>,

    /// For --counterexample: as for check.
    #[arg(long, value_name = "FORMULA", requires = "counterexample")]
    pub(crate) ntmu: Vec<String>,

    /// For --counterexample: as for check.
    #[arg(long, value_name = "LABEL", requires = "counterexample")]
    pub(crate) repeat: Vec<String>,

    /// For --counterexample: as for check.
    #[arg(long, value_name = "NAME", requires = "counterexample")]
    pub(crate) property: Option<String>,

    /// For --counterexample: monitors, formulas or an automaton, as for check.
    #[arg(long, value_name = "FILE", requires = "counterexample")]
    pub(crate) spec: Option<PathBuf>,

    /// Of a system of any size: regular expressions instead of graphs.
    #[arg(long, conflicts_with = "format")]
    pub(crate) text: bool,

    /// The form, if the name of the file does not say it; dot without a file.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<DrawFormat>,

    /// Write to this file (.svg, .dot, .gv, .json) instead of the standard output.
    #[arg(long, short = 'o', value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DrawFormat {
    /// A picture, for light and dark paper.
    Svg,
    /// The language of Graphviz.
    Dot,
    /// The places of everything, for programs that draw.
    Json,
}

#[derive(Args, Debug)]
pub(crate) struct ConvertArguments {
    /// A formula (ltl:'G(a -> F b)', ntmu:'EF p'), a formula of a file (x.ltl:NAME,
    /// x.ntmu:NAME), an automaton (x.hoa, x.nta) or a model (x.rsm, x.pds, x.nsm; for .nsm as output also a program, x.bp or x.rem).
    #[arg(value_name = "IN")]
    pub(crate) input: String,

    /// The file to write: .hoa, .never (- for the standard output); .nta or .ntmu; .rsm, .pds or
    /// .nsm for a model.
    #[arg(value_name = "OUT")]
    pub(crate) output: PathBuf,

    /// The format, if the name of the file does not say it.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) to: Option<AutomatonFormat>,

    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AutomatonFormat {
    /// Hanoi Omega-Automata format, version 1.
    Hoa,
    /// A never claim of SPIN.
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Dialect {
    Boppo,
    Moped,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Stack {
    Any,
    Finite,
    Diverging,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Runs {
    Stutter,
    Infinite,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Order {
    Dfs,
    Bfs,
}

/// The engines that there are.
fn engines() -> impl TypedValueParser<Value = Engine> {
    let values = Engine::ALL.map(|engine| PossibleValue::new(engine.name()).help(engine.about()));
    PossibleValuesParser::new(values).map(|name| Engine::named(&name).unwrap_or_default())
}

/// What a model may be.
fn models() -> String {
    let list = ModelFormat::list();
    format!("The model: {list}; - is a boolean program on the standard input")
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Trace {
    /// Every step, up to some thousand lines.
    Full,
    /// Small calls and the end of the run in full, the rest folded.
    Folded,
    /// Calls and returns only.
    Calls,
    /// Only where the run ends.
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// One JSON object for each property, one on each line.
    Json,
}

/// The form of a report on properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people.
    Text,
    /// One JSON object for each property, one on each line.
    Json,
    /// One SARIF 2.1.0 log for all properties, for editors and code scanning.
    Sarif,
}
