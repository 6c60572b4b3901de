//! Statements.

use super::{
    Mode, Writer,
    shape::{Shape, Variable},
};

impl Writer {
    /// Some statements in a scope of their own.
    pub(super) fn block(&mut self, depth: usize) {
        let names = self.variables.len();
        if self.rng.chance(50) {
            self.variable("", false);
        }
        if self.rng.chance(20) {
            self.pointer("", false);
        }
        for _ in 0..1 + self.rng.below(3) {
            self.statement(depth);
        }
        self.variables.truncate(names);
    }

    fn braced(&mut self, head: &str, depth: usize) {
        self.open(head);
        self.block(depth);
        self.close("");
    }

    pub(super) fn statement(&mut self, depth: usize) {
        if self.statements == 0 {
            return;
        }
        self.statements -= 1;
        let kinds = if depth == 0 { 10 } else { 20 };
        match self.rng.below(kinds) {
            0..=3 => self.assignment(),
            4 => self.change(),
            5 | 6 => {
                let value = self.expression(Mode::Any, 3);
                self.line(&format!("mix_{}({value});", self.number));
            }
            7 => self.assign_record(),
            8 => self.assign_float(),
            9 => self.move_pointer(),
            10 | 11 => {
                let condition = self.expression(Mode::Any, 2);
                self.braced(&format!("if ({condition})"), depth - 1);
                if self.rng.chance(50) {
                    self.braced("else", depth - 1);
                }
            }
            12 | 13 => self.counted_loop(depth),
            14 => self.other_loop(depth),
            15 | 16 => self.switch(depth),
            17 => self.jump(depth),
            18 => self.variable_array(),
            _ => match self.loops {
                0 => self.braced("", depth - 1),
                _ => {
                    let condition = self.expression(Mode::Any, 2);
                    let way = self.of(&["break", "continue"]);
                    self.line(&format!("if ({condition}) {way};"));
                }
            },
        }
    }

    fn assignment(&mut self) {
        let number = self.number;
        if self.rng.chance(50)
            && let Some(place) = self.place(Mode::Frozen).filter(|it| it.is_fixed)
        {
            // What is assigned may have effects, on other variables.
            self.busy.push(place.private.clone().unwrap_or_default());
            let value = self.expression(Mode::Any, 3);
            self.busy.pop();
            self.line(&format!("{} = {value};", place.text));
            return;
        }
        let Some(place) = self.place(Mode::Read) else {
            let value = self.expression(Mode::Any, 3);
            self.line(&format!("mix_{number}({value});"));
            return;
        };
        let value = self.expression(Mode::Read, 3);
        self.line(&format!("{} = {value};", place.text));
    }

    /// `op=` and `++`.
    fn change(&mut self) {
        let Some(place) = self.place(Mode::Frozen) else {
            return;
        };
        if self.rng.chance(25) {
            let text = match self.rng.chance(50) {
                true => format!("{}--;", place.text),
                false => format!("++{};", place.text),
            };
            self.line(&text);
            return;
        }
        let mode = match &place.private {
            Some(name) => {
                self.busy.push(name.clone());
                Mode::Any
            }
            None => Mode::Read,
        };
        let value = self.expression(mode, 2);
        if place.private.is_some() {
            self.busy.pop();
        }
        let text = place.text;
        let line = match self.rng.below(10) {
            0 => format!("{text} <<= {value} & 7;"),
            1 => format!("{text} >>= {value} & 7;"),
            2 => format!("{text} /= ({value} & 15) + 1;"),
            3 => format!("{text} %= ({value} & 15) + 1;"),
            _ => {
                let operator = self.of(&["+=", "-=", "*=", "^=", "|=", "&="]);
                format!("{text} {operator} {value};")
            }
        };
        self.line(&line);
    }

