//! Systems of any size given as automata, `.json`.

use recurva_regular::json;
use recurva_syntax::Index;

use super::Format;
use crate::systems;

pub(super) static FORMAT: Format = Format {
    name: "systems of any size as automata",
    extension: "json",
    takes_properties: false,
    keywords: &[],
    read: |source, _, clock| systems::read(source, clock, json::compile),
    index: |_, _| Index::default(),
};
