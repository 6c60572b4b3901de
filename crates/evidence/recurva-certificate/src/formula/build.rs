//! How formulas are made: equal parts are one part, and what is plainly true or false goes at once.

use recurva_model::{Type, VarRef};
use rustc_hash::FxHashMap;

use super::{Arithmetic, BitOperator, Formula, Node, Part, When};

/// Makes formulas.
///
/// ```
/// use recurva_certificate::{Builder, formula::When};
/// use recurva_model::VarRef;
///
/// let mut builder = Builder::default();
/// let x = builder.variable(VarRef::Local(0), When::Now);
/// let ten = builder.int(10);
/// let bounded = builder.less_equal(x, ten);
/// let truth = builder.bool(true);
/// let both = builder.and(truth, bounded);
/// assert_eq!(both, bounded);
/// assert_eq!(builder.finish(both).nodes().len(), 3);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Builder {
    nodes: Vec<Node>,
    known: FxHashMap<Node, Part>,
}

impl Builder {
    /// The node of a part.
    pub fn node(&self, part: Part) -> Node {
        self.nodes[part.index()]
    }

    /// A part with that node. Nothing is simplified.
    pub fn intern(&mut self, node: Node) -> Part {
        let nodes = &mut self.nodes;
        *self.known.entry(node).or_insert_with(|| {
            nodes.push(node);
            Part(nodes.len() as u32 - 1)
        })
    }

    /// A formula is done.
    pub fn finish(&self, root: Part) -> Formula {
        let mut used = vec![false; root.index() + 1];
        used[root.index()] = true;
        for index in (0..=root.index()).rev() {
            if used[index] {
                self.nodes[index]
                    .operands()
                    .for_each(|it| used[it.index()] = true);
            }
        }
        let mut places = vec![Part(0); root.index() + 1];
        let mut nodes = Vec::new();
        for index in 0..=root.index() {
            if used[index] {
                places[index] = Part(nodes.len() as u32);
                nodes.push(self.nodes[index].with_operands(|it| places[it.index()]));
            }
        }
        Formula {
            nodes: nodes.into(),
        }
    }

    /// A formula that was made before, as a part of the next one.
    pub fn copy(&mut self, formula: &Formula) -> Part {
        self.copy_part(formula.nodes(), formula.root())
    }

    /// A formula with other variables, elements or anything else in place of some of its nodes: `with` is
    /// given each node, with its operands as they are here.
    pub fn rewrite(
        &mut self,
        formula: &Formula,
        mut with: impl FnMut(&mut Self, Node) -> Part,
    ) -> Part {
        let mut places: Vec<Part> = Vec::with_capacity(formula.nodes().len());
        for node in formula.nodes() {
            let node = node.with_operands(|it| places[it.index()]);
            let part = with(self, node);
            places.push(part);
        }
        places[places.len() - 1]
    }

    pub(super) fn copy_part(&mut self, nodes: &[Node], part: Part) -> Part {
        let mut used = vec![false; part.index() + 1];
        used[part.index()] = true;
        for index in (0..=part.index()).rev() {
            if used[index] {
                nodes[index]
                    .operands()
                    .for_each(|it| used[it.index()] = true);
            }
        }
        let mut places = vec![Part(0); part.index() + 1];
        for index in (0..=part.index()).filter(|&it| used[it]) {
            places[index] = self.intern(nodes[index].with_operands(|it| places[it.index()]));
        }
        places[part.index()]
    }

    /// True or false.
    pub fn bool(&mut self, value: bool) -> Part {
        self.intern(Node::Bool(value))
    }

    /// An integer.
    pub fn int(&mut self, value: i128) -> Part {
        self.intern(Node::Int(value))
    }

    /// A scalar variable.
    pub fn variable(&mut self, variable: VarRef, when: When) -> Part {
        self.intern(Node::Variable(variable, when))
    }

    /// An element of an array.
    pub fn element(&mut self, array: VarRef, when: When, index: Part) -> Part {
        self.intern(Node::Element(array, when, index))
    }

    /// Negation.
    pub fn not(&mut self, part: Part) -> Part {
        match self.node(part) {
            Node::Bool(value) => self.bool(!value),
            Node::Not(inner) => inner,
            _ => self.intern(Node::Not(part)),
        }
    }

    /// Conjunction.
    pub fn and(&mut self, left: Part, right: Part) -> Part {
        match (self.node(left), self.node(right)) {
            (Node::Bool(true), _) => right,
            (_, Node::Bool(true)) => left,
            (Node::Bool(false), _) => left,
            (_, Node::Bool(false)) => right,
            _ if left == right => left,
            _ => self.intern(Node::And(left, right)),
        }
    }

