//! The kinds of findings, as rules of the log.

use recurva_check::{About, Context, Property, QuestionKind};
use serde_json::{Value, json};

/// A kind of finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// Something is reached that must not be.
    Reached,
    /// A monitor is violated.
    Monitor,
    /// A formula of linear-time temporal logic does not hold.
    Ltl,
    /// A formula of CaRet does not hold.
    Caret,
    /// An automaton accepts a run.
    Automaton,
    /// A formula of NT-µ does not hold.
    Ntmu,
    /// An automaton does not accept the tree of a model.
    Tree,
    /// A bad word of a system of any size is reached.
    Safety,
    /// A fair run of a system of any size violates a formula.
    Liveness,
    /// Something is wrong with the text of a model or a property.
    Input,
}

/// What a run shows that violates a formula of LTL or CaRet.
const FORMULA_FAILS: &str = "The code flow is the beginning of an infinite run and its turn, which is \
     repeated for ever; a message marks where the turn begins. The formula has been evaluated on the run.";

impl Rule {
    const ALL: [Rule; 10] = [
        Rule::Reached,
        Rule::Monitor,
        Rule::Ltl,
        Rule::Caret,
        Rule::Automaton,
        Rule::Ntmu,
        Rule::Tree,
        Rule::Safety,
        Rule::Liveness,
        Rule::Input,
    ];

    /// The rule of a question.
    pub fn of(context: &Context<'_>) -> Self {
        match (&context.about, context.kind) {
            (About::System, _) if context.infinite == Some(true) => Rule::Liveness,
            (About::System, _) => Rule::Safety,
            (About::Branching { .. }, QuestionKind::Tree) => Rule::Tree,
            (About::Branching { .. }, _) => Rule::Ntmu,
            (About::Runs(run), _) => match run.property {
                Property::Unreachable { .. } => Rule::Reached,
                Property::Monitor(_) => Rule::Monitor,
                Property::Ltl(_) => Rule::Ltl,
                Property::Caret(_) => Rule::Caret,
                Property::Never(_) => Rule::Automaton,
            },
        }
    }

    /// What results name it by.
    pub fn id(self) -> &'static str {
        self.text()[0]
    }

    pub(crate) fn index(self) -> usize {
        self as usize
    }

    /// Its id, its name, what it says, and how to read a finding.
    fn text(self) -> [&'static str; 4] {
        match self {
            Rule::Reached => [
                "reached",
                "SomethingBadIsReached",
                "No assertion fails and nothing is reached that must not be.",
                "The code flow is a run of the model, step by step, nested by calls. It has been \
                 executed on the model's semantics. The state of each step has the values that it \
                 changed.",
            ],
            Rule::Monitor => [
                "monitor",
                "MonitorIsViolated",
                "A monitor that reads every configuration never comes to a target state.",
                "The code flow is a run of the model that leads the monitor into a target state; \
                 messages say where the monitor changes its state.",
            ],
            Rule::Ltl => [
                "ltl",
                "FormulaOfLtlFails",
                "Every infinite run satisfies a formula of linear-time temporal logic.",
                FORMULA_FAILS,
            ],
            Rule::Caret => [
                "caret",
                "FormulaOfCaretFails",
                "Every infinite run satisfies a formula of CaRet, which knows calls and returns.",
                FORMULA_FAILS,
            ],
            Rule::Automaton => [
                "automaton",
                "AutomatonAcceptsARun",
                "No infinite run is accepted by an automaton or a repeating monitor.",
                "The code flow is the beginning of an infinite run and its turn, which is repeated \
                 for ever; a message marks where the turn begins.",
            ],
            Rule::Ntmu => [
                "ntmu",
                "FormulaOfNtmuFails",
                "A formula of NT-mu holds, a logic of branching time with calls linked to returns.",
                "A strategy shows why the formula fails, position by position: each message says \
                 what fails there. If there is a code flow it is a run to where the formula fails.",
            ],
            Rule::Tree => [
                "tree",
                "AutomatonRejectsTheTree",
                "An automaton on nested trees accepts the tree of the model.",
                "The game between the automaton and the tree has been solved; the automaton loses. A \
                 strategy shows why, position by position.",
            ],
            Rule::Safety => [
                "safety",
                "BadWordIsReached",
                "No instance of a system of any size comes to a bad word.",
                "The message has the run, word by word. No smaller instance has one.",
            ],
            Rule::Liveness => [
                "liveness",
                "FairRunViolatesTheFormula",
                "Every fair run of every instance of a system of any size satisfies a formula.",
                "The message has the run, word by word, and which part of it is repeated for ever.",
            ],
            Rule::Input => [
                "input",
                "InputIsWrong",
                "The texts of models and properties can be read.",
                "Nothing was checked if this is an error.",
            ],
        }
    }

    /// All rules, as the tool's driver lists them.
    pub(crate) fn descriptors() -> Vec<Value> {
        let descriptor = |rule: Rule| {
            let [id, name, says, help] = rule.text();
            json!({
                "id": id,
                "name": name,
                "shortDescription": { "text": says },
                "fullDescription": { "text": says },
                "help": { "text": help },
                "defaultConfiguration": { "level": "error" },
            })
        };
        Rule::ALL.into_iter().map(descriptor).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Rule;

    #[test]
    fn rules_are_where_their_index_says() {
        for (index, rule) in Rule::ALL.into_iter().enumerate() {
            assert_eq!(rule.index(), index);
            assert_eq!(Rule::descriptors()[index]["id"], rule.id());
        }
    }
}
