//! Checks that are asked for by the lens.

mod client;

use client::{Client, example, range, uri};
use lsp_types::Url;
use serde_json::{Value, json};

/// The command of the lens in a line.
fn lens(client: &mut Client, uri: &Url, line: u64) -> Value {
    let lenses = client.about("textDocument/codeLens", uri);
    let mut lenses = lenses.as_array().unwrap().clone().into_iter();
    let lens = lenses.find(|it| it["range"]["start"]["line"] == json!(line));
    let command = lens.unwrap()["command"].clone();
    json!({ "command": command["command"], "arguments": command["arguments"] })
}

fn check(client: &mut Client, uri: &Url, line: u64) -> Value {
    let params = lens(client, uri, line);
    client.heard.clear();
    client.ask("workspace/executeCommand", params).unwrap()
}

#[test]
fn an_assertion_that_fails() {
    let mut client = Client::new();
    let (uri, text) = example("assert_fails.bp");
    let line = text
        .lines()
        .position(|line| line.contains("assert("))
        .unwrap() as u64;
    client.open(&uri, &text);
    let answer = check(&mut client, &uri, line);
    assert_eq!(answer["verdict"], "violated");
    let shown = client.next("window/showMessage");
    assert_eq!(shown["type"], 1);
    let message = shown["message"].as_str().unwrap();
    let place = format!("(assert_fails.bp:{})", line + 1);
    assert!(
        message.starts_with("violated: assertion fails: ") && message.ends_with(&place),
        "{message}"
    );
    assert!(
        client.next("window/logMessage")["message"]
            .as_str()
            .unwrap()
            .contains("midpoint")
    );
    let published = client.next("textDocument/publishDiagnostics");
    let found = &published["diagnostics"][0];
    assert_eq!(range(&found["range"]), [[line, 2], [line, 31]]);
    let steps = found["relatedInformation"].as_array().unwrap();
    let texts: Vec<&str> = steps
        .iter()
        .filter_map(|it| it["message"].as_str())
        .collect();
    assert_eq!(texts.len(), 3, "{texts:?}");
    assert!(
        texts[1].starts_with("step 2, midpoint is called"),
        "{texts:?}"
    );
    assert_eq!(range(&steps[1]["location"]["range"])[0], [line - 1, 2]);
    // The next edit takes it away: it is about another text.
    let version = client.edit(&uri, [[0, 0], [0, 0]], "// x\n");
    assert_eq!(client.diagnostics(&uri, version), [] as [Value; 0]);
    client.leave();
}

#[test]
fn a_program_that_is_right() {
    let mut client = Client::new();
    let (uri, text) = example("assert_holds.bp");
    let line = text
        .lines()
        .position(|line| line.contains("void main"))
        .unwrap() as u64;
    client.open(&uri, &text);
    assert_eq!(check(&mut client, &uri, line)["verdict"], "holds");
    assert_eq!(client.next("window/showMessage")["type"], 3);
    client.leave();
}

#[test]
fn formulas_and_monitors() {
    let mut client = Client::new();
    let model = uri("m.bp");
    let text = "decl x;\nvoid main() begin\n  x := F;\n  while (T) do L: x := !x; od\nend\n";
    client.open(&model, text);
    let formulas = uri("m.ltl");
    client.open(&formulas, "again: G F x\nnever: F G !x\n");
    assert_eq!(check(&mut client, &formulas, 0)["verdict"], "holds");
    assert_eq!(check(&mut client, &formulas, 1)["verdict"], "violated");
    let published = client.next("textDocument/publishDiagnostics");
    assert_eq!(published["uri"], json!(formulas));
    let found = &published["diagnostics"][0];
    assert_eq!(range(&found["range"]), [[1, 0], [1, 5]]);
    let steps = found["relatedInformation"].as_array().unwrap();
    assert!(steps.iter().all(|it| it["location"]["uri"] == json!(model)));
    assert!(steps.iter().any(|it| {
        it["message"]
            .as_str()
            .unwrap()
            .contains("again and again): x=T")
    }));

    let monitor = uri("m.mon");
    client.open(
        &monitor,
        "monitor on\n  init a\n  target b\n  a -> b when @L & x\n",
    );
    assert_eq!(check(&mut client, &monitor, 0)["verdict"], "violated");
    let branching = uri("m.ntmu");
    client.open(&branching, "on: AG(x -> EF !x)\noff: AG !x\n");
    assert_eq!(check(&mut client, &branching, 0)["verdict"], "holds");
    assert_eq!(check(&mut client, &branching, 1)["verdict"], "violated");
    let published = client.next("textDocument/publishDiagnostics");
    assert_eq!(
        range(&published["diagnostics"][0]["range"]),
        [[1, 0], [1, 3]]
    );
    let caret = uri("m.caret");
    client.open(&caret, "c: G F_a x\n");
    assert_eq!(check(&mut client, &caret, 0)["verdict"], "holds");
    client.leave();
}

