//! Types and variables.

use super::{
    Mode, Writer,
    shape::{INTEGERS, Leaf, Record, Shape, Variable},
};

impl Writer {
    /// The name of an integer type.
    pub(super) fn integer(&mut self) -> String {
        match self.rng.below(14) {
            12 => format!("enum small_{}", self.number),
            13 => format!("enum large_{}", self.number),
            other => INTEGERS[other].to_owned(),
        }
    }

    /// Some structures and a union.
    pub(super) fn records(&mut self) {
        for _ in 0..1 + self.rng.below(3) {
            self.structure();
        }
        if self.rng.chance(70) {
            self.union();
        }
    }

    fn structure(&mut self) {
        let name = format!("struct {}", self.name("s"));
        let mut leaves = Vec::new();
        self.open(&name);
        for number in 0..2 + self.rng.below(5) {
            self.field(number, &mut leaves);
        }
        let attribute = match self.rng.below(10) {
            0 => " __attribute__((packed))",
            1 => " __attribute__((aligned(16)))",
            _ => "",
        };
        self.close(&format!("{attribute};"));
        self.records.push(Record {
            name,
            is_union: false,
            leaves,
        });
    }

    fn field(&mut self, number: usize, leaves: &mut Vec<Leaf>) {
        let name = format!("f{number}");
        let mut leaf = Leaf {
            path: format!(".{name}"),
            length: None,
            is_bit_field: false,
        };
        match self.rng.below(10) {
            0..=3 => {
                let ty = self.integer();
                self.line(&format!("{ty} {name};"));
                leaves.push(leaf);
            }
            4..=6 => {
                let (ty, most) = [
                    ("int", 32),
                    ("unsigned", 32),
                    ("signed char", 8),
                    ("unsigned short", 16),
                    ("_Bool", 1),
                    ("unsigned long long", 64),
                    ("long long", 64),
                    ("unsigned long", 32),
                ][self.rng.below(8)];
                let width = 1 + self.rng.below(most);
                self.line(&format!("{ty} {name} : {width};"));
                match self.rng.below(8) {
                    0 => self.line(&format!("{ty} : 0;")),
                    1 => self.line("unsigned : 3;"),
                    _ => {}
                }
                leaf.is_bit_field = true;
                leaves.push(leaf);
            }
            7 => {
                let length = 1 << (1 + self.rng.below(2));
                let ty = self.integer();
                self.line(&format!("{ty} {name}[{length}];"));
                leaf.length = Some(length);
                leaves.push(leaf);
            }
            8 => {
                let known = self.rng.below(self.records.len().max(1));
                let Some(record) = self.records.get(known).cloned() else {
                    self.line(&format!("int {name};"));
                    leaves.push(leaf);
                    return;
                };
                self.line(&format!("{} {name};", record.name));
                for inner in record.leaves {
                    leaves.push(Leaf {
                        path: format!(".{name}{}", inner.path),
                        ..inner
                    });
                }
            }
            _ => {
                let ty = self.integer();
                self.line(&format!("struct {{ {ty} {name}; short {name}x; }};"));
                leaves.push(leaf);
                leaves.push(Leaf {
                    path: format!(".{name}x"),
                    length: None,
                    is_bit_field: false,
                });
            }
        }
    }

    /// A union in which every bit counts whatever was stored last.
    fn union(&mut self) {
        let name = format!("union {}", self.name("u"));
        let parts = self.of(&[
            "unsigned long long a; unsigned char b[8]; struct { unsigned c : 5, d : 27; int e; };",
            "unsigned a; unsigned char b[4]; struct { signed c : 3; unsigned d : 13, e : 16; };",
            "long long a; short b[4]; struct { int c; unsigned short d; signed char e; char f; };",
            "int a; signed char b[4]; struct { unsigned short c; struct { char d, e; }; };",
        ]);
        self.line(&format!("{name} {{ {parts} }};"));
        let mut leaves = Vec::new();
        for part in ["a", "b", "c", "d", "e"] {
            leaves.push(Leaf {
                path: format!(".{part}"),
                length: (part == "b").then_some(4),
                is_bit_field: matches!(part, "c" | "d" | "e"),
            });
        }
        self.records.push(Record {
            name,
            is_union: true,
            leaves,
        });
    }

    /// The program's variables.
    pub(super) fn globals(&mut self) {
        for _ in 0..4 + self.rng.below(4) {
            self.variable("static ", true);
        }
        for _ in 0..self.rng.below(3) {
            self.pointer("static ", true);
        }
    }

