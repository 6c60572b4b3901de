//! Expressions. All come in parentheses, and have integer types unless they say otherwise.

use super::{
    Callable, Mode, Writer,
    shape::{Place, Shape, Variable},
};

const LITERALS: [&str; 40] = [
    "0",
    "1",
    "2",
    "3",
    "7",
    "31",
    "100",
    "127",
    "128",
    "255",
    "256",
    "0x7fff",
    "32768",
    "65535",
    "0777",
    "1000000007",
    "0x7fffffff",
    "2147483648",
    "0x80000000",
    "4294967295",
    "0xffffffff",
    "4294967296",
    "0x7fffffffffffffff",
    "0x8000000000000000",
    "18446744073709551615ull",
    "1u",
    "5u",
    "3l",
    "2ul",
    "9ll",
    "11ull",
    "0xfffful",
    "'a'",
    "'\\0'",
    "'\\xff'",
    "'\\n'",
    "'\\377'",
    "0x123456789abcdefll",
    "40000u",
    "0b1011",
];

impl Writer {
    pub(super) fn literal(&mut self) -> String {
        let number = self.number;
        let plain = match self.rng.below(12) {
            0 => {
                let name = self.of(&["first", "second", "third", "fourth", "fifth", "sixth"]);
                return format!("{name}_{number}");
            }
            1 => self.rng.below(1000).to_string(),
            _ => self.of(&LITERALS).to_owned(),
        };
        match self.rng.below(4) {
            0 => format!("(-{plain})"),
            _ => plain,
        }
    }

    /// An expression of at most so many levels.
    pub(super) fn expression(&mut self, mode: Mode, depth: usize) -> String {
        if depth == 0 {
            return self.leaf(mode);
        }
        if mode == Mode::Any && self.rng.chance(35) {
            return self.effect(depth);
        }
        match self.rng.below(22) {
            0 | 1 => self.leaf(mode),
            2..=6 => {
                let (left, right) = self.two(mode, depth);
                let operator = self.of(&[
                    "+", "-", "*", "&", "|", "^", "==", "!=", "<", "<=", ">", ">=", "+", "-",
                ]);
                format!("({left} {operator} {right})")
            }
            7 => {
                let (left, right) = self.two(mode, depth);
                let operator = self.of(&["<<", ">>"]);
                match self.rng.below(3) {
                    0 => {
                        let ty = self.of(&["long long", "unsigned long long"]);
                        format!("(({ty}){left} {operator} ({right} & 63))")
                    }
                    _ => format!("({left} {operator} ({right} & 31))"),
                }
            }
            8 => {
                let (left, right) = self.two(mode, depth);
                let operator = self.of(&["/", "%"]);
                // Neither 0 nor -1 in any type.
                match self.rng.below(4) {
                    0 => format!("({left} {operator} ({right} % 5 - 7))"),
                    1 => {
                        let divisor =
                            self.of(&["3", "-3", "10u", "-7l", "1000ll", "65536", "12ull"]);
                        format!("({left} {operator} {divisor})")
                    }
                    _ => format!("({left} {operator} (({right} & 63) + 1))"),
                }
            }
            9 | 10 => {
                let operator = self.of(&["-", "~", "!", "+"]);
                let operand = self.expression(mode, depth - 1);
                format!("({operator}{operand})")
            }
            11 | 12 => {
                let ty = self.integer();
                let operand = self.expression(mode, depth - 1);
                format!("(({ty}){operand})")
            }
            13 => {
                let operator = self.of(&["&&", "||"]);
                let left = self.expression(mode, depth - 1);
                let right = self.expression(mode, depth - 1);
                format!("({left} {operator} {right})")
            }
            14 | 15 => {
                let condition = self.expression(mode, depth - 1);
                let no = self.expression(mode, depth - 1);
                match self.rng.below(4) {
                    0 => format!("({condition} ?: {no})"),
                    _ => {
                        let yes = self.expression(mode, depth - 1);
                        format!("({condition} ? {yes} : {no})")
                    }
                }
            }
            16 => {
                let first = self.expression(mode, depth - 1);
                let second = self.expression(mode, depth - 1);
                format!("({first}, {second})")
            }
            17 => self.size(depth),
            18 => {
                let index = self.expression(mode, depth - 1);
                let text = self.of(&["\"abc\"", "\"\\377\\0x\"", "\"a\" \"bc\""]);
                format!("({text}[{index} & 3])")
            }
            19 => self.asked_of_floats(mode, depth),
            20 => self.literal_object(mode, depth),
            _ => self.of_pointers(mode, depth),
        }
    }

