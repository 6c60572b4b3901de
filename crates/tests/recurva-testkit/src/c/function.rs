//! Functions.

use super::{
    Callable, Mode, Writer,
    shape::{INTEGERS, Shape, Variable},
};

impl Writer {
    /// Some functions; each may call those before it, and itself.
    pub(super) fn functions(&mut self) {
        for _ in 0..2 + self.rng.below(3) {
            self.integer_function();
        }
        if self.rng.chance(50) {
            self.record_function();
        }
        self.table();
    }

    fn integer_function(&mut self) {
        let name = self.name("f");
        let count = 1 + self.rng.below(3);
        let types: Vec<&'static str> = (0..count).map(|_| self.of(&INTEGERS)).collect();
        let result = self.integer();
        let is_old_style = self.rng.chance(15);
        let names: Vec<String> = (0..count).map(|_| self.name("x")).collect();
        let head = match is_old_style {
            true => {
                let declared: Vec<String> = types
                    .iter()
                    .zip(&names)
                    .map(|(ty, name)| format!("{ty} {name};"))
                    .collect();
                format!(
                    "static {result} {name}({}) {}",
                    names.join(", "),
                    declared.join(" ")
                )
            }
            false => {
                let declared: Vec<String> = types
                    .iter()
                    .zip(&names)
                    .map(|(ty, name)| format!("{ty} {name}"))
                    .collect();
                format!("static {result} {name}({})", declared.join(", "))
            }
        };
        // Arguments of a function in the old style must have its parameters' promoted types.
        let parameters = match is_old_style {
            true => types.iter().map(|ty| cast_first(ty)).collect(),
            false => types.clone(),
        };
        let outside = self.variables.len();
        self.parameters(&types, &names);
        let callable = Callable {
            name: name.clone(),
            parameters,
            record: None,
        };
        self.callables.push(callable);
        self.function_body(&head, 8);
        let value = self.expression(Mode::Any, 3);
        self.line(&format!("return {value};"));
        self.close("");
        self.is_local = false;
        self.variables.truncate(outside);
    }

    fn parameters(&mut self, types: &[&'static str], names: &[String]) {
        for (ty, name) in types.iter().zip(names) {
            let is_frozen = self.rng.chance(50);
            self.variables.push(Variable {
                name: name.clone(),
                shape: Shape::Integer((*ty).to_owned()),
                is_frozen,
                is_private: true,
                is_static: false,
            });
        }
    }

    /// A function that takes and returns records.
    fn record_function(&mut self) {
        let record = self.rng.below(self.records.len());
        let ty = self.records[record].name.clone();
        let (name, argument) = (self.name("f"), self.name("x"));
        let outside = self.variables.len();
        self.parameters(&["int"], std::slice::from_ref(&argument));
        let helper = self.name("h");
        let values = self.record_list(record, None);
        self.open(&format!("static {ty} {helper}({ty} given, int unused)"));
        self.line("(void)unused;");
        self.line("return given;");
        self.close("");
        let head = format!("static {ty} {name}(int {argument})");
        self.function_body(&head, 5);
        let local = self.name("r");
        self.line(&format!("{ty} {local} = {{ {values} }};"));
        self.variables.push(Variable {
            name: local.clone(),
            shape: Shape::Record(record),
            is_frozen: false,
            is_private: true,
            is_static: false,
        });
        self.statements = 3;
        for _ in 0..3 {
            self.statement(1);
        }
        self.line(&format!("return {helper}({local}, {argument});"));
        self.close("");
        self.is_local = false;
        self.variables.truncate(outside);
        self.callables.push(Callable {
            name,
            parameters: vec!["int"],
            record: Some(record),
        });
    }

    /// A table of functions of one type.
    fn table(&mut self) {
        let mut names = Vec::new();
        for _ in 0..2 {
            let name = self.name("g");
            let arguments = [self.name("x"), self.name("x")];
            let outside = self.variables.len();
            self.parameters(&["int", "unsigned short"], &arguments);
            let head = format!(
                "static long long {name}(int {}, unsigned short {})",
                arguments[0], arguments[1]
            );
            self.function_body(&head, 3);
            let value = self.expression(Mode::Any, 3);
            self.line(&format!("return {value};"));
            self.close("");
            self.is_local = false;
            self.variables.truncate(outside);
            names.push(name);
        }
        let number = self.number;
        self.line(&format!(
            "static long long (*const table_{number}[2])(int, unsigned short) = {{ {}, &{} }};",
            names[0], names[1]
        ));
        self.has_table = true;
    }

    /// The head of a function and what it does first, up to the last statement.
    pub(super) fn function_body(&mut self, head: &str, statements: usize) {
        self.open(head);
        self.is_local = true;
        let number = self.number;
        let without_fuel = match head.contains("run_") {
            true => None,
            false => Some(format!("if (fuel_{number}-- <= 0)")),
        };
        if let Some(line) = without_fuel {
            match self
                .records
                .iter()
                .find(|it| head.starts_with(&format!("static {} ", it.name)))
            {
                Some(record) => {
                    let text = format!("{line} return ({}){{ 0 }};", record.name);
                    self.line(&text);
                }
                None => self.line(&format!("{line} return 7;")),
            }
        }
        for _ in 0..1 + self.rng.below(4) {
            match self.rng.chance(15) {
                true => self.static_variable(),
                false => self.variable("", false),
            }
        }
        if self.rng.chance(50) {
            self.pointer("", false);
        }
        self.statements = statements;
        while self.statements > 0 {
            self.statement(3);
        }
    }

    fn static_variable(&mut self) {
        self.variable("static ", true);
    }
}

/// A type whose values are given by casts.
fn cast_first(ty: &'static str) -> &'static str {
    match ty {
        "_Bool" => "=_Bool",
        "char" => "=char",
        "signed char" => "=signed char",
        "unsigned char" => "=unsigned char",
        "short" => "=short",
        "unsigned short" => "=unsigned short",
        "int" => "=int",
        "unsigned" => "=unsigned",
        "long" => "=long",
        "unsigned long" => "=unsigned long",
        "long long" => "=long long",
        _ => "=unsigned long long",
    }
}
