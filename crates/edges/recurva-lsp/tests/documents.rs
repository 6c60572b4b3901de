//! Documents that are opened, edited and asked about.

mod client;

use client::{Client, example, range, uri};
use serde_json::{Value, json};

#[test]
fn a_wrong_program_is_mended_by_an_edit() {
    let mut client = Client::new();
    let uri = uri("lock.bp");
    // Characters of one, two and four bytes before the mistake: one, one and two units of UTF-16.
    let text = "decl lock;\nvoid main() begin\n  /* äö𝄞𝄞 */ lok := T;\nend\n";
    let version = client.open(&uri, text);
    let diagnostics = client.diagnostics(&uri, version);
    assert_eq!(diagnostics.len(), 1);
    let error = &diagnostics[0];
    assert_eq!(range(&error["range"]), [[2, 15], [2, 18]]);
    assert_eq!(error["severity"], 1);
    assert_eq!(error["source"], "recurva");
    let message = error["message"].as_str().unwrap();
    assert_eq!(
        message,
        "there is no variable `lok`\nnot declared\nhelp: did you mean `lock`?"
    );

    // The quick fix, taken by hand.
    let params = json!({
        "textDocument": { "uri": uri },
        "range": error["range"],
        "context": { "diagnostics": [] },
    });
    let actions = client.ask("textDocument/codeAction", params).unwrap();
    assert_eq!(actions[0]["title"], "write `lock`");
    assert_eq!(actions[0]["kind"], "quickfix");
    let edit = &actions[0]["edit"]["changes"][uri.as_str()][0];
    assert_eq!(range(&edit["range"]), [[2, 15], [2, 18]]);
    let version = client.edit(&uri, [[2, 17], [2, 18]], "ck");
    assert_eq!(client.diagnostics(&uri, version), [] as [Value; 0]);

    // Break it again before the comment, with an astral character in the edit itself.
    let version = client.edit(&uri, [[0, 5], [0, 9]], "/*𝄞*/ key");
    let diagnostics = client.diagnostics(&uri, version);
    assert_eq!(range(&diagnostics[0]["range"]), [[2, 15], [2, 19]]);
    let version = client.edit(&uri, [[0, 12], [0, 15]], "lock");
    assert_eq!(client.diagnostics(&uri, version), [] as [Value; 0]);
    client.leave();
}

#[test]
fn columns_are_bytes_if_the_client_counts_so() {
    let general = json!({ "positionEncodings": ["utf-16", "utf-8"] });
    let mut client = Client::raw();
    let initialize = json!({ "capabilities": { "general": general } });
    let answer = client.ask("initialize", initialize).unwrap();
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-8");
    let uri = uri("lock.bp");
    let version = client.open(&uri, "void main() begin\n  /* ä𝄞 */ lok := T;\nend\n");
    let diagnostics = client.diagnostics(&uri, version);
    assert_eq!(range(&diagnostics[0]["range"]), [[1, 15], [1, 18]]);
    let version = client.edit(&uri, [[1, 15], [1, 23]], "skip");
    assert_eq!(client.diagnostics(&uri, version), [] as [Value; 0]);
    client.leave();
}

#[test]
fn related_places_and_warnings() {
    let mut client = Client::new();
    let uri = uri("twice.bp");
    let version = client.open(&uri, "decl x;\ndecl x;\nvoid main() begin\nskip;\nend\n");
    let diagnostics = client.diagnostics(&uri, version);
    let related = &diagnostics[0]["relatedInformation"][0];
    assert_eq!(range(&diagnostics[0]["range"]), [[1, 5], [1, 6]]);
    assert_eq!(range(&related["location"]["range"]), [[0, 5], [0, 6]]);
    assert_eq!(related["message"], "first declared here");
    let version = client.replace(&uri, "decl x;\nvoid main() begin\ndecl x;\nx := T;\nend\n");
    let diagnostics = client.diagnostics(&uri, version);
    assert_eq!(diagnostics[0]["severity"], 2);
    assert_eq!(range(&diagnostics[0]["range"]), [[2, 5], [2, 6]]);
    // A document that is closed has no messages.
    client.notify(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": uri } }),
    );
    let published = client.next("textDocument/publishDiagnostics");
    assert_eq!(published["diagnostics"], json!([]));
    client.leave();
}

