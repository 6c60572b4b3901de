//! The library of rules: monitors for C programs that are part of recurva, by name.

use recurva_syntax::Source;

/// A monitor of the library.
#[derive(Debug)]
pub struct Rule {
    /// What it is called: `double-lock`.
    pub name: &'static str,
    /// The monitor. Its comment says what it forbids and what it does not see.
    pub text: &'static str,
}

/// What the names of the rules' files begin with, so that nobody takes them for files of the user.
const SCHEME: &str = "rule:";

macro_rules! rules {
    ($($name:literal),* $(,)?) => {
        [$(Rule {
            name: $name,
            text: include_str!(concat!("../../../../rules/", $name, ".pal")),
        }),*]
    };
}

/// All rules, by name.
pub static RULES: [Rule; 11] = rules![
    "double-free",
    "double-lock",
    "drop-privilege",
    "errno-protocol",
    "leaked-descriptor",
    "log-errors",
    "missing-unlock",
    "no-blocking-under-lock",
    "signal-safe",
    "unchecked-return",
    "use-after-free",
];

impl Rule {
    /// The rule of this name.
    pub fn named(name: &str) -> Option<&'static Rule> {
        RULES.iter().find(|rule| rule.name == name)
    }

    /// The rule whose [file](Rule::file) has this name.
    pub fn of_file(file: &str) -> Option<&'static Rule> {
        let name = file.strip_prefix(SCHEME)?.strip_suffix(".pal")?;
        Rule::named(name)
    }

    /// What its file is called in messages, traces and proofs: `rule:double-lock.pal`. There is none
    /// on the disk.
    pub fn file(&self) -> String {
        format!("{SCHEME}{}.pal", self.name)
    }

    /// What it says, in one line: the first line of its comment.
    pub fn about(&self) -> &'static str {
        let line = self.text.lines().next().unwrap_or_default();
        line.trim_start_matches('/').trim().trim_end_matches('.')
    }

    /// Its text, as that of a file.
    ///
    /// # Errors
    ///
    /// If it is too long for a source, which a test excludes.
    pub fn source(&self) -> Result<Source, recurva_syntax::LoadError> {
        Source::new(self.file(), self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::{RULES, Rule};
    use crate::lang;

    #[test]
    fn every_rule_is_a_right_monitor_with_guards() {
        for rule in &RULES {
            let parsed = lang::parse(&rule.source().unwrap());
            assert!(parsed.diagnostics.is_empty(), "{}", rule.name);
            let events = parsed.monitor.unwrap().events;
            let has_guard =
                |event: &lang::Event| event.before.guard.is_some() || event.after.guard.is_some();
            assert!(events.iter().any(has_guard), "{}", rule.name);
        }
    }

    #[test]
    fn every_rule_says_what_it_forbids_and_what_it_does_not_see() {
        for rule in &RULES {
            assert!(rule.about().len() > 20, "{}", rule.name);
            for word in ["\n// Forbidden: ", "\n// Not seen: "] {
                assert!(rule.text.contains(word), "{}: {word}", rule.name);
            }
        }
    }

    #[test]
    fn rules_are_found_by_name_and_by_file() {
        for rule in &RULES {
            assert_eq!(Rule::named(rule.name).unwrap().name, rule.name);
            assert_eq!(Rule::of_file(&rule.file()).unwrap().name, rule.name);
        }
        assert!(RULES.is_sorted_by_key(|rule| rule.name));
        assert!(Rule::named("no such rule").is_none());
        assert!(Rule::of_file("double-lock.pal").is_none());
    }
}
