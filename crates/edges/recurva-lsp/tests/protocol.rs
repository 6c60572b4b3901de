//! What is no document: the order of messages, and messages that make no sense.

mod client;

use client::{Client, uri};
use recurva_lsp::End;
use serde_json::{Value, json};

#[test]
fn nothing_is_answered_before_initialize() {
    let mut client = Client::raw();
    let (code, _) = client.ask("textDocument/hover", json!({})).unwrap_err();
    assert_eq!(code, -32002);
    client.notify("textDocument/didOpen", json!({ "no": "document" }));
    client
        .ask("initialize", json!({ "capabilities": {} }))
        .unwrap();
    let (code, _) = client
        .ask("initialize", json!({ "capabilities": {} }))
        .unwrap_err();
    assert_eq!(code, -32600);
    client.leave();
}

#[test]
fn exit_without_shutdown() {
    for initialized in [false, true] {
        let mut client = if initialized {
            Client::new()
        } else {
            Client::raw()
        };
        client.notify("exit", Value::Null);
        assert_eq!(client.end(), End::Gone);
    }
}

#[test]
fn nothing_is_answered_behind_shutdown() {
    let mut client = Client::new();
    client.ask("shutdown", Value::Null).unwrap();
    let (code, _) = client.ask("textDocument/hover", json!({})).unwrap_err();
    assert_eq!(code, -32600);
    let (code, _) = client.ask("shutdown", Value::Null).unwrap_err();
    assert_eq!(code, -32600);
    client.notify("exit", Value::Null);
    assert_eq!(client.end(), End::Asked);
}

#[test]
fn messages_that_make_no_sense() {
    let mut client = Client::new();
    let uri = uri("x.bp");
    let document = json!({ "uri": uri });
    for (method, params, expected) in [
        ("no/such/method", json!({}), -32601),
        (
            "textDocument/formatting",
            json!({ "textDocument": document }),
            -32601,
        ),
        ("textDocument/hover", json!({}), -32602),
        ("textDocument/hover", json!([1, 2]), -32602),
        ("textDocument/hover", Value::Null, -32602),
        (
            "textDocument/hover",
            json!({ "textDocument": { "uri": "::" } }),
            -32602,
        ),
        (
            "workspace/executeCommand",
            json!({ "command": "rm" }),
            -32602,
        ),
        (
            "workspace/executeCommand",
            json!({ "command": "recurva.check" }),
            -32602,
        ),
        (
            "workspace/executeCommand",
            json!({ "command": "recurva.check", "arguments": [7] }),
            -32602,
        ),
        (
            "workspace/executeCommand",
            json!({ "command": "recurva.check", "arguments": [uri, { "lable": "L" }] }),
            -32602,
        ),
    ] {
        let (code, _) = client.ask(method, params.clone()).unwrap_err();
        assert_eq!(code, expected, "{method} {params}");
    }
    // A document that is not open, and one that has no language.
    let params = json!({ "textDocument": document, "position": { "line": 0, "character": 0 } });
    assert_eq!(client.ask("textDocument/hover", params), Ok(Value::Null));
    for (method, params) in [
        ("textDocument/didOpen", json!({ "textDocument": 7 })),
        ("textDocument/didChange", json!(null)),
        ("$/cancelRequest", json!({ "id": 99 })),
        ("$/unknown", json!({})),
        ("window/workDoneProgress/cancel", json!({ "token": "none" })),
    ] {
        client.notify(method, params);
    }
    let text = client::uri("notes.txt");
    client.open(&text, "decl");
    client.edit(&text, [[0, 0], [9, 9]], "x");
    let params = json!({ "textDocument": { "uri": text } });
    assert_eq!(client.ask("textDocument/codeLens", params), Ok(Value::Null));
    // An open document, asked for what is wrong in another way.
    client.open(&uri, "void main() begin skip; end");
    let params = json!({ "textDocument": document, "position": "here" });
    let (code, _) = client.ask("textDocument/hover", params).unwrap_err();
    assert_eq!(code, -32602);
    let params = json!({ "textDocument": document, "position": { "line": 99, "character": 99 } });
    assert_eq!(client.ask("textDocument/hover", params), Ok(Value::Null));
    client.leave();
}

#[test]
fn settings_that_make_no_sense() {
    for timeout in [json!("long"), json!(-1)] {
        let mut client = Client::raw();
        let options = json!({ "timeout": timeout });
        let params = json!({ "capabilities": {}, "initializationOptions": options });
        let (code, _) = client.ask("initialize", params).unwrap_err();
        assert_eq!(code, -32602);
        client
            .ask("initialize", json!({ "capabilities": {} }))
            .unwrap();
        client.leave();
    }
}
