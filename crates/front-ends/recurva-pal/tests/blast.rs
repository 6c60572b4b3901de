//! BLAST's own specifications are read, where they are at hand.

use std::{fs, path::Path};

use recurva_pal::lang::parse;
use recurva_syntax::{Source, Style};

#[test]
fn specifications_of_blast_are_read() {
    let bench = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/bench/pal");
    let Ok(folders) = fs::read_dir(bench) else {
        return;
    };
    let mut read = 0;
    for folder in folders {
        let Ok(files) = fs::read_dir(folder.expect("readable").path()) else {
            continue;
        };
        for file in files {
            let path = file.expect("readable").path();
            if path.extension().is_none_or(|it| it != "spc") {
                continue;
            }
            let bytes = fs::read(&path).expect("readable");
            let source = Source::from_bytes(path.display().to_string(), bytes).expect("UTF-8");
            let parsed = parse(&source);
            let messages = parsed.diagnostics.render(&source, Style::Plain);
            assert_eq!(messages, "");
            let monitor = parsed.monitor.expect("no errors");
            // One of them checks after the call, the others before it.
            let after = source.text().contains("after");
            for event in &monitor.events {
                assert_eq!(event.after.is_empty(), !after);
                assert_eq!(event.before.is_empty(), after);
            }
            read += 1;
        }
    }
    assert!(read >= 14, "{read}");
}
