//! `recurva lsp` over its standard streams.

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use serde_json::{Value, json};

struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Server {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_recurva"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Server {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
        }
    }

    fn send(&mut self, message: &str) {
        let input = self.input.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{message}", message.len()).unwrap();
        input.flush().unwrap();
    }

    /// The next message that is wanted.
    fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let mut length = 0;
            loop {
                let mut line = String::new();
                assert!(self.output.read_line(&mut line).unwrap() > 0, "it is gone");
                match line.trim().strip_prefix("Content-Length: ") {
                    Some(number) => length = number.parse().unwrap(),
                    None if line.trim().is_empty() => break,
                    None => {}
                }
            }
            let mut body = vec![0; length];
            self.output.read_exact(&mut body).unwrap();
            let message: Value = serde_json::from_slice(&body).unwrap();
            if wanted(&message) {
                return message;
            }
        }
    }

    fn ask(&mut self, id: u32, method: &str, params: &Value) -> Value {
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.send(&message.to_string());
        self.wait(|it| it["id"] == json!(id))
    }

    fn notify(&mut self, method: &str, params: &Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.send(&message.to_string());
    }

    fn code(mut self) -> Option<i32> {
        drop(self.input.take());
        self.child.wait().unwrap().code()
    }
}

#[test]
fn a_program_is_opened_mended_and_checked() {
    let mut server = Server::start();
    let answer = server.ask(1, "initialize", &json!({ "capabilities": {} }));
    assert_eq!(answer["result"]["serverInfo"]["name"], "recurva");
    server.notify("initialized", &json!({}));
    let uri = "file:///nowhere/x.bp";
    let text = "void main() begin\n  decl b;\n  assert(𝄞);\nend\n";
    let document = json!({ "uri": uri, "languageId": "x", "version": 1, "text": text });
    server.notify("textDocument/didOpen", &json!({ "textDocument": document }));
    let published = server.wait(|it| it["method"] == "textDocument/publishDiagnostics");
    assert!(
        !published["params"]["diagnostics"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    let range = json!({
        "start": { "line": 2, "character": 9 },
        "end": { "line": 2, "character": 11 },
    });
    let params = json!({
        "textDocument": { "uri": uri, "version": 2 },
        "contentChanges": [{ "range": range, "text": "b" }],
    });
    server.notify("textDocument/didChange", &params);
    let published = server.wait(|it| it["params"]["version"] == json!(2));
    assert_eq!(published["params"]["diagnostics"], json!([]));
    let params = json!({ "command": "recurva.check", "arguments": [uri, { "assertion": 0 }] });
    let answer = server.ask(2, "workspace/executeCommand", &params);
    assert_eq!(answer["result"]["verdict"], "violated");
    server.ask(3, "shutdown", &Value::Null);
    server.notify("exit", &Value::Null);
    assert_eq!(server.code(), Some(0));
}

#[test]
fn clients_that_do_not_keep_to_the_protocol() {
    // Gone without a word.
    assert_eq!(Server::start().code(), Some(1));
    let mut server = Server::start();
    server.notify("exit", &Value::Null);
    assert_eq!(server.code(), Some(1));
    // What is no message ends the talk, with an error and not with a panic.
    for text in ["{", "[]", "\"x\"", "\u{0}"] {
        let mut server = Server::start();
        server.send(text);
        let code = server.code();
        assert!(matches!(code, Some(1 | 2)), "{text:?}: {code:?}");
    }
}
