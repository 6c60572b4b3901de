//! Any bytes as preprocessed C: building ends, with an error or with a module that is well formed; its
//! text can be printed, and a random run ends within its limits.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recurva_cbuild::{BuildOptions, Library, Scope, read};
use recurva_cir::{
    Check, SourceText,
    interpret::{Machine, Options, Random},
    validate,
};
use recurva_ctype::Target;

fuzz_target!(|data: &[u8]| {
    let all = BuildOptions {
        scope: Scope::All,
        library: Library::None,
        checks: vec![Check::Overflow, Check::Shift, Check::Uninitialised],
        ..BuildOptions::default()
    };
    for options in [BuildOptions::default(), all] {
        let text = SourceText {
            name: "fuzz.c".into(),
            text: data.to_vec(),
            is_library: false,
        };
        let Ok(built) = read(vec![text], Target::lp64(), &options) else { continue };
        validate(&built.module).expect("what is built is well formed");
        drop(built.module.to_string());
        let limits = Options {
            steps: 10_000,
            memory: 64 << 20,
            ..Options::default()
        };
        let mut world = Random::new(1);
        Machine::new(&built.module, &mut world, limits).run();
    }
});
