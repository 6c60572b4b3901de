//! Initial values in braces.
//!
//! A list fills an array or a record from its first part on. What has no braces of its own goes
//! to the next part that holds a single value, or to one of its own type; a designator moves to
//! another part. The way from the object of the braces to the part at hand is a stack of frames.

use recurva_c::ast::{Designator, ExprId as TreeId, Ident, Init, InitItem};
use recurva_syntax::Span;
use rustc_hash::FxHashSet;

use super::super::{Checker, Outcome, Wrong};
use crate::{
    Length, Qualified, RecordId, Type, TypeId,
    typed::{ExprId, InitStep, Initial, InitialPart},
};

/// An array or a record that is being filled.
#[derive(Clone, Copy, Debug)]
struct Frame {
    what: Aggregate,
    /// The part at hand.
    index: u64,
}

#[derive(Clone, Copy, Debug)]
enum Aggregate {
    /// Elements, and how many there may be.
    Array(Qualified, u64),
    /// Fields, and how many there are.
    Struct(RecordId, u64, Qualified),
    /// A union: one of its fields.
    Union(RecordId, u64, Qualified),
}

/// A range of a designator: how many steps lead to it, and its bounds.
#[derive(Clone, Copy, Debug)]
struct Range {
    step: usize,
    from: u64,
    to: u64,
}

/// What a list of braces is for.
struct Filling<'p> {
    parts: &'p mut Vec<InitialPart>,
    is_static: bool,
}

impl<'u> Checker<'u> {
    /// The initial value of an object from a list in braces.
    pub(super) fn listed(
        &mut self,
        ty: Qualified,
        items: &'u [InitItem],
        is_static: bool,
    ) -> Outcome<(Qualified, Initial)> {
        let mut parts = Vec::with_capacity(items.len().min(1 << 16));
        let mut filling = Filling {
            parts: &mut parts,
            is_static,
        };
        let length = self.braced(ty, items, &mut Vec::new(), &mut filling)?;
        let ty = match *self.out.types.get(ty.ty) {
            Type::Array(element, known) => self.completed(ty, element, known, length),
            _ => ty,
        };
        // What is not given is zero, also where all that is given is one value.
        let initial = Initial {
            parts,
            is_whole: false,
        };
        Ok((ty, initial))
    }

    /// Fills one object from its braces; returns how many elements an array has by them.
    fn braced(
        &mut self,
        ty: Qualified,
        items: &'u [InitItem],
        path: &mut Vec<InitStep>,
        filling: &mut Filling<'_>,
    ) -> Outcome<u64> {
        let Some(what) = self.aggregate(ty) else {
            self.braced_scalar(ty, items, path, filling)?;
            return Ok(0);
        };
        if let (Aggregate::Array(element, _), [item, ..]) = (what, items)
            && item.designators.is_empty()
            && let Init::Expr(expr) = item.init
            && let Some(text) = self.array_text(element.ty, expr)?
        {
            let length = self.text_length(text);
            let whole = self.completed_part(ty, length);
            filling.parts.push(InitialPart {
                path: path.as_slice().into(),
                ty: whole,
                value: text,
            });
            return Ok(length);
        }
        self.fill(what, items, path, filling)
    }

    fn completed_part(&mut self, ty: Qualified, length: u64) -> Qualified {
        match *self.out.types.get(ty.ty) {
            Type::Array(element, known) => self.completed(ty, element, known, length),
            _ => ty,
        }
    }

    fn braced_scalar(
        &mut self,
        ty: Qualified,
        items: &'u [InitItem],
        path: &mut Vec<InitStep>,
        filling: &mut Filling<'_>,
    ) -> Outcome<()> {
        match items {
            [] => Ok(()),
            [item, rest @ ..] => {
                if let Some(excess) = rest.first() {
                    self.warn(
                        |_| "there is more than one value here".to_string(),
                        excess.span,
                    );
                }
                if !item.designators.is_empty() {
                    return Err(self.wrong(
                        |types| {
                            let ty = types.describe_qualified(ty);
                            format!("a value of type `{ty}` has no parts")
                        },
                        item.span,
                    ));
                }
                match &item.init {
                    Init::Expr(expr) => {
                        let value = self.initial_value(ty.ty, *expr, filling.is_static)?;
                        filling.parts.push(InitialPart {
                            path: path.as_slice().into(),
                            ty,
                            value,
                        });
                        Ok(())
                    }
                    Init::List(items, _) => self.braced_scalar(ty, items, path, filling),
                }
            }
        }
    }

