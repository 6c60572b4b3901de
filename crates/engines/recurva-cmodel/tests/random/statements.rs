//! Statements of random programs.

use std::fmt::Write;

use super::Generator;

impl Generator {
    pub(super) fn block(&mut self) {
        self.depth += 1;
        for _ in 0..1 + self.dice.below(2) {
            self.statement();
        }
        self.depth -= 1;
    }

    pub(super) fn statement(&mut self) {
        match self.dice.below(if self.depth < 2 { 24 } else { 16 }) {
            0..=4 => {
                let (place, value) = (self.place(), self.number(2));
                let _ = writeln!(self.text, "{place} = {value};");
            }
            5 => {
                let place = self.place();
                let change = match self.dice.one_in(2) {
                    true => "++".to_owned(),
                    false => format!(" += {}", self.number(1)),
                };
                let _ = writeln!(self.text, "({place}){change};");
            }
            6 | 7 => {
                let place = self.dice.pick(&self.scope.pointers).clone();
                let value = self.pointer(1);
                let _ = writeln!(self.text, "{place} = {value};");
            }
            8 => {
                let place = self.dice.pick(&self.scope.links).clone();
                let value = self.link(2);
                let _ = writeln!(self.text, "{place} = {value};");
            }
            9 => {
                let (place, value) = (self.dice.pick(&self.scope.records).clone(), self.record());
                let _ = writeln!(self.text, "{place} = {value};");
            }
            10 if self.dice.one_in(3) => {
                let (target, source) = (self.dice.below(3), self.dice.below(3));
                let constant = self.dice.below(17) as i64 - 4;
                let _ = match self.dice.one_in(2) {
                    true => writeln!(self.text, "e{target} = e{source};"),
                    false => writeln!(self.text, "e{target} = {constant};"),
                };
            }
            10 | 11 => self.input(),
            12 => self.memory(),
            13..=15 => {
                let condition = self.condition(1);
                let _ = writeln!(self.text, "if ({condition}) reach_error();");
            }
            16 | 17 => {
                let condition = self.condition(2);
                let _ = writeln!(self.text, "if ({condition}) {{");
                self.block();
                if self.dice.one_in(2) {
                    self.text.push_str("} else {\n");
                    self.block();
                }
                self.text.push_str("}\n");
            }
            18 | 19 => self.repeat(),
            20 => self.cases(),
            21 => self.jump(),
            22 => {
                let condition = self.condition(1);
                let end = *self.dice.pick(&["abort()", "exit(0)", "return 0"]);
                // What returns a record cannot return 0.
                let end = match end == "return 0"
                    && self.text.rfind("struct s mk") > self.text.rfind("int main")
                {
                    true => "abort()",
                    false => end,
                };
                let _ = writeln!(self.text, "if ({condition}) {end};");
            }
            _ => {
                let condition = self.condition(1);
                let _ = writeln!(self.text, "__VERIFIER_assume({condition});");
            }
        }
    }

    fn input(&mut self) {
        if !self.scope.classes.is_empty() && self.dice.one_in(3) {
            let name = self.fresh("k");
            let value = self.dice.pick(&self.scope.classes).clone();
            let (place, constant) = (self.dice.pick(&self.scope.classes).clone(), self.constant());
            let _ = match self.dice.one_in(2) {
                true => writeln!(self.text, "{place} = {value};"),
                false => writeln!(
                    self.text,
                    "long {name} = {value}; {place} = {name} < 5 ? {name} : {constant};"
                ),
            };
            return;
        }
        let place = self.place();
        match self.dice.below(if self.features.wide { 3 } else { 2 }) {
            0 => {
                let _ = writeln!(self.text, "{place} = __VERIFIER_nondet_bool();");
            }
            1 => {
                let name = self.fresh("t");
                let _ = writeln!(
                    self.text,
                    "{{ unsigned char {name} = __VERIFIER_nondet_uchar(); \
                     __VERIFIER_assume({name} < 4); {place} = {name}; }}"
                );
            }
            _ => {
                let name = self.fresh("t");
                let _ = writeln!(
                    self.text,
                    "{{ int {name} = __VERIFIER_nondet_int(); \
                     __VERIFIER_assume({name} >= -2 && {name} <= 2); {place} = {name}; }}"
                );
            }
        }
    }