    /// Two operands of which none depends on the other.
    fn two(&mut self, mode: Mode, depth: usize) -> (String, String) {
        match (mode, self.rng.below(3)) {
            (Mode::Any, 0) => {
                let left = self.expression(Mode::Any, depth - 1);
                (left, self.expression(Mode::Frozen, depth - 1))
            }
            (Mode::Any, 1) => {
                let left = self.expression(Mode::Frozen, depth - 1);
                (left, self.expression(Mode::Any, depth - 1))
            }
            (mode, _) => {
                let mode = quiet(mode);
                let left = self.expression(mode, depth - 1);
                (left, self.expression(mode, depth - 1))
            }
        }
    }

    fn leaf(&mut self, mode: Mode) -> String {
        if self.rng.chance(25) {
            return self.literal();
        }
        let is_pointer = |it: &Variable| {
            matches!(
                it.shape,
                Shape::Pointer(_) | Shape::Into(..) | Shape::ToRecord(_)
            )
        };
        // What a pointer points to may change even if the pointer does not.
        let is_fine = |it: &Variable| mode != Mode::Frozen || (it.is_frozen && !is_pointer(it));
        match self.place_of(quiet(mode), is_fine) {
            Some(place) => place.text,
            None => self.literal(),
        }
    }

    /// Something to assign to. Its indices are of the mode given.
    pub(super) fn place(&mut self, mode: Mode) -> Option<Place> {
        let place = self.place_of(mode, |it| match it.shape {
            Shape::Pointer(_) | Shape::Into(..) | Shape::ToRecord(_) => true,
            _ => !it.is_frozen,
        });
        // A pointer that never changes may point to what does.
        place.filter(|it| it.private.as_ref().is_none_or(|it| !self.busy.contains(it)))
    }

    fn place_of(&mut self, mode: Mode, is_fine: impl Fn(&Variable) -> bool) -> Option<Place> {
        let reads_frozen = mode == Mode::Frozen;
        let fine: Vec<Variable> = self
            .variables
            .iter()
            .filter(|it| is_fine(it) && !matches!(it.shape, Shape::Float(_)))
            .cloned()
            .collect();
        let variable = self.rng.pick(&fine)?.clone();
        let name = &variable.name;
        let text = match &variable.shape {
            Shape::Integer(ty) => {
                let may_be_split =
                    !variable.is_private && !variable.is_frozen && !ty.contains("_Bool");
                match may_be_split && self.rng.chance(12) {
                    true => {
                        let index = self.index(mode);
                        format!("((unsigned char *)&{name})[{index} & (sizeof {name} - 1)]")
                    }
                    false => name.clone(),
                }
            }
            Shape::Array(_, length) | Shape::Into(_, length) => {
                let index = self.index(mode);
                let index = format!("{index} & {}", length - 1);
                match self.rng.below(4) {
                    0 => format!("(*({name} + ({index})))"),
                    1 => format!("(({index})[{name}])"),
                    _ => format!("{name}[{index}]"),
                }
            }
            Shape::Matrix(_, rows, columns) => {
                let (row, column) = (self.index(mode), self.index(mode));
                format!("{name}[{row} & {}][{column} & {}]", rows - 1, columns - 1)
            }
            Shape::Record(record) => self.in_record(name.clone(), *record, mode),
            Shape::Records(record, length) => {
                let index = self.index(mode);
                let element = format!("{name}[{index} & {}]", length - 1);
                self.in_record(element, *record, mode)
            }
            Shape::Pointer(_) => format!("(*{name})"),
            Shape::ToRecord(record) => {
                let path = self.in_record(String::new(), *record, mode);
                match self.rng.chance(50) {
                    true => format!("(*{name}){path}"),
                    false => format!("{name}->{}", &path[1..]),
                }
            }
            Shape::Float(_) => return None,
        };
        let is_pointer = matches!(
            variable.shape,
            Shape::Pointer(_) | Shape::Into(..) | Shape::ToRecord(_)
        );
        if reads_frozen && is_pointer && !variable.is_frozen {
            return None;
        }
        let is_whole = matches!(variable.shape, Shape::Integer(_)) && text == *name;
        Some(Place {
            text,
            private: (is_whole && variable.is_private).then(|| variable.name.clone()),
            is_fixed: reads_frozen && (!is_pointer || variable.is_frozen),
        })
    }

