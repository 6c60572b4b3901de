//! Variables of one process, and the letters that their values together are.

use recurva_syntax::{Span, did_you_mean};

use crate::{Letter, MAX_LETTERS};

/// A variable with finitely many values.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) values: Values,
}

/// The values of a variable.
#[derive(Clone, Debug)]
pub(super) enum Values {
    Bool,
    /// From one number to another.
    Numbers(u32, u32),
    Names(Vec<String>),
}

impl Values {
    pub(super) fn count(&self) -> u32 {
        match self {
            Values::Bool => 2,
            Values::Numbers(low, high) => high - low + 1,
            Values::Names(names) => names.len() as u32,
        }
    }

    /// The index of a value that is written like this.
    pub(super) fn find(&self, text: &str) -> Option<u32> {
        match self {
            Values::Bool => ["false", "true"]
                .iter()
                .position(|t| *t == text)
                .map(|at| at as u32),
            Values::Numbers(low, high) => {
                let number: u32 = text.parse().ok()?;
                (*low..=*high).contains(&number).then(|| number - low)
            }
            Values::Names(names) => names
                .iter()
                .position(|name| name == text)
                .map(|at| at as u32),
        }
    }

    /// How a value is written.
    pub(super) fn text(&self, value: u32) -> String {
        match self {
            Values::Bool => (value == 1).to_string(),
            Values::Numbers(low, _) => (low + value).to_string(),
            Values::Names(names) => names[value as usize].clone(),
        }
    }

    fn show(&self, name: &str, value: u32) -> String {
        match self {
            Values::Bool if value == 1 => name.to_owned(),
            Values::Bool => format!("!{name}"),
            Values::Numbers(low, _) => format!("{name}={}", low + value),
            Values::Names(names) => names[value as usize].clone(),
        }
    }
}

/// A set of letters, by index.
pub(super) type Set = Vec<bool>;

/// All variables of one process. A letter is a value for each.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables {
    pub(super) list: Vec<Variable>,
}

impl Variables {
    /// How many letters there are; `None` if there are too many.
    pub(super) fn letters(&self) -> Option<u32> {
        let mut count = 1u32;
        for variable in &self.list {
            count = count.checked_mul(variable.values.count())?;
        }
        (count <= MAX_LETTERS).then_some(count)
    }

    /// The value of a variable in a letter.
    pub(super) fn value(&self, letter: Letter, variable: usize) -> u32 {
        let mut rest = letter;
        for earlier in &self.list[..variable] {
            rest /= earlier.values.count();
        }
        rest % self.list[variable].values.count()
    }

    /// The letter with another value of a variable.
    pub(super) fn with(&self, letter: Letter, variable: usize, value: u32) -> Letter {
        let weight: u32 = self.list[..variable]
            .iter()
            .map(|v| v.values.count())
            .product();
        letter - self.value(letter, variable) * weight + value * weight
    }

    pub(super) fn names(&self) -> Vec<String> {
        let count = self.letters().unwrap_or(0);
        (0..count)
            .map(|letter| {
                let shown = self.list.iter().enumerate();
                let shown = shown.map(|(at, v)| v.values.show(&v.name, self.value(letter, at)));
                shown.collect::<Vec<_>>().join(".")
            })
            .collect()
    }

    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.list.iter().position(|variable| variable.name == name)
    }

    /// The only variable that has a value of that name, and the value.
    pub(super) fn find_value(&self, text: &str) -> Option<(usize, u32)> {
        let is_name = |v: &&(usize, &Variable)| matches!(v.1.values, Values::Names(_));
        let list: Vec<(usize, &Variable)> = self.list.iter().enumerate().collect();
        let mut found = list
            .iter()
            .filter(is_name)
            .filter_map(|(at, variable)| Some((*at, variable.values.find(text)?)));
        found.next().filter(|_| found.next().is_none())
    }

    /// Whether a name alone is a condition.
    pub(super) fn holds(&self, text: &str) -> bool {
        let variable = self.find(text).map(|at| &self.list[at].values);
        matches!(variable, Some(Values::Bool)) || self.find_value(text).is_some()
    }

    /// A variable that is called like a value.
    pub(super) fn name_and_value(&self) -> Option<&Variable> {
        let has = |values: &Values, name: &String| match values {
            Values::Names(names) => names.contains(name),
            _ => false,
        };
        let mut list = self.list.iter();
        list.find(|one| self.list.iter().any(|other| has(&other.values, &one.name)))
    }

    /// What a name that is not known may have been meant to be.
    pub(super) fn near(&self, text: &str) -> Option<String> {
        let values = self
            .list
            .iter()
            .flat_map(|variable| match &variable.values {
                Values::Names(names) => names.iter().map(String::as_str).collect(),
                _ => Vec::new(),
            });
        let names = self.list.iter().map(|variable| variable.name.as_str());
        did_you_mean(text, values.chain(names))
    }
}
