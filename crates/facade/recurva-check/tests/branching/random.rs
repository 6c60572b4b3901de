//! Random programs: the machine that the checker makes against the one by the book, formulas
//! against searches for single runs, and all reductions.

use std::ops::ControlFlow;

use recurva_check::{
    Options, Property, Reductions, Verdict,
    branching::{Ntmu, Starts, Subject},
    spec::{Reader, Vocabulary},
};
use recurva_model::Program;
use recurva_nested::Reduction;
use recurva_syntax::Source;
use recurva_testkit::{generate, rng::Rng};

use crate::{by_the_book, formula, holds, program};

pub(crate) fn config() -> generate::Config {
    generate::Config {
        bits: 2,
        statements: 3,
        ..generate::Config::default()
    }
}

/// The text of a proposition about a program.
fn proposition(rng: &mut Rng, program: &Program) -> String {
    let procedures = program.procedures();
    let procedure = &procedures[rng.below(procedures.len())].name;
    match rng.below(8) {
        0 => "call".into(),
        1 => "ret".into(),
        2 => "blocked".into(),
        3 => format!("in({procedure})"),
        4 => format!("calls({procedure})"),
        _ => match rng.pick(program.labels()) {
            Some(label) => format!("@{}", label.name),
            None => "loc".into(),
        },
    }
}

/// The text of a closed formula.
pub(crate) fn random_formula(rng: &mut Rng, program: &Program, size: usize) -> String {
    if size == 0 {
        return proposition(rng, program);
    }
    let unary = [
        "!", "EF", "AF", "EG", "AG", "EF_l", "AF_l", "EG_l", "AG_l", "<loc>", "[loc]", "<jump>",
        "[jump]",
    ];
    let half = size / 2;
    match rng.below(10) {
        0..=4 => {
            let operator = unary[rng.below(unary.len())];
            format!("{operator} ({})", random_formula(rng, program, size - 1))
        }
        5..=7 => {
            let (left, right) = (
                random_formula(rng, program, half),
                random_formula(rng, program, size - 1 - half),
            );
            let forms = [
                format!("({left}) & ({right})"),
                format!("({left}) | ({right})"),
                format!("E[({left}) U ({right})]"),
                format!("A[({left}) U_l ({right})]"),
                format!("A[({left}) W ({right})]"),
            ];
            forms[rng.below(forms.len())].clone()
        }
        8 => {
            let inner = random_formula(rng, program, half);
            let modality = ["<call>", "[call]"][rng.below(2)];
            format!(
                "{modality} (EF_l (<ret> R1 & {})) {{{inner}}}",
                proposition(rng, program)
            )
        }
        _ => "terminates".into(),
    }
}

fn options(merge: bool, slice: bool, liveness: bool) -> Options {
    Options {
        slice,
        reductions: Reductions {
            liveness,
            laziness: true,
        },
        merge,
        ..Options::default()
    }
}

/// The answer by the book; `None` if the program is too large for it.
fn expected(program: &Program, property: &Ntmu) -> Option<bool> {
    let machines = by_the_book::machines(program, property)?;
    let plain = recurva_nested::Options {
        reduction: Reduction::None,
        ..recurva_nested::Options::default()
    };
    let all = machines.iter().map(|machine| {
        // A proposition that holds nowhere is not known to the machine.
        let formula = known(property, machine);
        let go_on = |_: &_| ControlFlow::Continue(());
        recurva_nested::check(machine, &formula, &plain, go_on)
            .expect("it is small")
            .holds
    });
    Some(all.fold(true, |all, holds| all & holds))
}

/// The formula with propositions that the machine does not have replaced by `false`.
fn known(property: &Ntmu, machine: &recurva_model::Nsm) -> recurva_logic::ntmu::Formula {
    let mut text = property.formula.to_string();
    for (name, _) in property.formula.formulas().propositions() {
        let kind = matches!(&**name, "call" | "ret" | "loc");
        if machine.proposition(name).is_none() && !kind {
            text = text.replace(&**name, "false");
        }
    }
    let source = Source::new("formula", text).expect("a short text");
    recurva_logic::ntmu::parse(&source)
        .formula
        .expect("it was printed")
}