    /// A number of any size, from few parts: places are within expressions and the other way round.
    fn index(&mut self, mode: Mode) -> String {
        let fine: Vec<String> = self
            .variables
            .iter()
            .filter(|it| matches!(it.shape, Shape::Integer(_)))
            .filter(|it| mode != Mode::Frozen || it.is_frozen)
            .map(|it| it.name.clone())
            .collect();
        let literal = self.literal();
        match (self.rng.below(4), self.rng.pick(&fine)) {
            (0, _) | (_, None) => literal,
            (1, Some(name)) => format!("({name} + {literal})"),
            (_, Some(name)) => name.clone(),
        }
    }

    fn in_record(&mut self, base: String, record: usize, mode: Mode) -> String {
        let leaves = self.records[record].leaves.clone();
        let Some(leaf) = self.rng.pick(&leaves) else {
            return base;
        };
        match leaf.length {
            Some(length) => {
                let index = self.index(mode);
                format!("{base}{}[{index} & {}]", leaf.path, length - 1)
            }
            None => format!("{base}{}", leaf.path),
        }
    }

    /// An expression that changes something, or calls a function.
    fn effect(&mut self, depth: usize) -> String {
        match self.rng.below(10) {
            0..=4 => {
                let Some(place) = self.inner_place() else {
                    return self.leaf(Mode::Read);
                };
                let text = place.text;
                match self.rng.below(4) {
                    0 => format!("({text}++)"),
                    1 => format!("(--{text})"),
                    2 => {
                        let operator = self.of(&["+=", "-=", "*=", "^=", "|=", "&="]);
                        let value = self.expression(Mode::Read, depth - 1);
                        format!("({text} {operator} {value})")
                    }
                    _ => {
                        let value = self.expression(Mode::Read, depth - 1);
                        format!("({text} = {value})")
                    }
                }
            }
            5..=7 => self.call(depth),
            8 => {
                let ty = self.integer();
                let name = self.name("t");
                let value = self.expression(Mode::Any, depth - 1);
                let other = self.expression(Mode::Read, depth - 1);
                match self.rng.below(3) {
                    0 => format!("({{ {ty} {name} = {value}; {name} ^= {other}; {name}; }})"),
                    1 => format!(
                        "({{ {ty} {name} = {value}; if ({other}) {name}++; else {name} -= 3; {name}; }})"
                    ),
                    _ => format!(
                        "({{ {ty} {name} = 1; for (int i = 0; i < 3; i++) {name} = {name} * 3 + i; \
                         {name} ^ {value}; }})"
                    ),
                }
            }
            _ => {
                let count = 1 + self.rng.below(4);
                let number = self.number;
                let mut text = match self.rng.chance(50) {
                    true => format!("total_{number}({count}"),
                    false => return self.mixed(),
                };
                for _ in 0..count {
                    let value = self.expression(Mode::Read, 1);
                    text.push_str(&format!(", (int){value}"));
                }
                text.push(')');
                text
            }
        }
    }

    /// A call with arguments of many types.
    fn mixed(&mut self) -> String {
        let mut kinds = String::new();
        let mut values = String::new();
        for _ in 0..1 + self.rng.below(10) {
            let (kind, ty) = [
                ('i', "int"),
                ('l', "long"),
                ('q', "long long"),
                ('d', "float"),
            ][self.rng.below(4)];
            let value = match kind {
                'd' => self.float(Mode::Read, 1),
                _ => self.expression(Mode::Read, 1),
            };
            kinds.push(kind);
            values.push_str(&format!(", ({ty}){value}"));
        }
        format!("mixed_{}(\"{kinds}\"{values})", self.number)
    }

