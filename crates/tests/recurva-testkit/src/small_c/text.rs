//! Small programs as C.

use std::fmt::{self, Display, Formatter};

use super::{Condition, Function, Operand, SmallProgram, Statement, VALUES, Value, Variable};

impl Display for SmallProgram {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        writeln!(out, "extern void reach_error(void);")?;
        writeln!(out, "extern unsigned char __VERIFIER_nondet_uchar(void);")?;
        for index in 0..self.functions.len() - 1 {
            writeln!(out, "static unsigned char f{index}(unsigned char);")?;
        }
        for global in 0..self.globals {
            writeln!(out, "unsigned char g{global};")?;
        }
        for (index, function) in self.functions.iter().enumerate() {
            let is_main = index + 1 == self.functions.len();
            match is_main {
                true => writeln!(out, "int main(void) {{\n    unsigned char l0 = 0;")?,
                false => writeln!(out, "static unsigned char f{index}(unsigned char l0) {{")?,
            }
            function.write(out)?;
        }
        Ok(())
    }
}

impl Function {
    fn write(&self, out: &mut Formatter<'_>) -> fmt::Result {
        for local in 1..self.locals {
            writeln!(out, "    unsigned char l{local} = 0;")?;
        }
        block(&self.body, 1, out)?;
        writeln!(out, "    return {};\n}}", self.result)
    }
}

fn block(body: &[Statement], depth: usize, out: &mut Formatter<'_>) -> fmt::Result {
    let indent = "    ".repeat(depth);
    for statement in body {
        match statement {
            Statement::Assign(variable, value) => writeln!(out, "{indent}{variable} = {value};")?,
            Statement::If(condition, then, otherwise) => {
                writeln!(out, "{indent}if ({condition}) {{")?;
                block(then, depth + 1, out)?;
                writeln!(out, "{indent}}} else {{")?;
                block(otherwise, depth + 1, out)?;
                writeln!(out, "{indent}}}")?;
            }
            Statement::While(condition, body) => {
                writeln!(out, "{indent}while ({condition}) {{")?;
                block(body, depth + 1, out)?;
                writeln!(out, "{indent}}}")?;
            }
            Statement::Call(function, argument, result) => {
                writeln!(out, "{indent}{result} = f{function}({argument});")?;
            }
            Statement::Check(condition) => {
                writeln!(out, "{indent}if (!({condition})) reach_error();")?;
            }
        }
    }
    Ok(())
}

impl Display for Variable {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Variable::Global(index) => write!(out, "g{index}"),
            Variable::Local(index) => write!(out, "l{index}"),
        }
    }
}

impl Display for Operand {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Constant(number) => write!(out, "{number}"),
            Operand::Of(variable) => write!(out, "{variable}"),
        }
    }
}

impl Display for Value {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let most = VALUES - 1;
        match self {
            Value::Plain(operand) => write!(out, "{operand}"),
            Value::Sum(left, right) => write!(out, "({left} + {right}) & {most}"),
            Value::Difference(left, right) => write!(out, "({left} - {right}) & {most}"),
            Value::Product(left, right) => write!(out, "({left} * {right}) & {most}"),
            Value::Unknown(mask) => write!(out, "__VERIFIER_nondet_uchar() & {mask}"),
        }
    }
}

impl Display for Condition {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Unknown => write!(out, "__VERIFIER_nondet_uchar() & 1"),
            Condition::Less(left, right) => write!(out, "{left} < {right}"),
            Condition::Equal(left, right) => write!(out, "{left} == {right}"),
            Condition::Differs(left, right) => write!(out, "{left} != {right}"),
        }
    }
}
