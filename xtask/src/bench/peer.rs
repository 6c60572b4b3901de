//! Moped 2 at the same questions, if it is there.
//!
//! It is given a file in its own language and a label, and says whether the label can be
//! reached.

use std::{fs, path::Path, process::Command, time::Duration};

use crate::measured::{self, Time};

/// What a peer came to.
pub(crate) enum Answer {
    /// Whether the label can be reached, and the seconds it took.
    Decided(bool, f64),
    /// Nothing within the time.
    TooLong,
    /// It ended in another way: it said this.
    Failed(String),
}

/// Asks whether the label can be reached.
pub(crate) fn ask(moped: &Path, text: &str, label: &str, time: Duration) -> Result<Answer, String> {
    let folder = std::env::temp_dir().join(format!("recurva-bench-{}", std::process::id()));
    let told = |error: std::io::Error| format!("{}: {error}", moped.display());
    fs::create_dir_all(&folder).map_err(told)?;
    let file = folder.join("model.rem");
    fs::write(&file, text).map_err(told)?;
    let answer = run(Command::new(moped).arg(&file).arg(label), time).map_err(told);
    fs::remove_dir_all(&folder).map_err(told)?;
    answer
}

fn run(command: &mut Command, time: Duration) -> std::io::Result<Answer> {
    let measured = measured::run(
        command,
        Time {
            wall: time,
            cpu: None,
        },
    )?;
    let text = measured.stdout;
    Ok(match verdict(&text) {
        _ if measured.stopped.is_some() => Answer::TooLong,
        Some(reachable) => Answer::Decided(reachable, measured.wall.as_secs_f64()),
        None => Answer::Failed(text.lines().next().unwrap_or("nothing").to_owned()),
    })
}

/// The first line that says yes or no.
fn verdict(text: &str) -> Option<bool> {
    text.lines().find_map(|line| {
        let line = line.to_lowercase();
        let has = |word: &str| {
            line.split(|c: char| !c.is_alphabetic())
                .any(|it| it == word)
        };
        if has("unreachable") || has("no") || has("not") && has("reachable") {
            Some(false)
        } else if has("reachable") || has("yes") {
            Some(true)
        } else {
            None
        }
    })
}

#[cfg(test)]
mod tests {
    use std::{path::Path, time::Duration};

    use super::{Answer, ask, verdict};

    #[test]
    fn answers_are_read() {
        assert_eq!(verdict("Moped\nYES.\ntrace"), Some(true));
        assert_eq!(verdict("label is not reachable."), Some(false));
        assert_eq!(verdict("ERROR is Reachable"), Some(true));
        assert_eq!(verdict("syntax error"), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_peer_is_given_a_file_and_a_label() -> Result<(), String> {
        // What prints its arguments takes the place of a peer.
        let answer = ask(Path::new("echo"), "", "yes", Duration::from_secs(60))?;
        assert!(matches!(answer, Answer::Decided(true, _)));
        let answer = ask(Path::new("echo"), "", "error", Duration::from_secs(60))?;
        assert!(matches!(answer, Answer::Failed(line) if line.ends_with("model.rem error")));
        Ok(())
    }
}
