//! The types of all units as types of one program: what is built alike is one type.

use std::{fmt::Write as _, rc::Rc};

use recurva_cir::{
    Bits, EnumId, Enumeration, Field, Float, Int, Record, RecordId, Scalar, Type, TypeId, Types,
};
use recurva_ctype::{
    self as ctype, FloatKind, IntKind, Length, Target,
    typed::{ExprKind, Unit},
};
use rustc_hash::FxHashMap;

use super::Loaded;

/// The types of a program, and which of them those of the units are.
#[derive(Debug)]
pub(crate) struct TypeTable {
    pub(crate) types: Types,
    numbers: FxHashMap<Type, TypeId>,
    records: FxHashMap<String, RecordId>,
    enums: FxHashMap<String, EnumId>,
    /// Records with a tag whose fields are known, by whether they are unions.
    complete: FxHashMap<(Box<str>, bool), (usize, ctype::RecordId)>,
    of_unit: FxHashMap<(usize, ctype::TypeId), TypeId>,
    record_of_unit: FxHashMap<(usize, ctype::RecordId), RecordId>,
}

impl TypeTable {
    pub(crate) fn new(target: Target) -> Self {
        let types = Types {
            pointer_bytes: target.pointer_bytes,
            extended_bytes: target.long_double_bytes,
            ..Types::default()
        };
        TypeTable {
            types,
            numbers: FxHashMap::default(),
            records: FxHashMap::default(),
            enums: FxHashMap::default(),
            complete: FxHashMap::default(),
            of_unit: FxHashMap::default(),
            record_of_unit: FxHashMap::default(),
        }
    }

    /// Remembers the records that a unit looks into, for units that know only their tags, and its
    /// enumerations, whose constants may be used where nothing is of their type.
    pub(crate) fn add_unit(&mut self, index: usize, unit: &Unit) {
        for id in unit.types.enumerations() {
            self.enumeration(unit, id);
        }
        let record_of = |ty: ctype::TypeId| match unit.types.get(ty) {
            ctype::Type::Record(id) => Some(*id),
            _ => None,
        };
        let of_exprs = unit.exprs.iter().filter_map(|expr| match expr.kind {
            ExprKind::Member(_, id, _) => Some(id),
            _ => record_of(expr.ty.ty),
        });
        let of_objects = unit.objects.iter().filter_map(|it| record_of(it.ty.ty));
        for id in of_exprs.chain(of_objects) {
            let record = unit.types.record(id);
            if let (Some(name), Some(_)) = (&record.name, &record.layout) {
                let key = (name.clone(), record.is_union);
                self.complete.entry(key).or_insert((index, id));
            }
        }
    }

    /// The number of a type.
    pub(crate) fn number(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.numbers.get(&ty) {
            return id;
        }
        let id = TypeId(self.types.list.len() as u32);
        self.types.list.push(ty.clone());
        self.numbers.insert(ty, id);
        id
    }

    /// An integer as a type.
    pub(crate) fn int(&mut self, int: Int) -> TypeId {
        self.number(Type::Int(int))
    }

    /// A pointer to anything.
    pub(crate) fn void_pointer(&mut self) -> TypeId {
        let void = self.number(Type::Void);
        self.number(Type::Pointer(void))
    }

    /// The integer that has the bits of a pointer.
    pub(crate) fn word(&self) -> Int {
        Int {
            bits: self.types.pointer_bytes as u8 * 8,
            is_signed: false,
        }
    }

    /// A type in memory for values of a type.
    pub(crate) fn of_scalar(&mut self, scalar: Scalar) -> TypeId {
        match scalar {
            Scalar::Bool => self.number(Type::Bool),
            Scalar::Int(int) => self.int(int),
            Scalar::Float(float) => self.number(Type::Float(float)),
            Scalar::Pointer => self.void_pointer(),
        }
    }

    /// A type of a unit.
    pub(crate) fn of_unit(
        &mut self,
        units: &[Rc<Loaded>],
        index: usize,
        id: ctype::TypeId,
    ) -> TypeId {
        if let Some(&known) = self.of_unit.get(&(index, id)) {
            return known;
        }
        let unit = &units[index].unit;
        let ty = match unit.types.get(id) {
            ctype::Type::Void => Type::Void,
            ctype::Type::Bool => Type::Bool,
            ctype::Type::Int(IntKind::Char) => Type::Char(integer(unit, id)),
            ctype::Type::Int(_) | ctype::Type::Wide { .. } => Type::Int(integer(unit, id)),
            ctype::Type::Float(kind) => Type::Float(float(*kind)),
            ctype::Type::Pointer(to) => Type::Pointer(self.of_unit(units, index, to.ty)),
            ctype::Type::Array(element, length) => {
                let length = match *length {
                    Length::Known(length) => length,
                    Length::Unknown | Length::Variable(_) => 0,
                };
                Type::Array(self.of_unit(units, index, element.ty), length)
            }
            ctype::Type::Function(_) => Type::Function,
            ctype::Type::Record(record) => Type::Record(self.record(units, index, *record)),
            ctype::Type::Enum(of) => Type::Enum(integer(unit, id), self.enumeration(unit, *of)),
            ctype::Type::VaList => Type::VaList,
            // Nothing computes with these; they are bytes that can be copied.
            ctype::Type::Foreign(_) => {
                let bytes = unit.types.size(id).unwrap_or(0);
                Type::Array(self.int(Int::BYTE), bytes)
            }
        };
        let number = self.number(ty);
        self.of_unit.insert((index, id), number);
        number
    }