#[test]
fn guards_of_a_monitor_in_pal() {
    let mut client = Client::new();
    let model = uri("p.bp");
    client.open(
        &model,
        "void f() begin\n  skip;\nend\nvoid main() begin\n  f();\n  f();\nend\n",
    );
    let monitor = uri("p.pal");
    let text = "\
global int n = 0;
event {
  pattern { f(); }
  guard { n == 0 }
  action { n = 1; }
}
";
    client.open(&monitor, text);
    assert_eq!(check(&mut client, &monitor, 3)["verdict"], "violated");
    let published = client.next("textDocument/publishDiagnostics");
    assert_eq!(published["uri"], json!(monitor));
    assert_eq!(range(&published["diagnostics"][0]["range"])[0][0], 3);
    client.leave();
}

#[test]
fn systems_of_any_size() {
    let mut client = Client::new();
    let uri = uri("token.rmc");
    let text = "\
process { state : idle, token }
initial token idle*
transition pass : idle* token/idle idle/token idle*
transition copy : .* token idle/token .*
bad two : .* token .* token .*
bad none : idle+
";
    client.open(&uri, text);
    assert_eq!(check(&mut client, &uri, 5)["verdict"], "holds");
    assert_eq!(check(&mut client, &uri, 4)["verdict"], "violated");
    let published = client.next("textDocument/publishDiagnostics");
    let found = &published["diagnostics"][0];
    assert_eq!(range(&found["range"]), [[4, 4], [4, 7]]);
    let steps = found["relatedInformation"].as_array().unwrap();
    assert_eq!(steps[1]["message"], "step 1, copy: token token");
    assert_eq!(range(&steps[1]["location"]["range"]), [[3, 11], [3, 15]]);
    client.leave();
}

#[test]
fn automata_and_systems_in_json() {
    let mut client = Client::new();
    let (model, text) = example("gap.nsm");
    client.open(&model, &text);
    let (tree, text) = example("gap.nta");
    client.open(&tree, &text);
    let answer = check(&mut client, &tree, 0);
    assert!(["holds", "violated"].contains(&answer["verdict"].as_str().unwrap()));

    let model = uri("a.bp");
    client.open(
        &model,
        "decl x;\nvoid main() begin\n  while (T) do x := !x; od\nend\n",
    );
    let automaton = uri("a.hoa");
    let text = "\
HOA: v1
/* model: a.bp */
States: 1
Start: 0
AP: 1 \"x\"
acc-name: Buchi
Acceptance: 1 Inf(0)
--BODY--
State: 0
[0] 0 {0}
[!0] 0
--END--
";
    client.open(&automaton, text);
    assert_eq!(check(&mut client, &automaton, 0)["verdict"], "violated");
    let published = client.next("textDocument/publishDiagnostics");
    assert_eq!(published["uri"], json!(automaton));
    let version = client.edit(&automaton, [[4, 7], [4, 8]], "y");
    let diagnostics = client.diagnostics(&automaton, version);
    assert_eq!(diagnostics[0]["severity"], 1, "{diagnostics:?}");
    assert_eq!(client.about("textDocument/codeLens", &automaton), json!([]));

    let system = uri("copy.json");
    let word = |edges: Value, accepting: &str| {
        json!({
            "states": ["p", "q"], "initialState": "p",
            "transitions": edges, "acceptingStates": [accepting],
        })
    };
    let edge = |from: &str, letter: &str, to: &str| json!({ "source": from, "letter": letter, "target": to });
    let text = json!({
        "alphabet": ["a", "b"],
        "initial": word(json!([edge("p", "a", "q")]), "q"),
        "transducer": word(json!([edge("p", "a,b", "q")]), "q"),
        "properties": { "bs": word(json!([edge("p", "b", "q")]), "q") },
    });
    let text = serde_json::to_string_pretty(&text).unwrap();
    let version = client.open(&system, &text);
    assert_eq!(client.diagnostics(&system, version), [] as [Value; 0]);
    let line = text.lines().position(|line| line.contains("\"bs\""));
    let answer = check(&mut client, &system, line.unwrap() as u64);
    assert_eq!(answer["verdict"], "violated");
    // What is known of the other file may be told once more.
    let published = loop {
        let published = client.next("textDocument/publishDiagnostics");
        if published["uri"] == json!(system) {
            break published;
        }
    };
    let found = &published["diagnostics"][0];
    assert_eq!(range(&found["range"])[0][0], line.unwrap() as u64);
    assert_eq!(found["relatedInformation"].as_array().unwrap().len(), 2);
    client.leave();
}

