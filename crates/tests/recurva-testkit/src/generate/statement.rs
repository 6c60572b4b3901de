//! Random statements.

use super::{
    Config,
    scope::{Kind, Name, Scope, Signature},
};
use crate::rng::Rng;

/// Stands for the target of a goto until all labels of the procedure are known.
const TARGET: &str = "<target>";

/// The body of one procedure while it is written.
pub(super) struct Body<'a> {
    pub(super) rng: &'a mut Rng,
    pub(super) config: &'a Config,
    pub(super) scope: &'a Scope,
    pub(super) own: &'a Signature,
    pub(super) signatures: &'a [Signature],
    /// How many labels the program has so far.
    pub(super) labels: &'a mut usize,
    pub(super) own_labels: Vec<String>,
    pub(super) lines: Vec<String>,
}

impl Body<'_> {
    /// Gives a local its first value, or leaves it arbitrary.
    pub(super) fn initialise(&mut self, name: &Name) {
        if name.len.is_none() && self.rng.chance(60) {
            let value = self.scope.expression(self.rng, name.kind, 1, &mut 0);
            self.line(0, format!("{} := {value};", name.name));
        }
    }

    /// The last statements: main calls something, and a procedure with results returns some.
    pub(super) fn end(&mut self) {
        if self.own.name == "main" {
            self.call(0);
        }
        if !self.own.results.is_empty() {
            let text = self.return_statement();
            self.labelled(0, &text);
        } else if self.rng.chance(70) {
            self.labelled(0, "skip;");
        }
    }

    /// The lines, with a target for every goto.
    pub(super) fn finish(mut self) -> Vec<String> {
        let mut lines = std::mem::take(&mut self.lines);
        for line in &mut lines {
            if !line.contains(TARGET) {
                continue;
            }
            let Some(first) = self.rng.pick(&self.own_labels).cloned() else {
                *line = line.replace(&format!("goto {TARGET}"), "skip");
                continue;
            };
            let targets = match self.rng.pick(&self.own_labels) {
                Some(second) if *second != first && self.rng.chance(50) => {
                    format!("{first}, {second}")
                }
                _ => first,
            };
            *line = line.replace(TARGET, &targets);
        }
        lines
    }

    /// Some statements in a row, one at least.
    pub(super) fn block(&mut self, nesting: usize, indent: usize) {
        let count = 1 + self.rng.below(self.config.statements.max(1));
        for _ in 0..count {
            self.statement(nesting, indent);
        }
    }

    fn line(&mut self, indent: usize, text: impl AsRef<str>) {
        self.lines
            .push(format!("{}{}", "  ".repeat(indent), text.as_ref()));
    }

    /// A line with a label, often.
    fn labelled(&mut self, indent: usize, text: &str) {
        if self.rng.chance(self.config.labels) {
            let label = format!("L{}", *self.labels);
            *self.labels += 1;
            self.line(indent, format!("{label}: {text}"));
            self.own_labels.push(label);
        } else {
            self.line(indent, text);
        }
    }

    fn condition(&mut self) -> String {
        if self.rng.chance(20) {
            return "*".into();
        }
        self.scope.boolean(self.rng, 2, &mut 1)
    }

    fn statement(&mut self, nesting: usize, indent: usize) {
        match self.rng.below(100) {
            0..18 if nesting > 0 => self.branch(nesting - 1, indent),
            18..26 if nesting > 0 => self.repeat(nesting - 1, indent),
            26..46 => self.call(indent),
            46..51 => {
                let text = self.return_statement();
                self.guarded(indent, &text);
            }
            51..57 => self.guarded(indent, &format!("goto {TARGET};")),
            57..63 => {
                let condition = self.scope.boolean(self.rng, 2, &mut 1);
                let word = if self.rng.chance(80) {
                    "assume"
                } else {
                    "constrain"
                };
                self.labelled(indent, &format!("{word}({condition});"));
            }
            63..67 => {
                let condition = self.scope.boolean(self.rng, 2, &mut 1);
                self.labelled(indent, &format!("assert({condition});"));
            }
            67..71 => {
                let scalars: Vec<_> = self
                    .scope
                    .names
                    .iter()
                    .filter(|n| n.len.is_none())
                    .collect();
                if let Some(name) = self.rng.pick(&scalars) {
                    let text = format!("dead {};", name.name);
                    self.labelled(indent, &text);
                }
            }
            71..76 => self.labelled(indent, "skip;"),
            _ => self.assignment(indent),
        }
    }

    fn branch(&mut self, nesting: usize, indent: usize) {
        let condition = self.condition();
        self.labelled(indent, &format!("if ({condition}) then"));
        self.block(nesting, indent + 1);
        if self.rng.chance(25) {
            let condition = self.condition();
            self.line(indent, format!("elsif ({condition}) then"));
            self.block(nesting, indent + 1);
        }
        if self.rng.chance(50) {
            self.line(indent, "else");
            self.block(nesting, indent + 1);
        }
        self.line(indent, "fi");
    }

    fn repeat(&mut self, nesting: usize, indent: usize) {
        let condition = self.condition();
        self.labelled(indent, &format!("while ({condition}) do"));
        self.block(nesting, indent + 1);
        self.line(indent, "od");
    }

    /// A jump that would often cut off all that follows, behind a condition.
    fn guarded(&mut self, indent: usize, text: &str) {
        let condition = self.condition();
        self.line(indent, format!("if ({condition}) then"));
        self.labelled(indent + 1, text);
        self.line(indent, "fi");
    }

    fn return_statement(&mut self) -> String {
        let mut budget = 1;
        let kinds = &self.own.results;
        let values = kinds
            .iter()
            .map(|&k| self.scope.expression(self.rng, k, 2, &mut budget));
        let values: Vec<String> = values.collect();
        if values.is_empty() {
            "return;".into()
        } else {
            format!("return {};", values.join(", "))
        }
    }

    fn call(&mut self, indent: usize) {
        let Some(callee) = self.rng.pick(self.signatures).cloned() else {
            return;
        };
        let mut budget = 2;
        let arguments: Vec<String> = callee
            .parameters
            .iter()
            .map(|p| self.scope.expression(self.rng, p.kind, 1, &mut budget))
            .collect();
        let mut targets: Vec<String> = Vec::new();
        for &kind in &callee.results {
            let free = |name: &&Name| !targets.contains(&name.name);
            let names: Vec<_> = self.scope.scalars(kind).into_iter().filter(free).collect();
            match self.rng.pick(&names) {
                Some(name) if self.rng.chance(85) => targets.push(name.name.clone()),
                _ => targets.push("_".into()),
            }
        }
        let call = format!("{}({});", callee.name, arguments.join(", "));
        let text = if targets.is_empty() {
            call
        } else {
            format!("{} := {call}", targets.join(", "))
        };
        // Recursion without a condition never ends.
        let recursive = self.own.name != "main";
        if recursive && self.rng.chance(80) {
            self.guarded(indent, &text);
        } else {
            self.labelled(indent, &text);
        }
    }

    fn assignment(&mut self, indent: usize) {
        let mut budget = 2;
        let mut targets = Vec::new();
        let mut values = Vec::new();
        let count = 1 + self.rng.below(10) / 7;
        for _ in 0..count {
            let Some(name) = self.rng.pick(&self.scope.names) else {
                break;
            };
            let target = match name.len {
                Some(_) => self.scope.element(self.rng, name),
                None => name.name.clone(),
            };
            // The same scalar twice is an error, and so may be the same element.
            if targets
                .iter()
                .any(|(_, known): &(String, String)| *known == name.name)
            {
                continue;
            }
            values.push(self.scope.expression(self.rng, name.kind, 2, &mut budget));
            targets.push((target, name.name.clone()));
        }
        if targets.is_empty() {
            return;
        }
        let left: Vec<&str> = targets.iter().map(|(target, _)| target.as_str()).collect();
        let mut text = format!("{} := {}", left.join(", "), values.join(", "));
        if self.rng.chance(15) {
            text.push_str(" constrain ");
            text.push_str(&self.constraint());
        }
        text.push(';');
        self.labelled(indent, &text);
    }

    /// A relation between old and new values.
    fn constraint(&mut self) -> String {
        let scalars: Vec<_> = self
            .scope
            .names
            .iter()
            .filter(|n| n.len.is_none())
            .collect();
        let Some(&name) = self.rng.pick(&scalars) else {
            return "T".into();
        };
        let other = self.scope.expression(self.rng, name.kind, 1, &mut 0);
        let operator = if self.rng.chance(50) { "!=" } else { "=" };
        let first = format!("('{} {operator} {other})", name.name);
        let bools = self.scope.scalars(Kind::Bool);
        match self.rng.pick(&bools) {
            Some(second) if self.rng.chance(40) => format!("({first} | '{})", second.name),
            _ => first,
        }
    }
}
