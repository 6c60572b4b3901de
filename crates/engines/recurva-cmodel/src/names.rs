//! Names of parts of objects, as a reader of the source knows them.

use recurva_cir::{LocalKind, Module, Origin, Type, TypeId, Types};

use crate::ShownAs;

/// The name of a part, where it is declared, and whether users should not see it.
pub(crate) fn part_name(module: &Module, what: &ShownAs) -> (String, Origin, bool) {
    match *what {
        ShownAs::Global(id, start, width) => {
            let global = module.global(id);
            let path = path(&module.types, global.ty, start, width);
            let hidden = global.name.is_empty();
            let name = match hidden {
                true => format!("$text{}", id.0),
                false => global.name.to_string(),
            };
            (format!("{name}{path}"), global.origin, hidden)
        }
        ShownAs::Local(function, id, start, width) => {
            let local = &module.function(function).locals[id.0 as usize];
            let path = path(&module.types, local.ty, start, width);
            let hidden = local.kind == LocalKind::Temporary;
            (format!("{}{path}", local.name), local.origin, hidden)
        }
        ShownAs::Heap(function, edge, start, _) => {
            let declared = module.function(function);
            let origin = declared.edges[edge as usize].origin;
            (
                format!("{}#{edge}.{}", declared.name, start / 8),
                origin,
                false,
            )
        }
        ShownAs::Hidden => ("$hidden".into(), Origin::default(), true),
    }
}

/// The way to some bits: `.field[]`.
fn path(types: &Types, ty: TypeId, start: u64, width: u32) -> String {
    let mut text = String::new();
    let (mut at, mut rest) = (ty, start);
    loop {
        match *types.get(at) {
            Type::Array(element, _) if types.size(element) > 0 => {
                rest %= types.size(element) * 8;
                at = element;
            }
            Type::Record(record) => {
                let record = types.record(record);
                let found = record.fields.iter().find(|field| {
                    let (first, length) = match field.bits {
                        Some(bits) => (u64::from(bits.start), u64::from(bits.width)),
                        None => (0, types.size(field.ty) * 8),
                    };
                    let first = field.offset * 8 + first;
                    first <= rest && rest + u64::from(width) <= first + length
                });
                let Some(field) = found else {
                    return format!("{text}+{}", rest / 8);
                };
                text.push('.');
                text.push_str(&field.name);
                if field.bits.is_some() {
                    return text;
                }
                rest -= field.offset * 8;
                at = field.ty;
            }
            _ if rest != 0 => return format!("{text}+{}", rest / 8),
            _ => return text,
        }
    }
}

/// The constants of all enumerations. A name that stands for two numbers, in two units, is left out.
pub(crate) fn constants(module: &Module) -> Vec<(Box<str>, i64)> {
    let all = module.types.enums.iter().flat_map(|it| &it.constants);
    let mut all: Vec<_> = all.cloned().collect();
    all.sort();
    all.dedup();
    all.chunk_by(|left, right| left.0 == right.0)
        .filter(|of_one_name| of_one_name.len() == 1)
        .flatten()
        .cloned()
        .collect()
}