const PROGRAM: &str = "\
decl int(8) n, a[4];
int(8), bool next(int(8) x, b) begin
  decl int(8) n;
  n := x + a[0];
  return n, !b;
end
void main() begin
  decl b;
  n, b := next(n, b);
  L: if (b) then goto L; fi
  ERROR: assert(n != 0);
end
";

#[test]
fn names_and_types_of_a_program() {
    let mut client = Client::new();
    let uri = uri("next.bp");
    client.open(&uri, PROGRAM);
    assert!(client.hover(&uri, [0, 12]).contains("int(8) n, global"));
    assert!(
        client
            .hover(&uri, [3, 2])
            .contains("int(8) n, local of next")
    );
    assert!(client.hover(&uri, [3, 11]).contains("int(8) a[4], global"));
    assert!(
        client
            .hover(&uri, [4, 13])
            .contains("bool b, parameter of next")
    );
    let procedure = client.hover(&uri, [8, 11]);
    assert!(
        procedure.contains("int(8), bool next(int(8) x, bool b)"),
        "{procedure}"
    );
    assert!(procedure.contains("3 nodes in the model"), "{procedure}");
    let label = client.hover(&uri, [9, 22]);
    assert!(label.contains("label L of main"), "{label}");
    assert!(
        label.contains("recurva check next.bp --reach main::L"),
        "{label}"
    );
    assert_eq!(client.hover(&uri, [1, 30]), "");

    let mut definition = |place| {
        let found = client.at("textDocument/definition", &uri, place);
        found
            .as_array()
            .unwrap()
            .iter()
            .map(|it| range(&it["range"]))
            .collect::<Vec<_>>()
    };
    assert_eq!(definition([4, 9]), [[[2, 14], [2, 15]]]);
    assert_eq!(definition([8, 15]), [[[0, 12], [0, 13]]]);
    assert_eq!(definition([8, 12]), [[[1, 13], [1, 17]]]);
    assert_eq!(definition([9, 22]), [[[9, 2], [9, 3]]]);
    assert!(definition([9, 12]).is_empty());

    let params = json!({
        "textDocument": { "uri": uri },
        "position": { "line": 0, "character": 12 },
        "context": { "includeDeclaration": true },
    });
    let found = client.ask("textDocument/references", params).unwrap();
    let places: Vec<_> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|it| range(&it["range"]))
        .collect();
    // Not those of the local that hides it.
    let expected = [[0, 12], [8, 2], [8, 15], [10, 16]].map(|[l, c]| [[l, c], [l, c + 1]]);
    assert_eq!(places, expected);
    client.leave();
}

/// The names of an outline, with what is in them.
fn names(outline: &Value) -> Vec<String> {
    let list = outline.as_array().unwrap().iter().map(|it| {
        let name = it["name"].as_str().unwrap();
        match it["children"].is_array() {
            true => format!("{name}({})", names(&it["children"]).join(" ")),
            false => name.to_owned(),
        }
    });
    list.collect()
}