    /// What an assignment within an expression may change.
    fn inner_place(&mut self) -> Option<Place> {
        if self.busy.is_empty() {
            return self.place(Mode::Frozen).filter(|it| it.is_fixed);
        }
        let busy = self.busy.clone();
        self.place_of(Mode::Frozen, |it| {
            it.is_private
                && !it.is_frozen
                && matches!(it.shape, Shape::Integer(_))
                && !busy.contains(&it.name)
        })
    }

    /// A call of one of the functions that are written before this.
    fn call(&mut self, depth: usize) -> String {
        let callables = self.callables.clone();
        let number = self.number;
        if self.has_table && self.rng.chance(30) {
            let index = self.expression(Mode::Frozen, 1);
            let arguments = self.arguments(&["int", "unsigned short"], depth);
            return match self.rng.chance(50) {
                true => format!("table_{number}[{index} & 1]({arguments})"),
                false => format!("(*table_{number}[{index} & 1])({arguments})"),
            };
        }
        let Some(callable) = self.rng.pick(&callables).cloned() else {
            return self.leaf(Mode::Read);
        };
        let call = self.call_of(&callable, depth);
        match callable.record {
            Some(record) => {
                let path = self.in_record(String::new(), record, Mode::Frozen);
                format!("({call}{path})")
            }
            None => call,
        }
    }

    pub(super) fn call_of(&mut self, callable: &Callable, depth: usize) -> String {
        let arguments = self.arguments(&callable.parameters, depth);
        format!("{}({arguments})", callable.name)
    }

