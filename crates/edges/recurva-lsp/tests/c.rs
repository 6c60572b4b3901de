//! C files: what is wrong with them, and checks of their functions. They are preprocessed already, so
//! that no compiler is needed to read them.

mod client;

use client::{Client, uri};
use serde_json::{Value, json};

const TEXT: &str = "extern void reach_error(void);\n\
                    int half(int x) {\n  if (x == 7)\n    reach_error();\n  return x / 2;\n}\n\
                    int zero(void) { return half(0); }\n";

/// What the lens in a line asks.
fn lens(client: &mut Client, line: u64) -> Value {
    let lenses = client.about("textDocument/codeLens", &uri("a.i"));
    let mut lenses = lenses.as_array().unwrap().iter();
    let lens = lenses.find(|it| it["range"]["start"]["line"] == json!(line));
    let command = &lens.unwrap()["command"];
    json!({ "command": command["command"], "arguments": command["arguments"] })
}

#[test]
fn functions_are_checked_one_by_one() {
    let mut client = Client::new();
    let version = client.open(&uri("a.i"), TEXT);
    assert_eq!(client.diagnostics(&uri("a.i"), version), [] as [Value; 0]);
    let params = lens(&mut client, 1);
    assert_eq!(params["arguments"][1], json!({ "entry": "half" }));
    let answer = client.ask("workspace/executeCommand", params).unwrap();
    assert_eq!(answer["verdict"], "violated", "{answer}");
    let report = answer["report"].as_str().unwrap();
    assert!(report.contains("half(x=7)"), "{report}");
    let published = client.next("textDocument/publishDiagnostics");
    let found = &published["diagnostics"][0];
    assert_eq!(found["range"]["start"]["line"], 3, "{found}");
    let steps = found["relatedInformation"].as_array().unwrap();
    let texts: Vec<&str> = steps
        .iter()
        .filter_map(|it| it["message"].as_str())
        .collect();
    assert!(texts.iter().any(|it| it.contains("(true)")), "{texts:?}");
    let params = lens(&mut client, 6);
    let answer = client.ask("workspace/executeCommand", params).unwrap();
    assert_eq!(answer["verdict"], "holds", "{answer}");
    client.leave();
}

#[test]
fn mistakes_have_their_places() {
    let mut client = Client::new();
    let text = "int main(void) {\n  int x = 1;\n  return y;\n}\n";
    let version = client.open(&uri("a.i"), text);
    let found = client.diagnostics(&uri("a.i"), version);
    assert_eq!(found[0]["range"]["start"]["line"], 2, "{found:?}");
    client.leave();
}