#[test]
fn outlines_and_lenses_of_programs() {
    let mut client = Client::new();
    let uri = uri("next.bp");
    client.open(&uri, PROGRAM);
    let outline = client.about("textDocument/documentSymbol", &uri);
    assert_eq!(
        names(&outline),
        ["n", "a", "next(x b n)", "main(b L ERROR)"]
    );
    assert_eq!(range(&outline[2]["range"]), [[1, 0], [5, 3]]);
    assert_eq!(range(&outline[2]["selectionRange"]), [[1, 13], [1, 17]]);
    let lenses = client.about("textDocument/codeLens", &uri);
    let lenses: Vec<_> = lenses
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (range(&it["range"])[0], it["command"]["arguments"].clone()))
        .collect();
    assert_eq!(
        lenses,
        [
            ([6, 0], json!([uri, {}])),
            ([10, 9], json!([uri, { "assertion": 0 }])),
            ([10, 2], json!([uri, { "label": "main::ERROR" }])),
        ]
    );
    let folding = client.about("textDocument/foldingRange", &uri);
    assert_eq!(folding.as_array().unwrap().len(), 2);
    // While there is an error nothing can be checked, but names are there.
    client.edit(&uri, [[10, 16], [10, 17]], "m");
    assert_eq!(client.about("textDocument/codeLens", &uri), json!([]));
    let outline = client.about("textDocument/documentSymbol", &uri);
    assert_eq!(names(&outline).len(), 4);
    let completion = client.at("textDocument/completion", &uri, [10, 16]);
    let labels: Vec<&str> = completion
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|it| it["label"].as_str())
        .collect();
    assert!(labels.contains(&"n") && labels.contains(&"while") && labels.contains(&"main"));
    assert!(!labels.contains(&"x"), "a parameter of another procedure");
    client.leave();
}

#[test]
fn names_of_remopla() {
    let mut client = Client::new();
    let uri = uri("s.rem");
    let text = "\
define N 3
struct S { int f(2); bool g; };
struct S s; int i(3);
init main;
module void main() {
  bool b;
  b = (E i (0,1) i == N), s.f = 1;
  i = next(i);
}
module int(3) next(int x(3)) { return x + N; }
";
    let version = client.open(&uri, text);
    assert_eq!(client.diagnostics(&uri, version), [] as [Value; 0]);
    assert!(client.hover(&uri, [6, 22]).contains("define N 3"));
    assert!(
        client
            .hover(&uri, [6, 28])
            .contains("int(2) f, field of struct S")
    );
    assert!(client.hover(&uri, [6, 26]).contains("struct S s, global"));
    // The variable of a quantifier is not the global one.
    assert_eq!(client.hover(&uri, [6, 17]), "");
    assert!(client.hover(&uri, [7, 11]).contains("int(3) i, global"));
    assert!(client.hover(&uri, [3, 6]).contains("module void main()"));
    let outline = client.about("textDocument/documentSymbol", &uri);
    let expected = ["N", "S(f g)", "s", "i", "main(b)", "next(x)"];
    assert_eq!(names(&outline), expected);
    client.leave();
}

#[test]
fn names_of_a_system_of_any_size() {
    let mut client = Client::new();
    let uri = uri("token.rmc");
    let text = "\
process { state : idle, token }
initial token idle*
transition pass : idle* token/idle idle/token idle*
bad two : .* token .* token .*
live moves : forall i : G(token[i] -> F idle[i])
";
    let version = client.open(&uri, text);
    assert_eq!(client.diagnostics(&uri, version), [] as [Value; 0]);
    assert!(client.hover(&uri, [0, 12]).contains("state : idle, token"));
    assert!(
        client
            .hover(&uri, [2, 25])
            .contains("token, value of state")
    );
    assert!(client.hover(&uri, [3, 4]).contains("an automaton with"));
    let found = client.at("textDocument/definition", &uri, [3, 14]);
    assert_eq!(range(&found[0]["range"]), [[0, 24], [0, 29]]);
    let outline = client.about("textDocument/documentSymbol", &uri);
    assert_eq!(
        names(&outline),
        ["state(idle token)", "pass", "two", "moves"]
    );
    let lenses = client.about("textDocument/codeLens", &uri);
    let asks: Vec<_> = (0..2)
        .map(|at| &lenses[at]["command"]["arguments"][1]["property"])
        .collect();
    assert_eq!(asks, ["two", "moves"]);
    let version = client.edit(&uri, [[3, 13], [3, 18]], "tokn");
    let diagnostics = client.diagnostics(&uri, version);
    assert_eq!(range(&diagnostics[0]["range"]), [[3, 13], [3, 17]]);
    client.leave();
}

