//! Programs that are right: the project's examples, and the public boolean programs beside
//! the project where they are present.

use std::{fs, path::Path};

use recurva_lang::{bp, rem};
use recurva_syntax::{Source, Style};

#[test]
#[allow(clippy::print_stderr, reason = "says why nothing was tested")]
fn public_programs_are_read_and_threads_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/bench/bp");
    let Ok(manifest) = fs::read_to_string(folder.join("MANIFEST.tsv")) else {
        eprintln!("skipped: the public boolean programs are not here");
        return;
    };
    for line in manifest.lines().skip(1) {
        let mut fields = line.split('\t');
        let (Some(file), Some(_), Some(note)) = (fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        let bytes = fs::read(folder.join(file)).expect("the manifest names files that exist");
        let source = Source::from_bytes(file, bytes).expect("UTF-8");
        let parsed = bp::parse(&source, &bp::Options::default());
        let text = parsed.diagnostics.render(&source, Style::Plain);
        if note.contains("THREADS") {
            assert!(parsed.program.is_none(), "{file}");
            for diagnostic in parsed.diagnostics.iter() {
                assert!(
                    diagnostic
                        .message()
                        .starts_with("threads are not supported"),
                    "{text}"
                );
            }
        } else {
            assert!(parsed.program.is_some(), "{text}");
            assert!(parsed.diagnostics.is_empty(), "{text}");
        }
    }
}

#[test]
fn the_examples_are_read_without_a_warning() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples");
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("a readable folder").path();
        let extension = path.extension().and_then(|extension| extension.to_str());
        let remopla = extension == Some("rem");
        if extension != Some("bp") && !remopla {
            continue;
        }
        let bytes = fs::read(&path).expect("a readable file");
        let source = Source::from_bytes(path.to_string_lossy(), bytes).expect("UTF-8");
        let parsed = match remopla {
            true => rem::parse(&source),
            false => bp::parse(&source, &bp::Options::default()),
        };
        let text = parsed.diagnostics.render(&source, Style::Plain);
        assert!(parsed.program.is_some() && text.is_empty(), "{text}");
    }
}