    /// The heap, and whole pieces of memory.
    fn memory(&mut self) {
        let has_value = !(self.features.uninitialised && self.dice.one_in(2));
        match self.dice.below(7) {
            0 | 1 if self.features.heap => {
                let place = self.dice.pick(&self.scope.pointers).clone();
                let count = 1 + self.dice.below(2);
                let _ = match self.dice.below(3) {
                    0 => writeln!(self.text, "{place} = calloc({count}, sizeof(int));"),
                    _ if has_value => writeln!(
                        self.text,
                        "{place} = malloc({count} * sizeof(int)); \
                         for (int h = 0; h < {count}; h++) {place}[h] = h;"
                    ),
                    _ => writeln!(self.text, "{place} = malloc({count} * sizeof(int));"),
                };
            }
            2 if self.features.heap => {
                let place = self.dice.pick(&self.scope.links).clone();
                let next = self.link(1);
                let _ = writeln!(
                    self.text,
                    "{{ struct s *h = calloc(1, sizeof *h); h->n = {next}; h->a = 2; {place} = h; }}"
                );
            }
            3 | 4 if self.features.heap => {
                let pointer = match self.dice.one_in(2) {
                    true => self.dice.pick(&self.scope.pointers).clone(),
                    false => self.dice.pick(&self.scope.links).clone(),
                };
                let _ = writeln!(self.text, "free({pointer});");
            }
            5 => {
                let (to, from) = (
                    self.dice.pick(&self.scope.records).clone(),
                    self.dice.pick(&self.scope.records).clone(),
                );
                let size = *self.dice.pick(&["sizeof(struct s)", "6"]);
                let _ = writeln!(
                    self.text,
                    "if (&{to} != &{from}) memcpy(&{to}, &{from}, {size});"
                );
            }
            _ => {
                let to = self.dice.pick(&self.scope.records).clone();
                let value = *self.dice.pick(&["0", "1", "255"]);
                let size = *self.dice.pick(&["sizeof(struct s)", "8"]);
                let value = match size {
                    // A pointer of odd bytes would be an unknown address.
                    "8" => value,
                    _ => "0",
                };
                let _ = writeln!(self.text, "memset(&{to}, {value}, {size});");
            }
        }
    }

    fn repeat(&mut self) {
        let name = self.fresh("l");
        let count = 1 + self.dice.below(3);
        let was = std::mem::replace(&mut self.in_loop, true);
        match self.dice.below(3) {
            0 => {
                let _ = writeln!(
                    self.text,
                    "for (int {name} = 0; {name} < {count}; {name}++) {{"
                );
            }
            1 => {
                let condition = self.condition(1);
                let _ = writeln!(
                    self.text,
                    "int {name} = {count}; while ({name}-- > 0 && ({condition})) {{"
                );
            }
            _ => {
                let _ = writeln!(self.text, "int {name} = 0; do {{");
            }
        }
        let is_do = self.text.ends_with("do {\n");
        self.block();
        if self.dice.one_in(3) {
            let condition = self.condition(0);
            let end = *self.dice.pick(&["break", "continue"]);
            let _ = writeln!(self.text, "if ({condition}) {end};");
        }
        let _ = match is_do {
            true => writeln!(self.text, "}} while (++{name} < {count});"),
            false => writeln!(self.text, "}}"),
        };
        self.in_loop = was;
    }

    fn cases(&mut self) {
        let number = self.number(1);
        let _ = writeln!(self.text, "switch (({number}) & 3) {{");
        for case in 0..2 {
            let _ = writeln!(self.text, "case {case}:");
            self.block();
            if self.dice.one_in(2) {
                self.text.push_str("break;\n");
            }
        }
        self.text.push_str("default:\n");
        self.block();
        self.text.push_str("}\n");
    }

    fn jump(&mut self) {
        let (label, count) = (self.fresh("to"), self.fresh("n"));
        let condition = self.condition(1);
        if self.dice.one_in(2) {
            let _ = writeln!(self.text, "if ({condition}) goto {label};");
            self.block();
            let _ = writeln!(self.text, "{label}:;");
            return;
        }
        let _ = writeln!(self.text, "int {count} = 2;\n{label}:;");
        let was = std::mem::replace(&mut self.in_loop, true);
        self.block();
        self.in_loop = was;
        let _ = writeln!(
            self.text,
            "if ({count}-- > 0 && ({condition})) goto {label};"
        );
    }
}