#[test]
fn formulas_and_monitors_know_their_model() {
    let mut client = Client::new();
    let model = uri("lock.bp");
    client.open(
        &model,
        "decl held;\nvoid main() begin\n  acquire: held := T;\nend\n",
    );
    let formulas = uri("lock.ltl");
    let version = client.open(
        &formulas,
        "taken: G(@acquire -> F held)\nwrong: G @acqire\n",
    );
    let diagnostics = client.diagnostics(&formulas, version);
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(range(&diagnostics[0]["range"])[0][0], 1);
    let version = client.edit(&formulas, [[1, 10], [1, 16]], "acquire");
    assert_eq!(client.diagnostics(&formulas, version), [] as [Value; 0]);
    let found = client.at("textDocument/definition", &formulas, [0, 12]);
    assert_eq!(found[0]["uri"], json!(model));
    assert_eq!(range(&found[0]["range"]), [[2, 2], [2, 9]]);
    let found = client.at("textDocument/definition", &formulas, [0, 24]);
    assert_eq!(range(&found[0]["range"]), [[0, 5], [0, 9]]);
    assert!(
        client
            .hover(&formulas, [0, 24])
            .contains("bool held, global")
    );
    assert!(
        client
            .hover(&formulas, [0, 1])
            .contains("an automaton of what violates it has")
    );
    let lenses = client.about("textDocument/codeLens", &formulas);
    let expected = json!([model, { "spec": formulas, "property": "taken" }]);
    assert_eq!(lenses[0]["command"]["arguments"], expected);
    // A change of the model is noticed.
    client.edit(&model, [[2, 2], [2, 9]], "take");
    let lenses = client.about("textDocument/codeLens", &formulas);
    assert_eq!(
        lenses.as_array().unwrap().len(),
        0,
        "what the model does not have cannot be checked"
    );
    client.heard.clear();
    client.edit(&formulas, [[0, 0], [0, 0]], "# x\n");
    client.about("textDocument/codeLens", &formulas);
    let published = client.next("textDocument/publishDiagnostics");
    assert_eq!(published["diagnostics"].as_array().unwrap().len(), 2);

    let monitor = uri("lock.mon");
    let text = "monitor m\n  init a\n  target b\n  a -> b when @take & held\n";
    let version = client.open(&monitor, text);
    assert_eq!(client.diagnostics(&monitor, version), [] as [Value; 0]);
    assert_eq!(
        names(&client.about("textDocument/documentSymbol", &monitor)),
        ["m"]
    );
    let found = client.at("textDocument/definition", &monitor, [3, 16]);
    assert_eq!(range(&found[0]["range"]), [[2, 2], [2, 6]]);

    let branching = uri("lock.ntmu");
    let version = client.open(&branching, "once: AG(held -> EF @take)\nno: EF helt\n");
    let diagnostics = client.diagnostics(&branching, version);
    assert_eq!(range(&diagnostics[0]["range"]), [[1, 7], [1, 11]]);
    client.edit(&branching, [[1, 7], [1, 11]], "held");
    let lenses = client.about("textDocument/codeLens", &branching);
    assert_eq!(lenses.as_array().unwrap().len(), 2);
    client.leave();
}

#[test]
fn a_model_on_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let write = |text: &[u8]| std::fs::write(folder.path().join("m.bp"), text).unwrap();
    let mut client = Client::new();
    let formulas = lsp_types::Url::from_file_path(folder.path().join("m.ltl")).unwrap();
    write(b"void main() begin\n  L: skip;\nend\n");
    let version = client.open(&formulas, "p: F @L\n");
    assert_eq!(client.diagnostics(&formulas, version), [] as [Value; 0]);
    write(b"void main() begin\n  M: skip;\nend\n");
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
    assert_eq!(client.diagnostics(&formulas, version)[0]["severity"], 1);
    // One that cannot be read is a note, not an error of the formulas.
    write(b"void main() begin \xff end\n");
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
    let diagnostics = client.diagnostics(&formulas, version);
    assert_eq!(diagnostics[0]["severity"], 3);
    assert!(
        diagnostics[0]["message"]
            .as_str()
            .unwrap()
            .contains("not UTF-8")
    );
    client.leave();
}

