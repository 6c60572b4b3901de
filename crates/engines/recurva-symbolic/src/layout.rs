//! Which decision variables hold the bits of which program variable.
//!
//! Each bit of a variable has up to four copies side by side in the order: its value when
//! the procedure was entered, its value now, its value after a step, and, for a parameter,
//! the value that a caller hands over. Every procedure has variables of its own for its
//! locals, so that each can have a good place among the globals it is used with.

use std::ops::Range;

use recurva_model::{ProcId, Program, VarRef, Variable};

use crate::{
    observer::Observer,
    order::{self, Unit},
    plan::Plan,
    space::VarNo,
};

/// The number of a bit of a variable.
pub(crate) type BitNo = u32;

/// Which value of a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Copy {
    /// When the procedure was entered.
    Entry,
    /// Now.
    Now,
    /// After the step that is being computed.
    Next,
    /// What a caller hands over for a parameter.
    Argument,
}

/// Stands for a copy that a bit does not have.
const NONE: VarNo = VarNo::MAX;

/// The places of all bits.
pub(crate) struct Layout {
    globals: Vec<Field>,
    locals: Vec<Vec<Field>>,
    observer: Field,
    marks: Field,
    moved: Field,
    pool: Vec<Field>,
    /// For each bit its copies.
    copies: Vec<[VarNo; 4]>,
    /// The number of decision variables.
    pub(crate) variables: VarNo,
    /// The copies of each bit, from the top of the order down.
    pub(crate) groups: Vec<Range<VarNo>>,
}

#[derive(Clone, Copy, Debug)]
struct Field {
    first: BitNo,
    width: u8,
    elements: u32,
}

/// The variables of a program could not be numbered: there are too many bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TooManyBits;

/// So many bits can have places.
const MAX_BITS: u64 = 1 << 20;

impl Field {
    fn bits(self) -> Range<BitNo> {
        self.first..self.first + self.elements * u32::from(self.width)
    }
}

impl Layout {
    /// Finds places for all bits.
    pub(crate) fn new(
        program: &Program,
        plan: &Plan,
        observer: &Observer<'_>,
    ) -> Result<Self, TooManyBits> {
        let mut made = Maker::default();
        let watched = [Copy::Entry, Copy::Now, Copy::Next];
        let marks = observer.marks as u8;
        let moved = u8::from(!observer.fair.is_empty());
        let observer = made.field(observer.bits(), 1, &watched)?;
        let marks = made.field(marks, 1, &watched)?;
        let moved = made.field(moved, 1, &[Copy::Now])?;
        let pool = plan
            .pool
            .iter()
            .map(|&width| made.field(width, 1, &[Copy::Now]))
            .collect::<Result<_, _>>()?;
        let globals = program
            .globals()
            .iter()
            .map(|v| made.variable(v, &[Copy::Entry, Copy::Now, Copy::Next]))
            .collect::<Result<_, _>>()?;
        let mut locals = Vec::with_capacity(program.procedures().len());
        for procedure in program.procedures() {
            let mut fields = Vec::with_capacity(procedure.locals.len());
            for (index, local) in procedure.locals.iter().enumerate() {
                let copies: &[Copy] = if index < procedure.parameters {
                    &[Copy::Entry, Copy::Now, Copy::Next, Copy::Argument]
                } else {
                    &[Copy::Now, Copy::Next]
                };
                fields.push(made.variable(local, copies)?);
            }
            locals.push(fields);
        }
        let mut layout = Layout {
            globals,
            locals,
            observer,
            marks,
            moved,
            pool,
            copies: made.copies,
            variables: 0,
            groups: Vec::new(),
        };
        layout.place(program, plan);
        Ok(layout)
    }