    /// Disjunction.
    pub fn or(&mut self, left: Part, right: Part) -> Part {
        match (self.node(left), self.node(right)) {
            (Node::Bool(false), _) => right,
            (_, Node::Bool(false)) => left,
            (Node::Bool(true), _) => left,
            (_, Node::Bool(true)) => right,
            _ if left == right => left,
            _ => self.intern(Node::Or(left, right)),
        }
    }

    /// Conjunction of any number of parts.
    pub fn and_all(&mut self, parts: impl IntoIterator<Item = Part>) -> Part {
        let truth = self.bool(true);
        parts
            .into_iter()
            .fold(truth, |left, right| self.and(left, right))
    }

    /// Disjunction of any number of parts.
    pub fn or_all(&mut self, parts: impl IntoIterator<Item = Part>) -> Part {
        let falsity = self.bool(false);
        parts
            .into_iter()
            .fold(falsity, |left, right| self.or(left, right))
    }

    /// Implication.
    pub fn implies(&mut self, left: Part, right: Part) -> Part {
        match (self.node(left), self.node(right)) {
            (Node::Bool(true), _) => right,
            (Node::Bool(false), _) | (_, Node::Bool(true)) => self.bool(true),
            (_, Node::Bool(false)) => self.not(left),
            _ if left == right => self.bool(true),
            _ => self.intern(Node::Implies(left, right)),
        }
    }

    /// Equality.
    pub fn equal(&mut self, left: Part, right: Part) -> Part {
        match (self.node(left), self.node(right)) {
            _ if left == right => self.bool(true),
            (Node::Int(a), Node::Int(b)) => self.bool(a == b),
            (Node::Bool(true), _) => right,
            (_, Node::Bool(true)) => left,
            (Node::Bool(false), _) => self.not(right),
            (_, Node::Bool(false)) => self.not(left),
            _ => self.intern(Node::Equal(left, right)),
        }
    }

    /// `<`
    pub fn less(&mut self, left: Part, right: Part) -> Part {
        match (self.node(left), self.node(right)) {
            _ if left == right => self.bool(false),
            (Node::Int(a), Node::Int(b)) => self.bool(a < b),
            _ => self.intern(Node::Less(left, right)),
        }
    }

    /// `<=`
    pub fn less_equal(&mut self, left: Part, right: Part) -> Part {
        match (self.node(left), self.node(right)) {
            _ if left == right => self.bool(true),
            (Node::Int(a), Node::Int(b)) => self.bool(a <= b),
            _ => self.intern(Node::LessEqual(left, right)),
        }
    }

    /// One of two parts.
    pub fn if_then_else(&mut self, condition: Part, then: Part, otherwise: Part) -> Part {
        match self.node(condition) {
            Node::Bool(true) => then,
            Node::Bool(false) => otherwise,
            _ if then == otherwise => then,
            _ => self.intern(Node::If(condition, then, otherwise)),
        }
    }

    /// Arithmetic on integers.
    pub fn arithmetic(&mut self, operator: Arithmetic, left: Part, right: Part) -> Part {
        let neutral = match operator {
            Arithmetic::Add | Arithmetic::Subtract => 0,
            Arithmetic::Multiply | Arithmetic::Divide => 1,
            Arithmetic::Remainder => return self.intern(Node::Arithmetic(operator, left, right)),
        };
        match (self.node(left), self.node(right)) {
            (Node::Int(a), Node::Int(b)) => match operator.apply(a, b) {
                Some(value) => self.int(value),
                None => self.intern(Node::Arithmetic(operator, left, right)),
            },
            (_, Node::Int(b)) if b == neutral => left,
            (Node::Int(a), _)
                if a == neutral && matches!(operator, Arithmetic::Add | Arithmetic::Multiply) =>
            {
                right
            }
            _ => self.intern(Node::Arithmetic(operator, left, right)),
        }
    }

    /// The value of a type that is the same modulo 2^n.
    pub fn wrap(&mut self, ty: Type, part: Part) -> Part {
        match self.node(part) {
            Node::Int(value) => self.int(ty.to_number(ty.wrap(value as u64))),
            Node::Wrap(inner, _) if inner == ty => part,
            _ => self.intern(Node::Wrap(ty, part)),
        }
    }

    /// An operation on bits.
    pub fn bits(&mut self, operator: BitOperator, ty: Type, left: Part, right: Part) -> Part {
        self.intern(Node::Bits(operator, ty, left, right))
    }
}
