//! Modules as text, for people who debug: one edge per line.

use std::fmt;

use crate::{
    Argument, Base, Binary, Callee, Check, ErrorKind, Expr, ExprKind, Float, Function, FunctionId,
    LocalKind, Module, Operation, Place, Scalar, Step, Storage, Type, TypeId, Unary, Unknown, Var,
};

impl Module {
    /// A type as text: `*struct node`, `[i32; 10]`.
    pub fn type_text(&self, ty: TypeId) -> String {
        let named = |kind: &str, name: &str, index: u32| match name.is_empty() {
            true => format!("{kind} #{index}"),
            false => format!("{kind} {name}"),
        };
        match *self.types.get(ty) {
            Type::Void => "void".to_owned(),
            Type::Bool => "bool".to_owned(),
            Type::Int(int) => scalar_text(Scalar::Int(int)),
            Type::Enum(_, id) => named("enum", &self.types.enums[id.0 as usize].name, id.0),
            Type::Char(int) if int.is_signed => "char".to_owned(),
            Type::Char(_) => "unsigned char".to_owned(),
            Type::Float(float) => scalar_text(Scalar::Float(float)),
            Type::Pointer(to) => format!("*{}", self.type_text(to)),
            Type::Array(element, count) => format!("[{}; {count}]", self.type_text(element)),
            Type::Record(id) => {
                let record = self.types.record(id);
                let kind = if record.is_union { "union" } else { "struct" };
                named(kind, &record.name, id.0)
            }
            Type::Function => "function".to_owned(),
            Type::VaList => "va_list".to_owned(),
        }
    }

    /// A place of a function as text, close to C: `p->next`, `a[i].x`.
    pub fn place_text(&self, function: &Function, place: &Place) -> String {
        let (mut text, mut is_deref) = match &place.base {
            Base::Var(Var::Local(local)) => match function.locals.get(local.0 as usize) {
                Some(local) => (local.name.to_string(), false),
                None => (format!("local {}", local.0), false),
            },
            Base::Var(Var::Global(id)) => match self.globals.get(id.0 as usize) {
                Some(global) if global.name.is_empty() => {
                    let end = global.bytes.iter().position(|&byte| byte == 0);
                    let bytes = &global.bytes[..end.unwrap_or(global.bytes.len())];
                    (crate::show_string(bytes), false)
                }
                Some(global) => (global.name.to_string(), false),
                None => (format!("global {}", id.0), false),
            },
            Base::Deref(pointer, _) => (self.expr_text(function, pointer), true),
        };
        for step in &place.path {
            match step {
                Step::Field(record, field) => {
                    let record = self.types.records.get(record.0 as usize);
                    let field = record.and_then(|it| it.fields.get(*field as usize));
                    let name = field.map_or("?", |it| &it.name);
                    text.push_str(if is_deref { "->" } else { "." });
                    text.push_str(name);
                }
                Step::Index(index) => {
                    if is_deref {
                        text = format!("(*{text})");
                    }
                    text = format!("{text}[{}]", self.expr_text(function, index));
                }
            }
            is_deref = false;
        }
        match is_deref {
            true => format!("*{text}"),
            false => text,
        }
    }