    /// Numbers the copies of all bits in the order that the program suggests.
    fn place(&mut self, program: &Program, plan: &Plan) {
        let mut next = 0;
        let mut groups = Vec::new();
        let mut place = |bit: BitNo| {
            let first = next;
            for copy in &mut self.copies[bit as usize] {
                if *copy != NONE {
                    *copy = next;
                    next += 1;
                }
            }
            groups.push(first..next);
        };
        self.moved.bits().for_each(&mut place);
        self.marks.bits().for_each(&mut place);
        self.observer.bits().for_each(&mut place);
        let field = |unit: Unit| match unit {
            Unit::Pool(index) => self.pool[index as usize],
            Unit::Global(index) => self.globals[index as usize],
            Unit::Local(procedure, index) => self.locals[procedure as usize][index as usize],
        };
        for group in order::arrange(program, plan) {
            let fields: Vec<Field> = group.into_iter().map(field).collect();
            // The elements of a long array have little to do with each other.
            if let [array] = fields[..]
                && array.elements > order::MAX_GROUP
            {
                array.bits().for_each(&mut place);
                continue;
            }
            // The bits of a group alternate, the least significant ones of all units first.
            let widest = fields.iter().map(|field| field.width).max().unwrap_or(0);
            for bit in 0..widest {
                for field in fields.iter().filter(|field| bit < field.width) {
                    let width = u32::from(field.width);
                    let elements = 0..field.elements;
                    elements
                        .map(|element| field.first + element * width + u32::from(bit))
                        .for_each(&mut place);
                }
            }
        }
        self.variables = next;
        self.groups = groups;
    }

    /// Puts the bits, each with its copies, in another order.
    pub(crate) fn reorder(&mut self, order: &[usize]) {
        let mut numbers = vec![NONE; self.variables as usize];
        let mut next = 0;
        let mut groups = Vec::with_capacity(order.len());
        for &group in order {
            let first = next;
            for var in self.groups[group].clone() {
                numbers[var as usize] = next;
                next += 1;
            }
            groups.push(first..next);
        }
        self.groups = groups;
        for copy in self.copies.iter_mut().flatten() {
            if *copy != NONE {
                *copy = numbers[*copy as usize];
            }
        }
    }

    fn field(&self, procedure: ProcId, variable: VarRef) -> Field {
        match variable {
            VarRef::Global(index) => self.globals[index as usize],
            VarRef::Local(index) => self.locals[procedure.index()][index as usize],
        }
    }

    /// All bits of a variable, an array's elements one after the other.
    pub(crate) fn bits(&self, procedure: ProcId, variable: VarRef) -> Range<BitNo> {
        self.field(procedure, variable).bits()
    }

    /// The bits of each element of a variable.
    pub(crate) fn elements(
        &self,
        procedure: ProcId,
        variable: VarRef,
    ) -> impl Iterator<Item = Range<BitNo>> {
        let Field {
            first,
            width,
            elements,
        } = self.field(procedure, variable);
        let width = u32::from(width);
        (0..elements).map(move |element| {
            let start = first + element * width;
            start..start + width
        })
    }

    /// The bits of the observer's state.
    pub(crate) fn observer(&self) -> Range<BitNo> {
        self.observer.bits()
    }

    /// The bits of the marks, "seen". Their entry copy is room for what comes of the marks seen
    /// by a caller and by its callee.
    pub(crate) fn marks(&self) -> Range<BitNo> {
        self.marks.bits()
    }

    /// The bit that tells whether a turn has moved.
    pub(crate) fn moved(&self) -> Range<BitNo> {
        self.moved.bits()
    }

    /// The bits of a place in the pool of choices.
    pub(crate) fn pool(&self, place: usize) -> Range<BitNo> {
        self.pool[place].bits()
    }

    /// The decision variable of a copy of a bit.
    pub(crate) fn var(&self, bit: BitNo, copy: Copy) -> VarNo {
        self.copies[bit as usize][copy as usize]
    }
}

#[derive(Default)]
struct Maker {
    copies: Vec<[VarNo; 4]>,
}

impl Maker {
    fn variable(&mut self, variable: &Variable, copies: &[Copy]) -> Result<Field, TooManyBits> {
        self.field(variable.ty.bits(), variable.slots() as u32, copies)
    }

    fn field(&mut self, width: u8, elements: u32, copies: &[Copy]) -> Result<Field, TooManyBits> {
        let bits = u64::from(width) * u64::from(elements);
        if self.copies.len() as u64 + bits > MAX_BITS {
            return Err(TooManyBits);
        }
        let first = self.copies.len() as BitNo;
        let mut row = [NONE; 4];
        for &copy in copies {
            row[copy as usize] = 0;
        }
        self.copies.resize(self.copies.len() + bits as usize, row);
        Ok(Field {
            first,
            width,
            elements,
        })
    }
}