    fn assign_record(&mut self) {
        let targets: Vec<Variable> = self
            .variables
            .iter()
            .filter(|it| !it.is_frozen && matches!(it.shape, Shape::Record(_)))
            .cloned()
            .collect();
        let Some(target) = self.rng.pick(&targets).cloned() else {
            return self.assignment();
        };
        let Shape::Record(record) = target.shape else {
            return;
        };
        let sources: Vec<Variable> = self
            .variables
            .iter()
            .filter(|it| it.shape == Shape::Record(record))
            .cloned()
            .collect();
        let callables: Vec<_> = self
            .callables
            .iter()
            .filter(|it| it.record == Some(record))
            .cloned()
            .collect();
        let name = &target.name;
        match self.rng.below(3) {
            0 if !callables.is_empty() => {
                if let Some(callable) = self.rng.pick(&callables).cloned() {
                    let call = self.call_of(&callable, 2);
                    self.line(&format!("{name} = {call};"));
                }
            }
            1 => {
                let values = self.record_list(record, Some((Mode::Read, 1)));
                let ty = self.records[record].name.clone();
                self.line(&format!("{name} = ({ty}){{ {values} }};"));
            }
            _ => {
                let condition = self.expression(Mode::Read, 1);
                let one = self.rng.pick(&sources).map(|it| it.name.clone());
                let two = self.rng.pick(&sources).map(|it| it.name.clone());
                if let (Some(one), Some(two)) = (one, two) {
                    self.line(&format!("{name} = {condition} ? {one} : {two};"));
                }
            }
        }
    }

    fn assign_float(&mut self) {
        let floats: Vec<Variable> = self
            .variables
            .iter()
            .filter(|it| matches!(it.shape, Shape::Float(_)))
            .cloned()
            .collect();
        let Some(target) = self.rng.pick(&floats).cloned() else {
            return self.assignment();
        };
        let name = &target.name;
        let value = self.float(Mode::Read, 1);
        match self.rng.below(3) {
            0 => self.line(&format!("mix_float_{}({value});", self.number)),
            1 => self.line(&format!("{name} *= 0.125; {name}++; {name} += {value};")),
            _ => self.line(&format!("{name} = {value};")),
        }
    }

    /// A pointer points to something else of its type.
    fn move_pointer(&mut self) {
        let pointers: Vec<Variable> = self
            .variables
            .iter()
            .filter(|it| !it.is_frozen && matches!(it.shape, Shape::Pointer(_)))
            .cloned()
            .collect();
        let Some(pointer) = self.rng.pick(&pointers).cloned() else {
            return self.change();
        };
        let Shape::Pointer(ty) = &pointer.shape else {
            return;
        };
        let targets: Vec<String> = self
            .variables
            .iter()
            .filter(|it| !it.is_private && !it.is_frozen && it.is_static)
            .filter_map(|it| match &it.shape {
                Shape::Integer(of) if of == ty => Some(format!("&{}", it.name)),
                Shape::Array(of, length) if of == ty => {
                    Some(format!("{} + {}", it.name, length / 2))
                }
                _ => None,
            })
            .collect();
        let Some(target) = self.rng.pick(&targets).cloned() else {
            return self.change();
        };
        let name = &pointer.name;
        let condition = self.expression(Mode::Read, 1);
        self.line(&format!("{name} = {condition} ? {name} : {target};"));
    }

    fn counted_loop(&mut self, depth: usize) {
        let name = self.name("i");
        let ty = self.of(&[
            "int",
            "unsigned",
            "unsigned char",
            "long",
            "short",
            "long long",
        ]);
        let count = 1 + self.rng.below(6);
        let fuel = format!("fuel_{}-- > 0", self.number);
        let (head, step) = match self.rng.below(3) {
            0 => (format!("{ty} {name} = {count}; {name} && {fuel}"), "--"),
            1 => (
                format!("{ty} {name} = 0, {name}x = {count}; {fuel} && {name} < {name}x"),
                "++",
            ),
            _ => (
                format!("{ty} {name} = 0; {name} != {count} && {fuel}"),
                "++",
            ),
        };
        self.variables.push(Variable {
            name: name.clone(),
            shape: Shape::Integer(ty.to_owned()),
            is_frozen: true,
            is_private: true,
            is_static: false,
        });
        self.loops += 1;
        self.braced(&format!("for ({head}; {name}{step})"), depth - 1);
        self.loops -= 1;
        self.variables.pop();
    }

    fn other_loop(&mut self, depth: usize) {
        let number = self.number;
        let condition = self.expression(Mode::Any, 2);
        self.loops += 1;
        match self.rng.chance(50) {
            true => self.braced(
                &format!("while (fuel_{number}-- > 0 && {condition})"),
                depth - 1,
            ),
            false => {
                self.open("do");
                self.block(depth - 1);
                self.close(&format!(" while (fuel_{number}-- > 0 && {condition});"));
            }
        }
        self.loops -= 1;
    }