#[test]
fn formulas_mean_what_they_do_by_the_book() {
    let (mut done, mut true_ones) = (0, 0);
    for seed in 0..4_000 {
        let text = generate::generate(seed, &config());
        let program = program(&text);
        let rng = &mut Rng::new(seed ^ 0x6e65_7374);
        let size = 1 + rng.below(5);
        let question = random_formula(rng, &program, size);
        let subject = Subject::Program(&program, Starts::Here);
        let property = formula(subject, &question);
        let Some(expected) = expected(&program, &property) else {
            continue;
        };
        for (merge, slice, liveness) in [
            (true, true, true),
            (false, false, true),
            (false, true, false),
        ] {
            let options = options(merge, slice, liveness);
            let found = holds(subject, &property, &options);
            assert_eq!(found, expected, "{text}\n{question}\n{options:?}");
        }
        done += 1;
        true_ones += usize::from(expected);
        if done == 600 {
            break;
        }
    }
    assert!(
        done == 600 && (150..450).contains(&true_ones),
        "{done} {true_ones}"
    );
}

fn violated(program: &Program, property: &Property) -> bool {
    let outcome = recurva_check::check(program, property, &Options::default(), &mut ());
    match outcome.expect("it replays").verdict {
        Verdict::Holds => false,
        Verdict::Violated => true,
        Verdict::Unknown(limit) => panic!("no limit was set: {limit:?}"),
    }
}

/// On labels, "some path comes there" is reachability, and "all paths that are not blocked come
/// there" is linear time.
#[test]
fn labels_are_reached_as_other_engines_say() {
    let (mut reached, mut unavoidable) = (0, 0);
    for seed in 0..400 {
        let text = generate::generate(seed + 50_000, &config());
        let program = program(&text);
        let subject = Subject::Program(&program, Starts::Here);
        let options = Options::default();
        let reader = Reader::new(&program, Vocabulary::Program);
        let mut names: Vec<&str> = program.labels().iter().map(|label| &*label.name).collect();
        names.sort_unstable();
        names.dedup();
        for name in names.into_iter().take(3) {
            let ask = |text: String| holds(subject, &formula(subject, &text), &options);
            // Several initial states: each has to have a path for `EF`, some one for `AG !`.
            let never = ask(format!("AG !@{name}"));
            let property = Property::label(&program, name).expect("it is there");
            let found = violated(&program, &property);
            assert_eq!(never, !found, "{text}\nAG !@{name}");
            reached += usize::from(found);
            let always = ask(format!("AF (@{name} | blocked)"));
            let source = Source::new("formula", format!("F @{name}")).expect("a short text");
            let spec = reader.formula(&source).properties.expect("it is right");
            let escapes = violated(&program, &spec[0].property);
            assert_eq!(always, !escapes, "{text}\nAF @{name}");
            unavoidable += usize::from(always);
        }
    }
    assert!(reached > 100 && unavoidable > 20, "{reached} {unavoidable}");
}

/// What is on the stack is what pending calls say.
#[test]
fn the_stack_is_known() {
    let text = "
        decl g;
        void f(int(2) depth) begin
          IN: skip;
          if (depth > 0) then f(depth - 1); fi
        end
        void h() begin f(1); end
        void main() begin
          if (*) then h(); else f(2); fi
          END: skip;
        end";
    let program = program(text);
    let subject = Subject::Program(&program, Starts::Here);
    let ask = |text: &str| holds(subject, &formula(subject, text), &Options::default());
    assert!(ask("AG(in(f) -> on_stack(f) & on_stack(main))"));
    assert!(ask("EF(@IN & on_stack(h)) & EF(@IN & !on_stack(h))"));
    assert!(ask("AG(@END -> !on_stack(f) & !on_stack(h))"));
    assert!(!ask("AG !(in(f) & on_stack(h) & call)"));
    assert!(ask("AG(calls(h) -> !on_stack(h) & [call] on_stack(h) {})"));
    assert!(ask("AG(on_stack(h) & !in(h) -> in(f))"));
}