    /// An expression of a function as text, close to C.
    pub fn expr_text(&self, function: &Function, expr: &Expr) -> String {
        let text = |expr: &Expr| self.expr_text(function, expr);
        let place = |place: &Place| self.place_text(function, place);
        match &expr.kind {
            ExprKind::Const(value) => match expr.ty {
                Scalar::Pointer if *value == 0 => "NULL".to_owned(),
                Scalar::Pointer => format!("{value:#x}"),
                Scalar::Bool => (if *value == 0 { "false" } else { "true" }).to_owned(),
                Scalar::Int(int) if int.is_signed => {
                    let unused = 64 - u32::from(int.bits);
                    ((value << unused) as i64 >> unused).to_string()
                }
                _ => value.to_string(),
            },
            ExprKind::Float(value) => format!("{value:?}"),
            ExprKind::Load(it) => place(it),
            ExprKind::Address(it) => format!("&{}", place(it)),
            ExprKind::Function(id) => format!("&{}", self.function_name(*id)),
            ExprKind::Unary(operator, inner) => {
                let inner_text = text(inner);
                match operator {
                    Unary::Negate => format!("-{inner_text}"),
                    Unary::Not if inner.ty == Scalar::Bool => format!("!{inner_text}"),
                    Unary::Not => format!("~{inner_text}"),
                    Unary::LeadingZeros => format!("leading_zeros({inner_text})"),
                    Unary::TrailingZeros => format!("trailing_zeros({inner_text})"),
                    Unary::CountOnes => format!("count_ones({inner_text})"),
                    Unary::SwapBytes => format!("swap_bytes({inner_text})"),
                }
            }
            ExprKind::Binary(operator, left, right) => {
                format!("({} {} {})", text(left), symbol(*operator), text(right))
            }
            ExprKind::Convert(inner) => format!("({}) {}", scalar_text(expr.ty), text(inner)),
            ExprKind::Offset {
                pointer,
                index,
                size,
            } => format!("({} + {} * {size})", text(pointer), text(index)),
            ExprKind::Distance { left, right, size } => {
                format!("(({} - {}) / {size})", text(left), text(right))
            }
            ExprKind::If(condition, yes, no) => {
                format!("({} ? {} : {})", text(condition), text(yes), text(no))
            }
            ExprKind::Overflows(operator, left, right) => {
                let operator = symbol(*operator);
                format!("overflows({} {operator} {})", text(left), text(right))
            }
            ExprKind::OutOfRange(inner, int) => {
                let int = scalar_text(Scalar::Int(*int));
                format!("out_of_range({}, {int})", text(inner))
            }
            ExprKind::IsValid(pointer, count) => format!("is_valid({}, {count})", text(pointer)),
            ExprKind::IsAlive(pointer) => format!("is_alive({})", text(pointer)),
            ExprKind::IsFreeable(pointer) => format!("is_freeable({})", text(pointer)),
            ExprKind::IsFunction(pointer) => format!("is_function({})", text(pointer)),
            ExprKind::IsInitialised(it) => format!("is_initialised({})", place(it)),
        }
    }

    fn function_name(&self, id: FunctionId) -> String {
        match self.functions.get(id.0 as usize) {
            Some(function) => function.name.to_string(),
            None => format!("function {}", id.0),
        }
    }

    /// An operation of a function as text.
    pub fn operation_text(&self, function: &Function, operation: &Operation) -> String {
        let text = |expr: &Expr| self.expr_text(function, expr);
        let place = |place: &Place| self.place_text(function, place);
        match operation {
            Operation::Skip => "skip".to_owned(),
            Operation::Assume(condition) => format!("assume {}", text(condition)),
            Operation::Check(check, condition) => {
                format!("check {}: {}", check_text(*check), text(condition))
            }
            Operation::Error(ErrorKind::Assertion(it)) => format!("error: assertion {it:?}"),
            Operation::Error(ErrorKind::Call(it)) => format!("error: call of {it}"),
            Operation::Error(ErrorKind::Abort) => "error: abort".to_owned(),
            Operation::Assign(to, value) => format!("{} = {}", place(to), text(value)),
            Operation::Copy(to, from) => format!("copy {} = {}", place(to), place(from)),
            Operation::Zero(it) => format!("zero {}", place(it)),
            Operation::Havoc(it, why) => format!("havoc {}: {}", place(it), unknown_text(why)),
            Operation::Call {
                callee,
                arguments,
                result,
            } => {
                let result = result
                    .as_ref()
                    .map_or(String::new(), |it| format!("{} = ", place(it)));
                let callee = match callee {
                    Callee::Function(id) => self.function_name(*id),
                    Callee::Pointer(pointer) => format!("(*{})", text(pointer)),
                };
                let arguments = arguments.iter().map(|argument| match argument {
                    Argument::Value(value) => text(value),
                    Argument::Record(it) => format!("copy {}", place(it)),
                });
                let arguments: Vec<String> = arguments.collect();
                format!("{result}call {callee}({})", arguments.join(", "))
            }
            Operation::Allocate {
                result,
                size,
                storage,
                is_zeroed,
            } => {
                let kind = match storage {
                    Storage::Heap => "heap",
                    Storage::Stack => "stack",
                };
                let zeroed = if *is_zeroed { " zeroed" } else { "" };
                format!("{} = allocate {kind}{zeroed} {}", place(result), text(size))
            }
            Operation::Free(pointer) => format!("free {}", text(pointer)),
            Operation::CopyBytes { to, from, count } => {
                let (to, from) = (text(to), text(from));
                format!("copy bytes to {to} from {from} count {}", text(count))
            }
            Operation::FillBytes { to, value, count } => {
                let (to, value) = (text(to), text(value));
                format!("fill bytes at {to} with {value} count {}", text(count))
            }
            Operation::VaStart(list) => format!("va_start {}", place(list)),
            Operation::VaArg { list, result } => {
                format!("{} = va_arg {}", place(result), place(list))
            }
            Operation::VaCopy { to, from } => format!("va_copy {} = {}", place(to), place(from)),
            Operation::Exit(code) => format!("exit {}", text(code)),
            Operation::Abort => "abort".to_owned(),
            Operation::Unsupported(why) => format!("unsupported: {why}"),
        }
    }
}

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (id, global) in self.globals.iter().enumerate() {
            let constant = if global.is_const { "const " } else { "" };
            let ty = self.type_text(global.ty);
            match global.name.is_empty() {
                true => write!(f, "{constant}global #{id}: {ty}")?,
                false => write!(f, "{constant}global {}: {ty}", global.name)?,
            }
            if global.bytes.iter().any(|&byte| byte != 0) {
                let shown = global
                    .bytes
                    .iter()
                    .take(32)
                    .map(|byte| format!("{byte:02x}"));
                let more = if global.bytes.len() > 32 { "..." } else { "" };
                write!(f, " = {}{more}", shown.collect::<String>())?;
            }
            writeln!(f)?;
        }
        for (id, function) in (0..).zip(&self.functions) {
            let entry = if self.entry.0 == id { " // entry" } else { "" };
            writeln!(f, "\nfunction {}{entry}", self.signature(function))?;
            self.write_body(f, function)?;
        }
        Ok(())
    }
}

