//! `--cache`: answers kept in a folder, by what they depend on.
//!
//! A file is named after a hash of the program that was searched, of what was asked, and of this version.
//! Only answers with something behind them are kept: that a property holds, which is true of every program with
//! the same hash, and runs that violate one, which are executed again. A file that cannot be read, or
//! whose text does not fit its own hash, is as if it were not there; one that cannot be written is not missed.
//! Files come into being whole, so that several commands can use one folder.

use std::{
    fs,
    path::{Path, PathBuf},
    process,
};

use recurva_check::{Answer, Note, Options, Question, TraceFile, Verdict};
use recurva_trace::sha256;
use serde_json::{Value, json};

/// Kept answers.
pub(crate) struct Cache {
    folder: PathBuf,
}

/// What reports say of an answer that was kept.
pub(crate) const REUSED: &str = "reused";

impl Cache {
    /// A folder, which is made when it is needed.
    pub(crate) fn new(folder: &Path) -> Self {
        Cache {
            folder: folder.to_owned(),
        }
    }

    /// A kept answer that is an answer to this question.
    pub(crate) fn recall<'q>(
        &self,
        question: &'q Question<'_>,
        options: &Options,
    ) -> Option<Answer<'q>> {
        let contents = question.contents();
        contents.iter().find_map(|name| {
            let kept = self.read(name)?;
            match kept["verdict"].as_str()? {
                "holds" => {
                    let found_by = kept["engine"].as_str()?;
                    let mut answer = question.known_to_hold()?;
                    let text = format!("reused: found before by {found_by}, and not checked again");
                    answer.notes.insert(0, Note::new(text));
                    Some(answer)
                }
                "violated" => {
                    let file = TraceFile::read(kept["trace"].as_str()?.as_bytes()).ok()?;
                    let mut answer = question.replay(&file.run, options).ok()?;
                    let text = "reused: the run was found before, and has been executed again";
                    answer.notes.insert(0, Note::new(text));
                    Some(answer)
                }
                _ => None,
            }
        })
    }

    /// Keeps an answer, if it is one that can be used again.
    pub(crate) fn keep(&self, question: &Question<'_>, answer: &Answer<'_>, options: &Options) {
        let contents = question.contents();
        let Some(name) = contents.get(question.answered()) else {
            return;
        };
        let kept = match answer.verdict {
            Verdict::Holds => json!({ "verdict": "holds", "engine": answer.engine }),
            Verdict::Violated => {
                let end = recurva_report::ending(&question.context(), answer);
                let Some(file) = question.saved(answer, options, end) else {
                    return;
                };
                let mut text = Vec::new();
                if file.write(&mut text).is_err() {
                    return;
                }
                json!({ "verdict": "violated", "trace": String::from_utf8_lossy(&text) })
            }
            Verdict::Unknown(_) => return,
        };
        self.write(name, &kept);
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.json"))
    }

    fn read(&self, name: &str) -> Option<Value> {
        let text = fs::read_to_string(self.path(name)).ok()?;
        let (hash, kept) = text.split_once('\n')?;
        (hash == sealed(name, kept)).then_some(())?;
        serde_json::from_str(kept).ok()
    }

    /// Writes a file under another name first, so that nobody reads half of it.
    fn write(&self, name: &str, kept: &Value) {
        let kept = kept.to_string();
        let text = format!("{}\n{kept}", sealed(name, &kept));
        let unfinished = self.folder.join(format!("{name}.{}.tmp", process::id()));
        let written = fs::create_dir_all(&self.folder)
            .and_then(|()| fs::write(&unfinished, text))
            .and_then(|()| fs::rename(&unfinished, self.path(name)));
        if written.is_err() {
            let _ = fs::remove_file(&unfinished);
        }
    }
}

/// The hash of what is kept under a name.
fn sealed(name: &str, kept: &str) -> String {
    sha256(format!("{name}\n{kept}").as_bytes())
}