    /// The parts of a type, if it has any.
    fn aggregate(&self, ty: Qualified) -> Option<Aggregate> {
        match *self.out.types.get(ty.ty) {
            Type::Array(element, Length::Known(length)) => Some(Aggregate::Array(element, length)),
            Type::Array(element, _) => Some(Aggregate::Array(element, u64::MAX)),
            Type::Record(id) => {
                let record = self.out.types.record(id);
                let fields = record
                    .layout
                    .as_ref()
                    .map_or(0, |it| it.fields.len() as u64);
                Some(match record.is_union {
                    true => Aggregate::Union(id, fields, ty),
                    false => Aggregate::Struct(id, fields, ty),
                })
            }
            _ => None,
        }
    }

    /// Fills an array or a record from the items of its braces.
    fn fill(
        &mut self,
        what: Aggregate,
        items: &'u [InitItem],
        path: &mut Vec<InitStep>,
        filling: &mut Filling<'_>,
    ) -> Outcome<u64> {
        let base = path.len();
        let first_part = filling.parts.len();
        let mut frames = vec![Frame { what, index: 0 }];
        let mut length: u64 = 0;
        let mut result = Ok(());
        // Which parts have a value already, once a designator has gone back.
        let mut highest: u64 = 0;
        let mut seen: Option<FxHashSet<u64>> = None;
        for item in items {
            let mut range = None;
            if item.designators.is_empty() {
                if !self.settle(&mut frames) {
                    self.warn(
                        |_| "there is no more room for this value".to_string(),
                        item.span,
                    );
                    break;
                }
            } else {
                frames.truncate(1);
                range = self.designate(&mut frames, &item.designators)?;
            }
            let top = frames[0].index;
            if !item.designators.is_empty() && top <= highest {
                let seen =
                    seen.get_or_insert_with(|| tops(&filling.parts[first_part..], base).collect());
                if seen.contains(&top) {
                    path.truncate(base);
                    path.extend(frames.iter().map(step));
                    forget(filling.parts, first_part, path, &item.init);
                }
            }
            highest = highest.max(top);
            if let Some(seen) = &mut seen {
                seen.insert(top);
            }
            let before = filling.parts.len();
            let outcome = self.item(&mut frames, item, path, base, filling);
            result = result.and(outcome);
            if let Some(range) = range {
                repeat(filling.parts, before, base + range.step, range);
                frames.truncate(range.step + 1);
                frames[range.step].index = range.to;
            }
            length = length.max(frames[0].index + 1);
            advance(&mut frames);
        }
        path.truncate(base);
        result.map(|()| length)
    }

    /// Leaves what is full; whether there is a part left.
    fn settle(&self, frames: &mut Vec<Frame>) -> bool {
        while let Some(frame) = frames.last() {
            let room = match frame.what {
                Aggregate::Array(_, length) => length,
                Aggregate::Struct(_, fields, _) => fields,
                Aggregate::Union(_, fields, _) => fields.min(1),
            };
            if frame.index < room {
                return true;
            }
            if frames.len() == 1 {
                return false;
            }
            frames.pop();
            advance(frames);
        }
        false
    }

    /// Goes where designators say.
    fn designate(
        &mut self,
        frames: &mut Vec<Frame>,
        designators: &[Designator],
    ) -> Outcome<Option<Range>> {
        let mut range = None;
        for (number, designator) in designators.iter().enumerate() {
            if number > 0 {
                self.enter_part(frames, designator)?;
            }
            match *designator {
                Designator::Field(ident) => self.designate_field(frames, ident)?,
                Designator::Index(index) => {
                    let index = self.element(frames, index)?;
                    set_index(frames, index);
                }
                Designator::Range(from, to) => {
                    let from = self.element(frames, from)?;
                    let place = self.unit.expr(to).span;
                    let to = self.element(frames, to)?;
                    if to < from {
                        return Err(self.wrong(|_| "this range is empty".to_string(), place));
                    }
                    set_index(frames, from);
                    range = Some(Range {
                        step: frames.len() - 1,
                        from,
                        to,
                    });
                }
            }
        }
        Ok(range)
    }