    /// Declares a variable with an initial value. What is static has a constant one.
    pub(super) fn variable(&mut self, storage: &str, is_static: bool) {
        let name = self.name("v");
        let is_private = !is_static && self.rng.chance(60);
        let mut is_frozen = self.rng.chance(25);
        let mode = match is_static {
            true => None,
            false => Some((Mode::Read, 2)),
        };
        let constant = if is_frozen { "const " } else { "" };
        let shape = match self.rng.below(10) {
            0..=4 => {
                let ty = self.integer();
                let value = self.initial(mode);
                self.line(&format!("{storage}{constant}{ty} {name} = {value};"));
                Shape::Integer(ty)
            }
            5 => {
                let ty = self.integer();
                let length = 2 << self.rng.below(3);
                let values = self.list(length, mode);
                let shown = match self.rng.chance(30) {
                    true => String::new(),
                    false => length.to_string(),
                };
                let values = match shown.is_empty() {
                    true => format!("{{ [{}] = 1, [0] = 2, {values}", length - 1),
                    false => format!("{{ {values}"),
                };
                self.line(&format!(
                    "{storage}{constant}{ty} {name}[{shown}] = {values} }};"
                ));
                Shape::Array(ty, length)
            }
            6 => {
                let ty = self.integer();
                let (rows, columns) = (2, 2 << self.rng.below(2));
                let values = match self.rng.chance(50) {
                    true => self.list(rows * columns, mode),
                    false => {
                        let (one, two) = (self.list(columns, mode), self.list(columns, mode));
                        format!("[1] = {{ {one} }}, [0] = {{ {two} }}")
                    }
                };
                self.line(&format!(
                    "{storage}{constant}{ty} {name}[{rows}][{columns}] = {{ {values} }};"
                ));
                Shape::Matrix(ty, rows, columns)
            }
            7 => {
                is_frozen = false;
                let ty = self.of(&["float", "double"]);
                let value = match mode {
                    Some((mode, _)) => self.float(mode, 1),
                    None => self.of(&["1.5", "-0.25f", "100", "3.0e2"]).to_owned(),
                };
                self.line(&format!("{storage}{ty} {name} = {value};"));
                Shape::Float(ty)
            }
            8 => {
                let record = self.rng.below(self.records.len());
                let ty = self.records[record].name.clone();
                let values = self.record_list(record, mode);
                self.line(&format!("{storage}{constant}{ty} {name} = {{ {values} }};"));
                Shape::Record(record)
            }
            _ => {
                let record = self.rng.below(self.records.len());
                let ty = self.records[record].name.clone();
                let (one, two) = (
                    self.record_list(record, mode),
                    self.record_list(record, mode),
                );
                self.line(&format!(
                    "{storage}{constant}{ty} {name}[2] = {{ [1] = {{ {one} }}, [0] = {{ {two} }} }};"
                ));
                Shape::Records(record, 2)
            }
        };
        self.variables.push(Variable {
            name,
            shape,
            is_frozen,
            is_private,
            is_static,
        });
    }

    /// An initial value: a constant, or whatever an expression gives.
    fn initial(&mut self, mode: Option<(Mode, usize)>) -> String {
        match mode {
            Some((mode, depth)) => self.expression(mode, depth),
            None => match self.rng.below(3) {
                0 => {
                    let (one, two) = (self.literal(), self.literal());
                    let operator = self.of(&["+", "-", "*", "^", "|", "&", "<", "=="]);
                    format!("({one} {operator} {two})")
                }
                1 => {
                    let ty = self.integer();
                    format!("({ty}){}", self.literal())
                }
                _ => self.literal(),
            },
        }
    }

    fn list(&mut self, length: usize, mode: Option<(Mode, usize)>) -> String {
        let count = 1 + self.rng.below(length);
        let values: Vec<String> = (0..count).map(|_| self.initial(mode)).collect();
        values.join(", ")
    }

    /// What stands between the braces of a record's initial value. Later parts may replace earlier
    /// ones, which have no effects.
    pub(super) fn record_list(&mut self, record: usize, mode: Option<(Mode, usize)>) -> String {
        let record = self.records[record].clone();
        let mut values = Vec::new();
        let leaves = match record.is_union {
            true => &record.leaves[..1],
            false => &record.leaves[..],
        };
        for leaf in leaves {
            match (leaf.length, self.rng.below(4)) {
                (_, 0) if !values.is_empty() => {}
                (None, _) => {
                    let value = self.initial(mode);
                    values.push(format!("{} = {value}", leaf.path));
                }
                (Some(length), 1) => {
                    let value = self.initial(None);
                    values.push(format!("{}[0 ... {}] = {value}", leaf.path, length - 1));
                }
                (Some(length), 2) => {
                    let value = self.initial(mode);
                    values.push(format!("{}[{}] = {value}", leaf.path, length - 1));
                }
                (Some(length), _) => {
                    let list = self.list(length, mode);
                    values.push(format!("{} = {{ {list} }}", leaf.path));
                }
            }
        }
        values.join(", ")
    }

    /// Declares a pointer to something that lives at least as long and is not private.
    pub(super) fn pointer(&mut self, storage: &str, is_static: bool) {
        let targets: Vec<Variable> = self
            .variables
            .iter()
            .filter(|it| !it.is_private && !it.is_frozen && (it.is_static || !is_static))
            .cloned()
            .collect();
        let Some(target) = self.rng.pick(&targets).cloned() else {
            return;
        };
        let name = self.name("p");
        let is_frozen = self.rng.chance(40);
        let constant = if is_frozen { "const " } else { "" };
        let of = &target.name;
        let (shape, ty, value) = match &target.shape {
            Shape::Integer(ty) => (Shape::Pointer(ty.clone()), ty.clone(), format!("&{of}")),
            Shape::Array(ty, length) => match self.rng.chance(50) {
                true => (Shape::Into(ty.clone(), *length), ty.clone(), of.clone()),
                false => {
                    let index = self.rng.below(*length);
                    let value = match self.rng.chance(50) {
                        true => format!("&{of}[{index}]"),
                        false => format!("{of} + {index}"),
                    };
                    (Shape::Pointer(ty.clone()), ty.clone(), value)
                }
            },
            Shape::Matrix(ty, rows, columns) => {
                let row = self.rng.below(*rows);
                (
                    Shape::Into(ty.clone(), *columns),
                    ty.clone(),
                    format!("{of}[{row}]"),
                )
            }
            Shape::Record(record) => {
                let ty = self.records[*record].name.clone();
                (Shape::ToRecord(*record), ty, format!("&{of}"))
            }
            Shape::Records(record, length) => {
                let ty = self.records[*record].name.clone();
                let index = self.rng.below(*length);
                (Shape::ToRecord(*record), ty, format!("&{of}[{index}]"))
            }
            _ => return,
        };
        self.line(&format!("{storage}{ty} *{constant}{name} = {value};"));
        self.variables.push(Variable {
            name,
            shape,
            is_frozen,
            is_private: false,
            is_static,
        });
    }
}