impl Module {
    fn signature(&self, function: &Function) -> String {
        let parameters = function.locals.iter().take(function.parameters as usize);
        let parameters = parameters.map(|it| format!("{}: {}", it.name, self.type_text(it.ty)));
        let mut parameters: Vec<String> = parameters.collect();
        if function.is_variadic {
            parameters.push("...".to_owned());
        }
        let result = function
            .result_type
            .map_or("void".to_owned(), |ty| self.type_text(ty));
        format!("{}({}): {result}", function.name, parameters.join(", "))
    }

    fn write_body(&self, f: &mut fmt::Formatter<'_>, function: &Function) -> fmt::Result {
        for local in function.locals.iter().skip(function.parameters as usize) {
            let kind = match local.kind {
                LocalKind::User => "local",
                LocalKind::Temporary => "temporary",
            };
            writeln!(f, "  {kind} {}: {}", local.name, self.type_text(local.ty))?;
        }
        for label in &function.labels {
            writeln!(f, "  label {}: {}", label.name, label.node.0)?;
        }
        for edge in &function.edges {
            let operation = self.operation_text(function, &edge.operation);
            writeln!(f, "  {} -> {}: {operation}", edge.from.0, edge.to.0)?;
        }
        if function.has_body() {
            let (entry, exit) = (function.entry.0, function.exit.0);
            writeln!(f, "  from {entry} to {exit}")?;
            if let Some(result) = function.result {
                let name = function
                    .locals
                    .get(result.0 as usize)
                    .map_or("?", |it| &it.name);
                writeln!(f, "  returns {name}")?;
            }
        }
        Ok(())
    }
}

/// A scalar type as text: `i32`, `f64`, `pointer`.
pub(crate) fn scalar_text(scalar: Scalar) -> String {
    match scalar {
        Scalar::Bool => "truth".to_owned(),
        Scalar::Int(int) if int.is_signed => format!("i{}", int.bits),
        Scalar::Int(int) => format!("u{}", int.bits),
        Scalar::Float(Float::Single) => "f32".to_owned(),
        Scalar::Float(Float::Double) => "f64".to_owned(),
        Scalar::Float(Float::Extended) => "long double".to_owned(),
        Scalar::Pointer => "pointer".to_owned(),
    }
}

fn symbol(operator: Binary) -> &'static str {
    match operator {
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::Remainder => "%",
        Binary::ShiftLeft => "<<",
        Binary::ShiftRight => ">>",
        Binary::And => "&",
        Binary::Or => "|",
        Binary::Xor => "^",
        Binary::Equal => "==",
        Binary::NotEqual => "!=",
        Binary::Less => "<",
        Binary::LessEqual => "<=",
        Binary::Greater => ">",
        Binary::GreaterEqual => ">=",
    }
}

fn check_text(check: Check) -> &'static str {
    match check {
        Check::Overflow => "overflow",
        Check::Division => "division",
        Check::Shift => "shift",
        Check::Bounds => "bounds",
        Check::Null => "null",
        Check::Lifetime => "lifetime",
        Check::Free => "free",
        Check::Leak => "leak",
        Check::Uninitialised => "uninitialised",
        Check::Call => "call",
        Check::Conversion => "conversion",
    }
}

fn unknown_text(why: &Unknown) -> String {
    match why {
        Unknown::Nondet(name) => format!("nondet {name}"),
        Unknown::Uninitialised => "uninitialised".to_owned(),
        Unknown::Memory => "memory".to_owned(),
        Unknown::External(name) => format!("from {name}"),
        Unknown::Input => "input".to_owned(),
        Unknown::NotComputed => "not computed".to_owned(),
    }
}