#[test]
fn without_a_model_only_the_form_counts() {
    let mut client = Client::new();
    for (name, text) in [
        ("a.ltl", "p: G(x -> "),
        ("a.caret", "p: G(x -> "),
        ("a.ntmu", "p: EF (x"),
        ("a.pal", "event { pattern { f($?); } guard { "),
    ] {
        let uri = uri(name);
        let version = client.open(&uri, text);
        let severities: Vec<Value> = client
            .diagnostics(&uri, version)
            .iter()
            .map(|it| it["severity"].clone())
            .collect();
        assert!(severities.contains(&json!(1)), "{name}");
        assert!(severities.contains(&json!(3)), "{name}");
    }
    client.leave();
}

#[test]
fn a_monitor_in_pal() {
    let mut client = Client::new();
    let (model, text) = example("pal/visits.bp");
    client.open(&model, &text);
    let monitor = client::uri("rule.pal");
    let text = "\
global int seen = 0;
event first {
  pattern { $? = visit($?); }
  local int old;
  before { guard { seen == 0 } action { old = seen; seen = 1; } }
  after { action { seen = old; } }
}
";
    let _ = client.open(&monitor, text);
    assert!(
        client
            .hover(&monitor, [4, 20])
            .contains("global int seen = 0")
    );
    let found = client.at("textDocument/definition", &monitor, [5, 26]);
    assert_eq!(range(&found[0]["range"]), [[3, 12], [3, 15]]);
    let outline = client.about("textDocument/documentSymbol", &monitor);
    assert_eq!(names(&outline), ["seen", "first(old)"]);
    let found = client.at("textDocument/definition", &monitor, [2, 18]);
    assert_eq!(
        found[0]["uri"],
        json!(model),
        "the procedure that is watched"
    );
    client.leave();
}

#[test]
fn machines_have_diagnostics_too() {
    let mut client = Client::new();
    for (name, text) in [
        ("a.rsm", "nonsense"),
        ("a.pds", "nonsense"),
        ("a.nsm", "nonsense"),
        ("a.nta", "nonsense"),
    ] {
        let uri = uri(name);
        let version = client.open(&uri, text);
        assert!(!client.diagnostics(&uri, version).is_empty(), "{name}");
    }
    let (uri, text) = example("rsm_fig1.rsm");
    let version = client.open(&uri, &text);
    assert_eq!(client.diagnostics(&uri, version), [] as [Value; 0]);
    let lenses = client.about("textDocument/codeLens", &uri);
    assert_eq!(lenses.as_array().unwrap().len(), 1);
    client.leave();
}

/// Properties that make no sense of their model cannot be checked, and it is said why.
#[test]
fn what_makes_no_sense_is_said() {
    let mut client = Client::new();
    let model = uri("s.pds");
    client.open(&model, "(p <a>)\np <a> --> p <b a>\n");
    let formulas = uri("s.caret");
    let version = client.open(&formulas, "c: F_a true\n");
    let diagnostics = client.diagnostics(&formulas, version);
    assert_eq!(diagnostics[0]["severity"], 1, "{diagnostics:?}");
    assert_eq!(client.about("textDocument/codeLens", &formulas), json!([]));
    client.leave();
}

/// However fast somebody types, the last version is read and few of those before it.
#[test]
fn the_newest_version_wins() {
    let mut client = Client::new();
    let uri = uri("long.bp");
    let mut text = String::from("decl x;\nvoid main() begin\n");
    text += &"  x := !x;\n".repeat(100_000);
    text += "end\n";
    client.open(&uri, &text);
    let mut version = 0;
    for turn in 0..200 {
        let name = if turn % 2 == 0 { "y" } else { "x" };
        version = client.edit(&uri, [[500, 2], [500, 3]], name);
    }
    assert_eq!(client.diagnostics(&uri, version), [] as [Value; 0]);
    let published = client.heard.len();
    assert!(published < 20, "{published} versions were published");
    client.leave();
}
