//! How a run begins that does not begin with `main`: C that makes the objects that the function gets
//! pointers to, and calls it.

use std::fmt::Write;

use recurva_cir::{FunctionId, LocalId, Module, Place, Scalar, Var, interpret::View};
use recurva_ctest::ValueKind;

use super::{CContent, lowered::CProgram, test_case::value};

/// At most so many objects are made, and so many bytes of each.
const OBJECTS: usize = 100;
const BYTES: usize = 1 << 16;

/// Waits for the function to be called.
pub(super) struct Start {
    /// Which one; none if it has been called.
    function: Option<FunctionId>,
    text: Result<Option<String>, String>,
    /// What `main` is given, its own name first.
    arguments: Vec<Vec<u8>>,
}

impl Start {
    pub(super) fn new(content: &CContent, program: &CProgram) -> Self {
        let entry = content.units.options.entry.as_deref().unwrap_or("main");
        Start {
            function: program.executed().find_function(entry),
            text: Ok(None),
            arguments: Vec::new(),
        }
    }

    /// Looks whether the function has just been called.
    pub(super) fn look(&mut self, view: &View<'_, '_>) {
        let Some(function) = self.function else {
            return;
        };
        let depth = view.depth();
        let position = view.position(depth);
        let declared = view.module().function(function);
        if position.function == function && position.node == declared.entry {
            self.function = None;
            match &*declared.name {
                "main" => self.arguments = arguments(view, depth, function).unwrap_or_default(),
                _ => self.text = call(view, depth, function).map(Some),
            }
        }
    }

    /// Text that begins the run, and what `main` is given.
    pub(super) fn finish(self) -> (Result<Option<String>, String>, Vec<Vec<u8>>) {
        (self.text, self.arguments)
    }
}

/// The texts that `main` is given.
fn arguments(view: &View<'_, '_>, depth: usize, function: FunctionId) -> Option<Vec<Vec<u8>>> {
    let declared = view.module().function(function);
    let width = view.module().types.pointer_bytes as usize;
    let parameter = |id: u32| {
        let local = declared.locals.get(id as usize)?;
        let place = Place::whole(Var::Local(LocalId(id)), local.ty);
        view.bytes(depth, &place).map(number)
    };
    if declared.parameters < 2 {
        return None;
    }
    let (count, list) = (parameter(0)?, parameter(1)?);
    let from = |address: u64| {
        let (start, bytes) = view.object(address)?;
        bytes.get((address - start) as usize..)
    };
    let pointers = from(list)?.chunks_exact(width).take(count as usize);
    pointers
        .map(|pointer| {
            let text = from(number(pointer))?;
            Some(text.split(|byte| *byte == 0).next()?.to_vec())
        })
        .collect()
}

/// Statements that call a function as it was called.
fn call(view: &View<'_, '_>, depth: usize, function: FunctionId) -> Result<String, String> {
    let module = view.module();
    let declared = module.function(function);
    let mut objects = Objects {
        view,
        module,
        known: Vec::new(),
    };
    let mut arguments = Vec::new();
    for (id, local) in (0..declared.parameters).zip(&declared.locals) {
        let place = Place::whole(Var::Local(LocalId(id)), local.ty);
        let scalar = module.types.scalar(local.ty);
        let bytes = view.bytes(depth, &place).unwrap_or_default();
        let argument = match scalar {
            Some(Scalar::Pointer) => objects.pointer(number(bytes))?,
            Some(_) => value(scalar, bytes).map_or_else(String::new, literal),
            None => return Err(format!("`{}` is a record, which no test gives", local.name)),
        };
        arguments.push(argument);
    }
    let mut text = objects.made()?;
    // Writing to a string cannot fail.
    let _ = writeln!(text, "  {}({});", declared.name, arguments.join(", "));
    Ok(text)
}

/// The objects that are needed, in the order in which they were found.
struct Objects<'v, 's, 'm> {
    view: &'v View<'s, 'm>,
    module: &'m Module,
    known: Vec<u64>,
}

impl Objects<'_, '_, '_> {
    /// An address as an expression of C.
    fn pointer(&mut self, address: u64) -> Result<String, String> {
        if address == 0 {
            return Ok("0".to_owned());
        }
        let unknown = || "it is given a pointer that no test can make".to_owned();
        let (start, bytes) = self.view.object(address).ok_or_else(unknown)?;
        let number = match self.known.iter().position(|&it| it == start) {
            Some(number) => number,
            None if self.known.len() < OBJECTS && bytes.len() <= BYTES => {
                self.known.push(start);
                self.known.len() - 1
            }
            None => return Err("it is given more memory than a test should make".to_owned()),
        };
        Ok(format!(
            "(void *)(recurva_object_{number} + {})",
            address - start
        ))
    }

    /// Statements that make the objects, all of them before any gets its contents.
    fn made(mut self) -> Result<String, String> {
        let width = self.module.types.pointer_bytes as usize;
        let (mut declared, mut filled) = (String::new(), String::new());
        let mut next = 0;
        while let Some(&start) = self.known.get(next) {
            let bytes = self
                .view
                .object(start)
                .map_or_else(Vec::new, |it| it.1.to_vec());
            let list: Vec<String> = bytes.iter().map(u8::to_string).collect();
            let _ = writeln!(
                declared,
                "  static char *recurva_object_{next};\n  \
                 recurva_object_{next} = __builtin_malloc({});",
                bytes.len()
            );
            let _ = writeln!(
                filled,
                "  {{\n    static const unsigned char bytes[] = {{ {} }};\n    \
                 __builtin_memcpy(recurva_object_{next}, bytes, {});\n  }}",
                list.join(", "),
                bytes.len()
            );
            for (at, word) in (0..).step_by(width).zip(bytes.chunks_exact(width)) {
                let address = number(word);
                if address != 0 && self.view.object(address).is_some() {
                    let to = self.pointer(address)?;
                    let _ = writeln!(filled, "  *(void **)(recurva_object_{next} + {at}) = {to};");
                }
            }
            next += 1;
        }
        Ok(declared + &filled)
    }
}

fn number(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    let count = bytes.len().min(8);
    word[..count].copy_from_slice(&bytes[..count]);
    u64::from_le_bytes(word)
}

fn literal(value: ValueKind) -> String {
    match value {
        // The smallest number has no literal of its own.
        ValueKind::Int(i64::MIN) => "-9223372036854775807LL - 1".to_owned(),
        ValueKind::Int(integer) => format!("{integer}LL"),
        ValueKind::Float(float) if float.is_finite() => format!("{float:?}f"),
        ValueKind::Float(float) => special(f64::from(float)),
        ValueKind::Double(double) if double.is_finite() => format!("{double:?}"),
        ValueKind::Double(double) => special(double),
    }
}

fn special(value: f64) -> String {
    match value {
        _ if value.is_nan() => "__builtin_nan(\"\")".to_owned(),
        _ if value < 0.0 => "-__builtin_inf()".to_owned(),
        _ => "__builtin_inf()".to_owned(),
    }
}