    /// A record of a unit.
    pub(crate) fn record(
        &mut self,
        units: &[Rc<Loaded>],
        index: usize,
        id: ctype::RecordId,
    ) -> RecordId {
        if let Some(&known) = self.record_of_unit.get(&(index, id)) {
            return known;
        }
        let unit = &units[index].unit;
        let record = unit.types.record(id);
        if let (None, Some(name)) = (&record.layout, &record.name) {
            let elsewhere = self.complete.get(&(name.clone(), record.is_union)).copied();
            if let Some((other, there)) = elsewhere {
                return self.record(units, other, there);
            }
        }
        let key = self.describe_record(units, index, id, &mut Vec::new());
        if let Some(&known) = self.records.get(&key) {
            self.record_of_unit.insert((index, id), known);
            return known;
        }
        let layout = record.layout.as_ref();
        let number = RecordId(self.types.records.len() as u32);
        self.types.records.push(Record {
            name: record.name.clone().unwrap_or_default(),
            is_union: record.is_union,
            size: layout.map_or(0, |it| it.size),
            align: layout.map_or(1, |it| it.align),
            fields: Vec::new(),
        });
        self.records.insert(key, number);
        self.record_of_unit.insert((index, id), number);
        let mut fields = Vec::new();
        for field in layout.map_or(&[][..], |it| &it.fields) {
            let ty = self.of_unit(units, index, field.ty.ty);
            fields.push(in_bytes(field, ty));
        }
        self.types.records[number.0 as usize].fields = fields;
        number
    }

    /// All that tells two records apart. Those within it have their numbers, so that the text is no
    /// longer than the record's own fields. Behind a pointer a tag is enough, which ends the
    /// recursion; a record without a tag that contains a pointer to itself is named by its depth.
    fn describe_record(
        &mut self,
        units: &[Rc<Loaded>],
        index: usize,
        id: ctype::RecordId,
        around: &mut Vec<ctype::RecordId>,
    ) -> String {
        if let Some(depth) = around.iter().position(|&outer| outer == id) {
            return format!("^{depth}");
        }
        let record = units[index].unit.types.record(id);
        let mut text = format!("{}{:?}", u8::from(record.is_union), record.name);
        let Some(layout) = &record.layout else {
            return text;
        };
        around.push(id);
        let _ = write!(text, "{}/{}{{", layout.size, layout.align);
        for field in &layout.fields {
            let bits = field.bits.map(|bits| (bits.start, bits.width));
            let ty = self.describe(units, index, field.ty.ty, around);
            let _ = write!(text, "{:?}@{}{bits:?}:{ty};", field.name, field.offset);
        }
        text.push('}');
        around.pop();
        text
    }

    fn describe(
        &mut self,
        units: &[Rc<Loaded>],
        index: usize,
        id: ctype::TypeId,
        around: &mut Vec<ctype::RecordId>,
    ) -> String {
        let types = &units[index].unit.types;
        let (mut prefix, mut id) = (String::new(), id);
        loop {
            let text = match types.get(id) {
                ctype::Type::Pointer(to) => match types.get(to.ty) {
                    ctype::Type::Record(record) if types.record(*record).name.is_some() => {
                        format!("*{:?}", types.record(*record).name)
                    }
                    ctype::Type::Record(record) => {
                        let record = self.describe_record(units, index, *record, around);
                        format!("*{record}")
                    }
                    ctype::Type::Function(_) => "*f".into(),
                    _ => {
                        prefix.push('*');
                        id = to.ty;
                        continue;
                    }
                },
                ctype::Type::Array(element, length) => {
                    let _ = write!(prefix, "[{length:?}]");
                    id = element.ty;
                    continue;
                }
                ctype::Type::Record(record) => {
                    format!("#{}", self.record(units, index, *record).0)
                }
                ctype::Type::Enum(of) => format!("{:?}", types.enumeration(*of).name),
                other => format!("{other:?}"),
            };
            return prefix + &text;
        }
    }

    fn enumeration(&mut self, unit: &Unit, id: ctype::EnumId) -> EnumId {
        let from = unit.types.enumeration(id);
        let key = format!("{:?} {:?}", from.name, from.constants);
        if let Some(&known) = self.enums.get(&key) {
            return known;
        }
        let number = EnumId(self.types.enums.len() as u32);
        let constants = from.constants.iter();
        self.types.enums.push(Enumeration {
            name: from.name.clone().unwrap_or_default(),
            constants: constants
                .map(|(name, value)| (name.clone(), *value as i64))
                .collect(),
        });
        self.enums.insert(key, number);
        number
    }
}

/// A field whose bits are counted from the byte that has the lowest one.
fn in_bytes(field: &ctype::Field, ty: TypeId) -> Field {
    let start = field.bits.map_or(0, |bits| bits.start);
    Field {
        name: field.name.clone().unwrap_or_default(),
        ty,
        offset: field.offset + u64::from(start / 8),
        bits: field.bits.map(|bits| Bits {
            start: start % 8,
            width: bits.width,
        }),
    }
}

/// The integer that a type of a unit is.
fn integer(unit: &Unit, id: ctype::TypeId) -> Int {
    let (bits, is_signed) = unit.types.integer(id).unwrap_or((32, true));
    Int {
        bits: bits as u8,
        is_signed,
    }
}

fn float(kind: FloatKind) -> Float {
    match kind {
        FloatKind::Float => Float::Single,
        FloatKind::Double => Float::Double,
        FloatKind::LongDouble => Float::Extended,
    }
}