    fn switch(&mut self, depth: usize) {
        let value = self.expression(Mode::Any, 2);
        let mask = self.of(&["& 7", "% 5", "& 3", "% 3", "& 0x80000007"]);
        self.open(&format!("switch ({value} {mask})"));
        let default = self.rng.below(6);
        for case in 0..5 {
            if case == default {
                self.line("default:");
            }
            let label = match self.rng.below(8) {
                0 => format!("case -{}:", case + 1),
                1 => format!("case {0}0 ... {0}9:", case + 1),
                2 => format!("case {case}: case {}:", case + 70),
                3 => continue,
                _ => format!("case {case}:"),
            };
            self.line(&label);
            self.braced("", depth - 1);
            if self.rng.chance(60) {
                self.line("break;");
            }
        }
        self.line("case 1000:;");
        self.close("");
    }

    fn jump(&mut self, depth: usize) {
        let number = self.number;
        let label = self.name("l");
        let condition = self.expression(Mode::Any, 2);
        match self.rng.below(4) {
            0 | 1 => {
                self.line(&format!("if ({condition}) goto {label};"));
                self.braced("", depth - 1);
                self.line(&format!("{label}:;"));
            }
            2 => {
                self.line(&format!("{label}:;"));
                self.braced("", depth - 1);
                self.line(&format!(
                    "if (fuel_{number}-- > 0 && {condition}) goto {label};"
                ));
            }
            _ => {
                let other = self.name("l");
                self.open("");
                self.line(&format!(
                    "static const void *const way[] = {{ &&{label}, &&{other} }};"
                ));
                self.line(&format!("goto *way[{condition} & 1];"));
                self.line(&format!("{label}:;"));
                self.braced("", depth - 1);
                self.line(&format!("{other}:;"));
                self.braced("", depth - 1);
                self.close("");
            }
        }
    }

    /// An array of variable length, filled and summed up.
    fn variable_array(&mut self) {
        let name = self.name("a");
        let number = self.number;
        let ty = self.integer();
        let length = self.expression(Mode::Read, 2);
        let value = self.expression(Mode::Read, 2);
        self.open("");
        self.line(&format!("int n{name} = ({length} & 7) + 1;"));
        match self.rng.chance(40) {
            true => {
                self.line(&format!("{ty} {name}[n{name}][3];"));
                self.line(&format!(
                    "for (int i = 0; i < n{name} * 3; i++) {name}[i / 3][i % 3] = {value} + i;"
                ));
                self.line(&format!("{ty} (*q{name})[3] = {name} + (n{name} - 1);"));
                self.line(&format!(
                    "mix_{number}((*q{name})[2] + sizeof {name} + sizeof *q{name});"
                ));
            }
            false => {
                self.line(&format!("{ty} {name}[n{name}], w{name}[2][n{name}];"));
                self.line(&format!(
                    "for (int i = 0; i < n{name}; i++) {name}[i] = w{name}[i & 1][i] = {value} ^ i;"
                ));
                self.line(&format!(
                    "for (int i = n{name}; i-- > 0;) mix_{number}({name}[i] + w{name}[i & 1][i]);"
                ));
                self.line(&format!(
                    "mix_{number}(sizeof w{name} + (n{name}++, sizeof {name}));"
                ));
            }
        }
        self.close("");
    }

    /// Adds what is in a variable to the checksum.
    pub(super) fn mix_variable(&mut self, variable: &Variable) {
        let (name, number) = (&variable.name, self.number);
        match &variable.shape {
            Shape::Integer(_) => self.line(&format!("mix_{number}({name});")),
            Shape::Float(_) => self.line(&format!("mix_float_{number}({name});")),
            Shape::Array(_, length) => self.line(&format!(
                "for (int i = 0; i < {length}; i++) mix_{number}({name}[i]);"
            )),
            Shape::Matrix(_, rows, columns) => self.line(&format!(
                "for (int i = 0; i < {}; i++) mix_{number}({name}[i / {columns}][i % {columns}]);",
                rows * columns
            )),
            Shape::Record(record) => self.mix_record(name, *record),
            Shape::Records(record, length) => {
                for index in 0..*length {
                    self.mix_record(&format!("{name}[{index}]"), *record);
                }
            }
            Shape::Pointer(_) | Shape::Into(..) => {
                self.line(&format!("mix_{number}(*{name});"));
            }
            Shape::ToRecord(record) => self.mix_record(&format!("(*{name})"), *record),
        }
    }

    fn mix_record(&mut self, base: &str, record: usize) {
        let number = self.number;
        for leaf in self.records[record].leaves.clone() {
            let path = leaf.path;
            match leaf.length {
                None => self.line(&format!("mix_{number}({base}{path});")),
                Some(length) => {
                    for index in 0..length {
                        self.line(&format!("mix_{number}({base}{path}[{index}]);"));
                    }
                }
            }
        }
    }
}