    fn enter_part(&mut self, frames: &mut Vec<Frame>, designator: &Designator) -> Outcome<()> {
        let ty = self.part_type(frames);
        match self.aggregate(ty) {
            Some(what) => {
                frames.push(Frame { what, index: 0 });
                Ok(())
            }
            None => {
                let span = match *designator {
                    Designator::Field(ident) => ident.span,
                    Designator::Index(expr) | Designator::Range(expr, _) => {
                        self.unit.expr(expr).span
                    }
                };
                Err(self.wrong(
                    |types| {
                        let ty = types.describe_qualified(ty);
                        format!("a value of type `{ty}` has no parts")
                    },
                    span,
                ))
            }
        }
    }

    /// Goes to a field, through records without a name.
    fn designate_field(&mut self, frames: &mut Vec<Frame>, ident: Ident) -> Outcome<()> {
        loop {
            let Some(frame) = frames.last_mut() else {
                return Err(Wrong);
            };
            let (Aggregate::Struct(record, ..) | Aggregate::Union(record, ..)) = frame.what else {
                return Err(self.wrong(
                    |_| "an array has elements, not fields".to_string(),
                    ident.span,
                ));
            };
            let Some(&number) = self.members.get(&(record, ident.name)) else {
                return Err(self.no_such_field(record, ident));
            };
            frame.index = u64::from(number);
            let Some((is_unnamed, ty)) = self.field_at(record, number) else {
                return Err(Wrong);
            };
            match self.aggregate(ty) {
                Some(what) if is_unnamed => frames.push(Frame { what, index: 0 }),
                _ => return Ok(()),
            }
        }
    }

    /// The number of an element.
    fn element(&mut self, frames: &[Frame], index: TreeId) -> Outcome<u64> {
        let (value, span) = self.constant(index)?;
        let Some(Aggregate::Array(_, length)) = frames.last().map(|it| it.what) else {
            return Err(self.wrong(|_| "only an array has elements".to_string(), span));
        };
        match u64::try_from(value) {
            Ok(index) if index < length => Ok(index),
            _ => Err(self.wrong(|_| format!("the array has no element {value}"), span)),
        }
    }

    /// The type of the part at hand.
    fn part_type(&mut self, frames: &[Frame]) -> Qualified {
        let void = Qualified::plain(self.known.void);
        let Some(frame) = frames.last() else {
            return void;
        };
        match frame.what {
            Aggregate::Array(element, _) => element,
            Aggregate::Struct(record, _, own) | Aggregate::Union(record, _, own) => {
                match self.field_at(record, frame.index as u32) {
                    Some((_, ty)) => self.qualify(ty, own),
                    None => void,
                }
            }
        }
    }

    /// Gives the part at hand, or the first part of it that fits, the value of an item.
    fn item(
        &mut self,
        frames: &mut Vec<Frame>,
        item: &'u InitItem,
        path: &mut Vec<InitStep>,
        base: usize,
        filling: &mut Filling<'_>,
    ) -> Outcome<()> {
        let ty = self.part_type(frames);
        let unwrapped = self.unwrapped(ty, &item.init);
        if let Init::List(items, _) = unwrapped {
            path.truncate(base);
            path.extend(frames.iter().map(step));
            self.braced(ty, items, path, filling)?;
            return Ok(());
        }
        let Init::Expr(expr) = *unwrapped else {
            return Err(Wrong);
        };
        // A string may be for an array some levels down.
        if self.aggregate(ty).is_some() && self.is_text_tree(expr) {
            let depth = frames.len();
            if let Some((ty, text)) = self.descend_to_text(frames, expr)? {
                self.add_part(frames, path, base, ty, text, filling);
                return Ok(());
            }
            frames.truncate(depth);
        }
        let value = self.rvalue(expr)?;
        let ty = self.descend(frames, self.ty_id(value), item.span)?;
        let value = self.given(ty.ty, value, filling.is_static)?;
        self.add_part(frames, path, base, ty, value, filling);
        Ok(())
    }