/// What is said in the editor is what every report begins with.
#[test]
fn the_words_of_reports() {
    let mut client = Client::new();
    let uri = uri("a.bp");
    client.open(&uri, "void main() begin\n  decl b;\n  assert(b);\nend\n");
    let answer = check(&mut client, &uri, 2);
    let message = "violated: assertion fails: assert(b) (a.bp:3)";
    assert_eq!(answer["message"], message);
    assert!(answer["report"].as_str().unwrap().starts_with(message));
    assert_eq!(client.next("window/showMessage")["message"], message);
    let published = client.next("textDocument/publishDiagnostics");
    assert_eq!(published["diagnostics"][0]["message"], message);
    client.leave();
}

/// A program whose search takes longer than anybody waits: 2^48 states, and each counts.
fn long() -> String {
    let text =
        "decl int(48) a, b;\nvoid main() begin\n  a := 0; b := *;\n  while (a != b * b + 7) do";
    format!(
        "{text}\n    a := a + (b ^ (a * 5)) % 1021; b := b * 3 + a;\n  od\n  assert(a % 3 = b % 7);\nend\n"
    )
}

#[test]
fn a_long_check_is_cancelled() {
    let window = json!({ "workDoneProgress": true });
    let mut client = Client::with(json!({ "capabilities": { "window": window } }));
    let uri = uri("long.bp");
    client.open(&uri, &long());
    let params = lens(&mut client, &uri, 6);

    let id = client.request("workspace/executeCommand", params.clone());
    let token = client.next("window/workDoneProgress/create")["token"].clone();
    let begin = client.next("$/progress");
    assert_eq!(
        (&begin["token"], &begin["value"]["kind"]),
        (&token, &json!("begin"))
    );
    assert_eq!(client.next("$/progress")["value"]["kind"], "report");
    // Editing goes on meanwhile.
    assert!(client.hover(&uri, [0, 13]).contains("int(48) a, global"));
    client.notify(
        "$/cancelRequest",
        json!({ "id": 2.max(id.to_string().parse().unwrap()) }),
    );
    assert_eq!(client.response(&id).error.unwrap().code, -32800);

    let id = client.request("workspace/executeCommand", params);
    let token = client.next("window/workDoneProgress/create")["token"].clone();
    client.notify("window/workDoneProgress/cancel", json!({ "token": token }));
    assert_eq!(client.response(&id).error.unwrap().code, -32800);
    client.leave();
}

#[test]
fn a_limit_is_an_answer() {
    let options = json!({ "timeout": 0.3 });
    let mut client = Client::with(json!({ "capabilities": {}, "initializationOptions": options }));
    let uri = uri("long.bp");
    client.open(&uri, &long());
    assert_eq!(check(&mut client, &uri, 6)["verdict"], "unknown");
    assert_eq!(client.next("window/showMessage")["type"], 2);
    client.leave();
}

#[test]
fn a_limit_on_memory_is_an_answer() {
    let options = json!({ "memory": 1 });
    let mut client = Client::with(json!({ "capabilities": {}, "initializationOptions": options }));
    let uri = uri("long.bp");
    client.open(&uri, &long());
    let answer = check(&mut client, &uri, 6);
    assert_eq!(answer["verdict"], "unknown");
    let report = answer["report"].as_str().unwrap();
    assert!(report.contains("memory"), "{report}");
    client.leave();
}

#[test]
fn leaving_during_a_check() {
    let mut client = Client::new();
    let uri = uri("long.bp");
    client.open(&uri, &long());
    let params = lens(&mut client, &uri, 6);
    client.request("workspace/executeCommand", params);
    client.leave();
}

#[test]
fn questions_that_cannot_be_asked() {
    let mut client = Client::new();
    let right = uri("a.bp");
    client.open(&right, "void main() begin\n  skip;\nend\n");
    let wrong = uri("b.bp");
    client.open(&wrong, "void main( begin\n");
    for arguments in [
        json!([wrong]),
        json!([right, { "label": "L" }]),
        json!([right, { "assertion": 3 }]),
        json!([uri("gone.bp")]),
        json!([uri("a.txt")]),
        json!([right, { "spec": right, "property": "p" }]),
    ] {
        let params = json!({ "command": "recurva.check", "arguments": arguments });
        let (code, text) = client.ask("workspace/executeCommand", params).unwrap_err();
        assert_eq!(code, -32803, "{text}");
        let shown = client.next("window/showMessage");
        assert_eq!(
            (&shown["type"], shown["message"].as_str()),
            (&json!(1), Some(&*text))
        );
    }
    client.leave();
}
