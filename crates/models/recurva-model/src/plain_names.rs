//! Names that every text format can hold.

use std::collections::HashMap;

/// Gives out names that are all different and made of letters, digits and `_`.
#[derive(Debug, Default)]
pub struct PlainNames {
    used: HashMap<String, u32>,
}

impl PlainNames {
    /// The wanted name if it can be had, else one like it.
    pub fn give(&mut self, wanted: &str) -> String {
        let plain = |c: char| match c {
            c if c.is_ascii_alphanumeric() => c,
            _ => '_',
        };
        let mut name: String = wanted.chars().map(plain).collect();
        if name.is_empty() {
            name.push('_');
        }
        let base = name.clone();
        while self.used.contains_key(&name) {
            let next = self.used.entry(base.clone()).or_insert(1);
            *next += 1;
            name = format!("{base}_{next}");
        }
        self.used.insert(name.clone(), 1);
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_and_all_different() {
        let mut names = PlainNames::default();
        let given: Vec<String> = ["a.b", "a_b", "a b", "a_b_2", "", "ä"]
            .iter()
            .map(|name| names.give(name))
            .collect();
        assert_eq!(given, ["a_b", "a_b_2", "a_b_3", "a_b_2_2", "_", "__2"]);
    }
}