    fn add_part(
        &mut self,
        frames: &[Frame],
        path: &mut Vec<InitStep>,
        base: usize,
        ty: Qualified,
        value: ExprId,
        filling: &mut Filling<'_>,
    ) {
        path.truncate(base);
        path.extend(frames.iter().map(step));
        filling.parts.push(InitialPart {
            path: path.as_slice().into(),
            ty,
            value,
        });
    }

    fn is_text_tree(&self, expr: TreeId) -> bool {
        let mut expr = expr;
        loop {
            match &self.unit.expr(expr).kind {
                recurva_c::ast::ExprKind::Paren(inner) => expr = *inner,
                recurva_c::ast::ExprKind::Text(_) => return true,
                recurva_c::ast::ExprKind::Name(ident) => {
                    return self.name(ident.name).starts_with("__");
                }
                _ => return false,
            }
        }
    }

    /// Goes down to the first array that a string may initialise.
    fn descend_to_text(
        &mut self,
        frames: &mut Vec<Frame>,
        expr: TreeId,
    ) -> Outcome<Option<(Qualified, ExprId)>> {
        loop {
            let ty = self.part_type(frames);
            let Some(what) = self.aggregate(ty) else {
                return Ok(None);
            };
            if let Aggregate::Array(element, _) = what
                && let Some(text) = self.array_text(element.ty, expr)?
            {
                let ty = self.completed_part(ty, self.text_length(text));
                return Ok(Some((ty, text)));
            }
            if self.is_empty(what) {
                return Ok(None);
            }
            frames.push(Frame { what, index: 0 });
        }
    }

    fn is_empty(&self, what: Aggregate) -> bool {
        let (Aggregate::Array(_, count)
        | Aggregate::Struct(_, count, _)
        | Aggregate::Union(_, count, _)) = what;
        count == 0
    }

    /// Goes down to the first part that is a single value, or a record of the value's type.
    fn descend(
        &mut self,
        frames: &mut Vec<Frame>,
        value: TypeId,
        span: Span,
    ) -> Outcome<Qualified> {
        loop {
            let ty = self.part_type(frames);
            let Some(what) = self.aggregate(ty) else {
                return Ok(ty);
            };
            if ty.ty == value {
                return Ok(ty);
            }
            if self.is_empty(what) {
                return Err(self.wrong(
                    |types| {
                        let ty = types.describe_qualified(ty);
                        format!("`{ty}` has no part for this value")
                    },
                    span,
                ));
            }
            frames.push(Frame { what, index: 0 });
        }
    }
}

/// The step to the part at hand.
fn step(frame: &Frame) -> InitStep {
    match frame.what {
        Aggregate::Array(..) => InitStep::Index(frame.index),
        Aggregate::Struct(record, ..) | Aggregate::Union(record, ..) => {
            InitStep::Field(record, frame.index as u32)
        }
    }
}

/// Goes to the next part. A union has no next one.
fn advance(frames: &mut [Frame]) {
    if let Some(frame) = frames.last_mut() {
        match frame.what {
            Aggregate::Union(_, fields, _) => frame.index = fields.max(1),
            _ => frame.index += 1,
        }
    }
}

fn set_index(frames: &mut [Frame], index: u64) {
    if let Some(frame) = frames.last_mut() {
        frame.index = index;
    }
}

/// The parts of the object of these braces that have a value.
fn tops(parts: &[InitialPart], base: usize) -> impl Iterator<Item = u64> {
    parts.iter().filter_map(move |it| match it.path.get(base) {
        Some(InitStep::Field(_, number)) => Some(u64::from(*number)),
        Some(InitStep::Index(index)) => Some(*index),
        None => None,
    })
}

/// Forgets what an object was given before its braces say all of it again.
fn forget(parts: &mut Vec<InitialPart>, from: usize, path: &[InitStep], init: &Init) {
    if let Init::List(..) = init {
        let mut number = 0;
        parts.retain(|it| {
            number += 1;
            number <= from || !it.path.starts_with(path)
        });
    }
}

/// Repeats parts for all elements of a range but the first.
fn repeat(parts: &mut Vec<InitialPart>, from: usize, step: usize, range: Range) {
    let end = parts.len();
    for index in range.from + 1..=range.to {
        for number in from..end {
            let part = &parts[number];
            let mut path = part.path.clone();
            path[step] = InitStep::Index(index);
            parts.push(InitialPart {
                path,
                ty: part.ty,
                value: part.value,
            });
        }
    }
}
