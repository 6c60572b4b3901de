//! Which parts of a formula are truth values and which integers, and whether it fits its procedure.

use std::fmt;

use recurva_model::{ProcId, Program, Type, VarRef, Variable};

use super::{Formula, Node, Part, When};

/// What a part of a formula stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// A truth value.
    Bool,
    /// An integer.
    Int,
}

impl Sort {
    /// The sort of a variable's value, or of each of its elements.
    pub fn of(ty: Type) -> Self {
        match ty {
            Type::Bool => Sort::Bool,
            Type::Int { .. } => Sort::Int,
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Sort::Bool => "a truth value",
            Sort::Int => "an integer",
        })
    }
}

/// Where a formula is read: it may use the variables of one procedure.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'p> {
    /// The program.
    pub program: &'p Program,
    /// The procedure.
    pub procedure: ProcId,
}

impl<'p> Scope<'p> {
    /// The declaration of a variable, if there is one.
    pub fn variable(&self, variable: VarRef) -> Option<&'p Variable> {
        match variable {
            VarRef::Global(index) => self.program.globals().get(index as usize),
            VarRef::Local(index) => {
                let procedure = self.program.procedures().get(self.procedure.index())?;
                procedure.locals.get(index as usize)
            }
        }
    }

    /// All variables.
    pub fn variables(&self) -> impl Iterator<Item = (VarRef, &'p Variable)> + use<'p> {
        let program = self.program;
        let locals = program.procedures().get(self.procedure.index());
        let locals = locals.into_iter().flat_map(|it| &it.locals);
        let globals = (0..).map(VarRef::Global).zip(program.globals());
        globals.chain((0..).map(VarRef::Local).zip(locals))
    }

    /// Whether a variable has a value when the procedure is entered: globals and parameters have.
    pub fn is_known_at_entry(&self, variable: VarRef) -> bool {
        match variable {
            VarRef::Global(_) => true,
            VarRef::Local(index) => {
                let procedure = self.program.procedures().get(self.procedure.index());
                procedure.is_some_and(|it| (index as usize) < it.parameters)
            }
        }
    }

    /// The sort of what is read of a variable, as a scalar or as an array.
    pub(crate) fn read(
        &self,
        variable: VarRef,
        when: When,
        array: Reading,
    ) -> Result<Sort, String> {
        let found = self
            .variable(variable)
            .ok_or_else(|| format!("there is no variable {variable:?}"))?;
        match (array, found.len) {
            (Reading::Scalar, Some(_)) => {
                return Err(format!("`{}` is an array: an index is missing", found.name));
            }
            (Reading::Element, None) => return Err(format!("`{}` is no array", found.name)),
            _ => {}
        }
        if when == When::Entry && !self.is_known_at_entry(variable) {
            return Err(format!(
                "`{}` has no value when the procedure is entered: only globals and parameters have",
                found.name
            ));
        }
        Ok(Sort::of(found.ty))
    }
}

/// How a variable is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    Scalar,
    Element,
}

/// Why a formula means nothing where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllFormed(String);

impl fmt::Display for IllFormed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for IllFormed {}

impl Formula {
    /// The sorts of all nodes, in their order.
    ///
    /// # Errors
    ///
    /// If the formula is no truth value, operands are of the wrong sort, or a variable is not there or
    /// not to be read like that.
    pub fn sorts(&self, scope: Scope<'_>) -> Result<Vec<Sort>, IllFormed> {
        let mut sorts: Vec<Sort> = Vec::with_capacity(self.nodes().len());
        for &node in self.nodes() {
            let sort = sort_of(node, &sorts, scope).map_err(IllFormed)?;
            sorts.push(sort);
        }
        match sorts.last() {
            Some(Sort::Bool) => Ok(sorts),
            _ => Err(IllFormed("it is an integer, not a truth value".into())),
        }
    }
}

fn sort_of(node: Node, sorts: &[Sort], scope: Scope<'_>) -> Result<Sort, String> {
    let expect = |parts: &[Part], sort: Sort| match parts.iter().all(|it| sorts[it.index()] == sort)
    {
        true => Ok(()),
        false => Err(format!("an operand of {} has to be {sort}", operator(node))),
    };
    let same = |left: Part, right: Part| match sorts[left.index()] == sorts[right.index()] {
        true => Ok(sorts[left.index()]),
        false => Err(format!("the operands of {} differ in sort", operator(node))),
    };
    match node {
        Node::Bool(_) => Ok(Sort::Bool),
        Node::Int(_) => Ok(Sort::Int),
        Node::Variable(variable, when) => scope.read(variable, when, Reading::Scalar),
        Node::Element(array, when, index) => {
            expect(&[index], Sort::Int)?;
            scope.read(array, when, Reading::Element)
        }
        Node::Not(part) => expect(&[part], Sort::Bool).map(|()| Sort::Bool),
        Node::And(left, right) | Node::Or(left, right) | Node::Implies(left, right) => {
            expect(&[left, right], Sort::Bool).map(|()| Sort::Bool)
        }
        Node::Equal(left, right) => same(left, right).map(|_| Sort::Bool),
        Node::Less(left, right) | Node::LessEqual(left, right) => {
            expect(&[left, right], Sort::Int).map(|()| Sort::Bool)
        }
        Node::If(condition, then, otherwise) => {
            expect(&[condition], Sort::Bool)?;
            same(then, otherwise)
        }
        Node::Arithmetic(_, left, right) => expect(&[left, right], Sort::Int).map(|()| Sort::Int),
        Node::Wrap(ty, part) => {
            possible(ty)?;
            expect(&[part], Sort::Int).map(|()| Sort::Int)
        }
        Node::Bits(_, ty, left, right) => {
            possible(ty)?;
            expect(&[left, right], Sort::Int).map(|()| Sort::Int)
        }
    }
}

fn possible(ty: Type) -> Result<(), String> {
    match ty.bits() {
        1..=64 => Ok(()),
        bits => Err(format!("there are no types of {bits} bits")),
    }
}

/// The operator of a node in words.
fn operator(node: Node) -> &'static str {
    match node {
        Node::Bool(_) | Node::Int(_) | Node::Variable(..) => "an operand",
        Node::Element(..) => "`[]`",
        Node::Not(_) => "`!`",
        Node::And(..) => "`&&`",
        Node::Or(..) => "`||`",
        Node::Implies(..) => "`==>`",
        Node::Equal(..) => "`==`",
        Node::Less(..) => "`<`",
        Node::LessEqual(..) => "`<=`",
        Node::If(..) => "`?:`",
        Node::Arithmetic(..) => "arithmetic",
        Node::Wrap(..) => "a cast",
        Node::Bits(..) => "an operation on bits",
    }
}
