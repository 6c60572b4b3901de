//! What objects look like in memory: as the check says, and as GCC does it.

use std::{
    path::Path,
    process::{Command, Stdio},
};

use recurva_ctype::{
    FloatKind, Layout, Qualified, Target, Type, TypeId,
    typed::{Constant, ExprKind, InitStep, Object, Unit},
};

/// Goes before every object whose bytes are compared.
pub(crate) const MARK: &str = "__attribute__((section(\".t\"), aligned(64)))";

/// The bytes of an object, by its initial value. Addresses are left zero.
pub(crate) fn image(unit: &Unit, object: &Object) -> Vec<u8> {
    let size = unit.types.size(object.ty.ty).expect("a complete type");
    let mut bytes = vec![0; size as usize];
    let Some(init) = &object.init else {
        return bytes;
    };
    for part in &init.parts {
        let (offset, bits) = place(unit, object.ty, &part.path);
        match &unit.expr(part.value).kind {
            ExprKind::Constant(Constant::Int(value)) => {
                write_int(unit, &mut bytes, offset, bits, *value, part.ty.ty);
            }
            ExprKind::Constant(Constant::Float(value)) => {
                let value = match unit.types.get(part.ty.ty) {
                    Type::Float(FloatKind::Float) => (*value as f32).to_le_bytes().to_vec(),
                    _ => value.to_le_bytes().to_vec(),
                };
                write(&mut bytes, offset, &value);
            }
            ExprKind::Text(text) => {
                let room = unit.types.size(part.ty.ty).unwrap_or(0) as usize;
                let mut text = unit.texts[text.0 as usize].bytes.clone();
                text.resize(room, 0);
                write(&mut bytes, offset, &text);
            }
            _ => {}
        }
    }
    bytes
}

fn write(bytes: &mut Vec<u8>, offset: u64, value: &[u8]) {
    let offset = offset as usize;
    // Elements of an array without a length lie behind the object.
    if bytes.len() < offset + value.len() {
        bytes.resize(offset + value.len(), 0);
    }
    bytes[offset..offset + value.len()].copy_from_slice(value);
}

fn write_int(
    unit: &Unit,
    bytes: &mut Vec<u8>,
    offset: u64,
    bits: Option<(u32, u32)>,
    value: i128,
    ty: TypeId,
) {
    let Some((start, width)) = bits else {
        let size = unit.types.size(ty).expect("a complete type") as usize;
        return write(bytes, offset, &value.to_le_bytes()[..size]);
    };
    for bit in 0..width {
        let at = u64::from(start + bit);
        let byte = (offset + at / 8) as usize;
        if bytes.len() <= byte {
            bytes.resize(byte + 1, 0);
        }
        let mask = 1 << (at % 8);
        match value >> bit & 1 {
            1 => bytes[byte] |= mask,
            _ => bytes[byte] &= !mask,
        }
    }
}

/// Where a part of an object is, and its bits if it is a bit-field.
fn place(unit: &Unit, ty: Qualified, path: &[InitStep]) -> (u64, Option<(u32, u32)>) {
    let mut ty = ty;
    let mut offset = 0;
    let mut bits = None;
    for step in path {
        match *step {
            InitStep::Index(index) => {
                let Type::Array(element, _) = *unit.types.get(ty.ty) else {
                    panic!("no array");
                };
                ty = element;
                offset += index * unit.types.size(ty.ty).expect("a complete type");
            }
            InitStep::Field(record, number) => {
                let layout: &Layout = unit.types.record(record).layout.as_ref().expect("fields");
                let field = &layout.fields[number as usize];
                offset += field.offset;
                bits = field.bits.map(|it| (it.start, it.width));
                ty = field.ty;
            }
        }
    }
    (offset, bits)
}

/// The bytes of the marked objects as GCC lays them out; `None` if there is no GCC for the target.
pub(crate) fn compiled(text: &str, target: Target) -> Option<Vec<u8>> {
    let folder = tempfile::tempdir().ok()?;
    let source = folder.path().join("t.c");
    let object = folder.path().join("t.o");
    let bytes = folder.path().join("t.bin");
    std::fs::write(&source, text).ok()?;
    let machine = if target == Target::ilp32() {
        "-m32"
    } else {
        "-m64"
    };
    let gcc = Command::new("gcc")
        .args([machine, "-c", "-w", "-fno-toplevel-reorder", "-O0", "-o"])
        .args([&object, &source])
        .stderr(Stdio::piped())
        .output()
        .ok()?;
    let message = String::from_utf8_lossy(&gcc.stderr);
    assert!(
        gcc.status.success(),
        "gcc refuses the text: {message}\n{text}"
    );
    dump(&object, &bytes)?;
    std::fs::read(bytes).ok()
}

fn dump(object: &Path, bytes: &Path) -> Option<()> {
    let status = Command::new("objcopy")
        .args([
            "-O",
            "binary",
            "-j",
            ".t",
            "--set-section-flags",
            ".t=alloc,load",
        ])
        .args([object, bytes])
        .status()
        .ok()?;
    status.success().then_some(())
}

/// Whether GCC can be asked at all.
pub(crate) fn has_gcc() -> bool {
    let found = ["gcc", "objcopy"].iter().all(|it| {
        let probe = Command::new(it)
            .arg("--version")
            .stdout(Stdio::null())
            .status();
        probe.is_ok_and(|it| it.success())
    });
    if !found {
        eprintln!("there is no gcc here: skipped");
    }
    found
}

/// Compares all marked objects of a text, those whose names begin with `t_`.
pub(crate) fn compare(text: &str, target: Target) {
    let checked = super::checked(text.as_bytes(), target).expect("the text can be read");
    let Some(unit) = &checked.unit else {
        let messages = super::render("t.c", text.as_bytes(), &checked.diagnostics);
        panic!("{messages}\n{text}");
    };
    let Some(bytes) = compiled(text, target) else {
        eprintln!("gcc does not compile for this target: skipped");
        return;
    };
    let mut position: usize = 0;
    let mut wrong = Vec::new();
    for object in unit.objects.iter().filter(|it| it.name.starts_with("t_")) {
        position = position.next_multiple_of(64);
        let own = image(unit, object);
        let theirs = bytes
            .get(position..position + own.len())
            .unwrap_or_default();
        if own != theirs {
            let span = object.span;
            let line = text[span.start as usize..]
                .lines()
                .next()
                .unwrap_or_default();
            wrong.push(format!("{line}\n   ours {own:02x?}\n   gcc  {theirs:02x?}"));
        }
        position += own.len();
    }
    assert!(position > 0, "no object is compared");
    assert!(
        wrong.is_empty(),
        "{} objects differ for {target:?}:\n{}\n{text}",
        wrong.len(),
        wrong[..wrong.len().min(8)].join("\n")
    );
    assert_eq!(position, bytes.len(), "there are more objects, or fewer");
}
