//! What is in objects on the heap: told by the types as which they are accessed.

use recurva_cir::{Base, FunctionId, Module, Part, Type, TypeId};
use rustc_hash::FxHashMap;

use crate::{
    layout::Shape,
    objects::{ObjectId, Objects, What},
    pointers::{PointsTo, Scene},
};

/// Gives the objects of each site a type. Whether there was one to be given.
pub(crate) fn typed_sites(module: &Module, objects: &mut Objects, points_to: &PointsTo) -> bool {
    let is_site = |what: &What| matches!(what, What::Site(..));
    if !objects.what.iter().any(is_site) {
        return false;
    }
    let mut found: FxHashMap<ObjectId, Vec<TypeId>> = FxHashMap::default();
    let scene = Scene {
        module,
        objects,
        points_to,
    };
    for (index, function) in module.functions.iter().enumerate() {
        if !points_to.reachable[index] {
            continue;
        }
        let id = FunctionId(index as u32);
        for edge in &function.edges {
            edge.operation.visit(&mut |part| {
                let Part::Place(place) = part else {
                    return;
                };
                let Base::Deref(pointer, ty) = &place.base else {
                    return;
                };
                for (object, _) in scene.targets(id, pointer) {
                    if is_site(&objects.what[object.index()]) {
                        let types = found.entry(object).or_default();
                        if !types.contains(ty) {
                            types.push(*ty);
                        }
                    }
                }
            });
        }
    }
    for (object, types) in found {
        let size = objects.shapes[object.index()].size;
        if let Some(ty) = best(module, &types, size) {
            let count = (size / module.types.size(ty).max(1)).max(1);
            objects.shapes[object.index()] = Shape {
                ty: Some(ty),
                count,
                size,
            };
        }
    }
    true
}

/// Of the types that fit: a record if there is one, and the largest.
fn best(module: &Module, types: &[TypeId], size: u64) -> Option<TypeId> {
    let key = |ty: &TypeId| {
        let is_record = matches!(module.types.get(*ty), Type::Record(_) | Type::Array(..));
        (is_record, module.types.size(*ty), ty.0)
    };
    types
        .iter()
        .copied()
        .filter(|&ty| (1..=size).contains(&module.types.size(ty)))
        .max_by_key(key)
}