    fn arguments(&mut self, parameters: &[&'static str], depth: usize) -> String {
        let active = self.rng.below(parameters.len() * 2);
        let mut arguments = Vec::new();
        for (position, ty) in parameters.iter().enumerate() {
            let mode = match () {
                () if active >= parameters.len() => Mode::Read,
                () if position == active => Mode::Any,
                () => Mode::Frozen,
            };
            arguments.push(match *ty {
                // A function in the old style does not convert its arguments.
                "float" | "double" => format!("(double){}", self.float(quiet(mode), 1)),
                ty if ty.starts_with('=') => {
                    let value = self.expression(mode, depth.saturating_sub(1));
                    format!("({}){value}", &ty[1..])
                }
                _ => self.expression(mode, depth.saturating_sub(1)),
            });
        }
        arguments.join(", ")
    }

    fn size(&mut self, depth: usize) -> String {
        match self.rng.below(5) {
            0 => format!("sizeof({})", self.integer()),
            1 => {
                let record = self.rng.below(self.records.len().max(1));
                match self.records.get(record) {
                    Some(record) => format!("(_Alignof({0}) * sizeof({0}))", record.name),
                    None => "sizeof(char *)".into(),
                }
            }
            2 => {
                // The type of an expression.
                let operand = self.expression(Mode::Read, depth - 1);
                format!(
                    "_Generic(-{operand}, int: 1, unsigned: 2, long: 3, unsigned long: 4, \
                     long long: 5, unsigned long long: 6, default: 7)"
                )
            }
            3 => {
                let variables = self.variables.clone();
                match self.rng.pick(&variables) {
                    Some(variable) => format!("sizeof {}", variable.name),
                    None => "sizeof(long)".into(),
                }
            }
            // A bit-field has no size.
            _ => format!("sizeof(+{})", self.expression(Mode::Read, depth - 1)),
        }
    }

    /// A floating-point number of at most some ten thousands.
    pub(super) fn float(&mut self, mode: Mode, depth: usize) -> String {
        let mode = quiet(mode);
        if depth > 0 {
            let operator = self.of(&["+", "-"]);
            let (left, right) = (self.float(mode, 0), self.float(mode, 0));
            return format!("({left} {operator} {right})");
        }
        let ty = self.of(&["float", "double"]);
        let floats: Vec<Variable> = self
            .variables
            .iter()
            .filter(|it| matches!(it.shape, Shape::Float(_)))
            .cloned()
            .collect();
        match (self.rng.below(4), self.rng.pick(&floats)) {
            (0, Some(variable)) if mode == Mode::Read => format!("({} * 0.25f)", variable.name),
            (1, _) => self
                .of(&["1.5", "-0.1f", "2.0e3", "0x1.8p3", ".3", "7.f"])
                .to_owned(),
            _ => {
                let value = self.expression(mode, 0);
                let factor = self.of(&["* 3", "/ 7", "* 0.1f", "/ 3.0", "+ 0.5"]);
                format!("(({ty})({value} % 1000) {factor})")
            }
        }
    }

    fn asked_of_floats(&mut self, mode: Mode, depth: usize) -> String {
        let value = self.float(mode, 1);
        match self.rng.below(6) {
            0 => {
                let operator = self.of(&["<", "<=", "==", "!=", ">", ">="]);
                let other = self.float(mode, 1);
                format!("({value} {operator} {other})")
            }
            1 => format!("(!{value})"),
            2 => format!("((_Bool){value})"),
            3 => {
                // Numbers that are rounded when they become floating.
                let ty = self.of(&["float", "double"]);
                let large = self.expression(quiet(mode), depth - 1);
                format!("(({ty}){large} > {value})")
            }
            4 => format!("((unsigned)({value} + 200000))"),
            _ => {
                let ty = self.of(&["int", "long", "long long"]);
                format!("(({ty})({value} * 16))")
            }
        }
    }

    /// An object that has no name.
    fn literal_object(&mut self, mode: Mode, depth: usize) -> String {
        let mode = quiet(mode);
        let value = self.expression(mode, depth - 1);
        match self.rng.below(3) {
            0 if self.is_local => {
                let ty = self.integer();
                format!("(({ty}){{{value}}})")
            }
            1 if self.is_local => {
                let ty = self.integer();
                let index = self.index(mode);
                format!("((({ty}[4]){{1, [2] = {value}, 5}})[{index} & 3])")
            }
            2 if self.is_local && !self.records.is_empty() => {
                let record = self.rng.below(self.records.len());
                let values = self.record_list(record, Some((mode, depth - 1)));
                let path = match self.records[record].is_union {
                    true => ".a".to_owned(),
                    false => self.in_record(String::new(), record, mode),
                };
                format!("((({}){{ {values} }}){path})", self.records[record].name)
            }
            _ => value,
        }
    }

    /// Something that pointers say.
    fn of_pointers(&mut self, mode: Mode, depth: usize) -> String {
        let mode = quiet(mode);
        let is_fine = |it: &Variable| {
            let is_array = matches!(it.shape, Shape::Array(..));
            match mode {
                Mode::Frozen => it.is_frozen && is_array,
                _ => !it.is_private && (is_array || matches!(it.shape, Shape::Into(..))),
            }
        };
        let fine: Vec<Variable> = self
            .variables
            .iter()
            .filter(|it| is_fine(it))
            .cloned()
            .collect();
        let Some(variable) = self.rng.pick(&fine).cloned() else {
            return self.expression(mode, depth - 1);
        };
        let length = match variable.shape {
            Shape::Array(_, length) | Shape::Into(_, length) => length,
            _ => 1,
        };
        let (one, two) = (self.index(mode), self.index(mode));
        let name = &variable.name;
        let (one, two) = (
            format!("({one} & {})", length - 1),
            format!("({two} & {})", length - 1),
        );
        match self.rng.below(3) {
            0 => format!("(&{name}[{one}] - &{name}[{two}])"),
            1 => {
                let operator = self.of(&["<", "<=", "==", "!=", ">", ">="]);
                format!("({name} + {one} {operator} {name} + {two})")
            }
            _ => format!("(*(&{name}[{one}] + ((int){two} - (int){one})))"),
        }
    }
}

/// What an expression may do where effects are not wanted.
fn quiet(mode: Mode) -> Mode {
    match mode {
        Mode::Frozen => Mode::Frozen,
        _ => Mode::Read,
    }
}
