//! What was known before: an earlier log.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::FINGERPRINT;

/// The results of an earlier log.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    /// By fingerprint.
    known: HashMap<String, Value>,
}

/// How a result compares with an earlier log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It is not there.
    New,
    /// It is there.
    Unchanged,
}

impl State {
    /// What it is called in logs.
    pub fn word(self) -> &'static str {
        match self {
            State::New => "new",
            State::Unchanged => "unchanged",
        }
    }
}

/// What SARIF takes the kind of a result to be if it says nothing.
const FAIL: &str = "fail";
/// That of a result without an answer.
const OPEN: &str = "open";

fn kind(result: &Value) -> &str {
    result["kind"].as_str().unwrap_or(FAIL)
}

fn fingerprint(result: &Value) -> Option<&str> {
    result["partialFingerprints"][FINGERPRINT].as_str()
}

impl Baseline {
    /// Reads a log.
    ///
    /// # Errors
    ///
    /// Why it is no log of ours.
    pub fn read(text: &str) -> Result<Self, String> {
        let log: Value = serde_json::from_str(text).map_err(|cause| cause.to_string())?;
        let runs = log["runs"].as_array().ok_or("it has no `runs`")?;
        let mut baseline = Baseline::default();
        let results = runs.iter().filter_map(|run| run["results"].as_array());
        for result in results.flatten() {
            // What was gone then is not known.
            let is_gone = result["baselineState"] == "absent";
            if is_gone {
                continue;
            }
            if let Some(fingerprint) = fingerprint(result) {
                let fingerprint = fingerprint.to_owned();
                baseline.known.insert(fingerprint, result.clone());
            }
        }
        Ok(baseline)
    }

    /// How an answer that is no "holds" compares with it.
    pub fn state(&self, fingerprint: &str, is_violated: bool) -> State {
        let kind = match is_violated {
            true => FAIL,
            false => OPEN,
        };
        self.of_kind(fingerprint, kind)
    }

    /// A violation that was left open before is new, and what is open now and was a violation is not.
    fn of_kind(&self, fingerprint: &str, now: &str) -> State {
        let known = self.known.get(fingerprint).map(kind);
        match known.is_some_and(|known| known == now || known == FAIL && now == OPEN) {
            true => State::Unchanged,
            false => State::New,
        }
    }

    /// Marks results, and adds those violations that are gone.
    pub(super) fn mark(&self, results: &mut Vec<Value>) {
        let mut seen = HashSet::new();
        for result in results.iter_mut() {
            let Some(found) = fingerprint(result).map(str::to_owned) else {
                continue;
            };
            let state = self.of_kind(&found, kind(result));
            result["baselineState"] = json!(state.word());
            seen.insert(found);
        }
        let gone = self.known.iter();
        let mut gone: Vec<(&String, &Value)> = gone
            .filter(|(found, known)| kind(known) == FAIL && !seen.contains(*found))
            .collect();
        gone.sort_by_key(|it| it.0);
        for (found, known) in gone {
            // Its places have numbers of files that are those of the other log.
            results.push(json!({
                "ruleId": known["ruleId"],
                "kind": FAIL,
                "level": "none",
                "message": known["message"],
                "partialFingerprints": { (FINGERPRINT): found },
                "baselineState": "absent",
            }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(results: &Value) -> String {
        json!({ "version": "2.1.0", "runs": [{ "results": results }] }).to_string()
    }

    fn result(kind: &str, print: &str) -> Value {
        json!({
            "ruleId": "reached",
            "kind": kind,
            "message": { "text": print },
            "partialFingerprints": { (FINGERPRINT): print },
        })
    }

    #[test]
    fn results_are_new_unchanged_or_absent() {
        let before = json!([
            result("fail", "a"),
            result("fail", "b"),
            result("open", "c"),
            result("pass", "d"),
            { "message": { "text": "of somebody else" } },
        ]);
        let baseline = Baseline::read(&log(&before)).unwrap();
        let mut now = vec![
            result("fail", "b"),
            result("fail", "c"),
            result("open", "c"),
            result("fail", "d"),
            result("pass", "d"),
        ];
        baseline.mark(&mut now);
        let states: Vec<&str> = now
            .iter()
            .filter_map(|it| it["baselineState"].as_str())
            .collect();
        // What was open before and fails now is new.
        assert_eq!(
            states,
            [
                "unchanged",
                "new",
                "unchanged",
                "new",
                "unchanged",
                "absent"
            ]
        );
        assert_eq!(now[5]["message"]["text"], "a");
        // What was absent is not known.
        let again = Baseline::read(&log(&json!(now))).unwrap();
        assert_eq!(again.state("a", true), State::New);
        assert_eq!(again.state("b", true), State::Unchanged);
    }

    #[test]
    fn what_is_no_log_is_refused() {
        assert!(Baseline::read("").is_err());
        assert!(Baseline::read("[]").is_err());
        assert!(Baseline::read("{\"runs\": []}").unwrap().known.is_empty());
    }
}
