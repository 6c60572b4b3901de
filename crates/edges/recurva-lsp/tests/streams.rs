//! A client that speaks over pipes, and not always the protocol.

use std::{
    io::{self, BufRead, BufReader, PipeReader, PipeWriter, Read, Write},
    thread::JoinHandle,
};

use recurva_lsp::End;
use serde_json::{Value, json};

struct Client {
    input: PipeWriter,
    output: BufReader<PipeReader>,
    server: JoinHandle<io::Result<End>>,
    next: i32,
}

fn frame(body: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

impl Client {
    fn new() -> Self {
        let (from_client, input) = io::pipe().unwrap();
        let (output, to_client) = io::pipe().unwrap();
        let server = std::thread::spawn(|| recurva_lsp::serve_streams(from_client, to_client));
        let mut client = Client {
            input,
            output: BufReader::new(output),
            server,
            next: 0,
        };
        let answer = client.ask("initialize", &json!({ "capabilities": {} }));
        assert!(answer["result"].is_object());
        client
    }

    fn send(&mut self, bytes: &[u8]) {
        self.input.write_all(bytes).unwrap();
    }

    /// The next message of the server.
    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        let length = line.strip_prefix("Content-Length: ").unwrap();
        let mut body = vec![0; length.trim().parse().unwrap()];
        self.output.read_line(&mut line).unwrap();
        self.output.read_exact(&mut body).unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    /// The answer to a request. Nothing else may come.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let message =
            json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params });
        self.send(frame(&message.to_string()).as_bytes());
        let answer = self.hear();
        assert_eq!(answer["id"], json!(self.next), "{answer}");
        answer
    }

    /// Says something wrong: the code and the number of the answer. It is logged as well.
    fn wrong(&mut self, bytes: &[u8]) -> (Value, Value) {
        self.send(bytes);
        let answer = self.hear();
        self.logged();
        (answer["error"]["code"].clone(), answer["id"].clone())
    }

    fn logged(&mut self) {
        let log = self.hear();
        assert_eq!(log["method"], "window/logMessage", "{log}");
        assert!(!log["params"]["message"].as_str().unwrap().is_empty());
    }

    /// Whether the server is there: a request that it does not know.
    fn is_there(&mut self) {
        let answer = self.ask("no/such/method", &json!({}));
        assert_eq!(answer["error"]["code"], -32601);
    }

    fn leave(mut self) {
        assert_eq!(self.ask("shutdown", &Value::Null)["result"], Value::Null);
        self.send(frame(&json!({ "jsonrpc": "2.0", "method": "exit" }).to_string()).as_bytes());
        assert_eq!(self.server.join().unwrap().unwrap(), End::Asked);
    }
}

#[test]
fn bodies_that_are_no_messages() {
    let mut client = Client::new();
    for (body, code, id) in [
        ("{", -32700, json!(null)),
        ("", -32700, json!(null)),
        ("hello", -32700, json!(null)),
        ("{\"id\": 1} x", -32700, json!(null)),
        ("7", -32600, json!(null)),
        ("null", -32600, json!(null)),
        ("[]", -32600, json!(null)),
        (
            "[{\"id\": 1, \"method\": \"shutdown\"}]",
            -32600,
            json!(null),
        ),
        ("{}", -32600, json!(null)),
        ("{\"id\": 70}", -32600, json!(70)),
        ("{\"id\": 71, \"method\": 5}", -32600, json!(71)),
        ("{\"id\": \"x\", \"method\": null}", -32600, json!("x")),
        (
            "{\"id\": null, \"method\": \"shutdown\"}",
            -32600,
            json!(null),
        ),
        (
            "{\"id\": 1.5, \"method\": \"shutdown\"}",
            -32600,
            json!(1.5),
        ),
        (
            "{\"id\": 5000000000, \"method\": \"shutdown\"}",
            -32600,
            json!(5_000_000_000u64),
        ),
        (
            "{\"id\": {}, \"method\": \"shutdown\"}",
            -32600,
            json!(null),
        ),
        ("{\"method\": {}}", -32600, json!(null)),
    ] {
        let answer = client.wrong(frame(body).as_bytes());
        assert_eq!(answer, (json!(code), id), "{body}");
        client.is_there();
    }
    let answer = client.wrong(b"Content-Length: 4\r\n\r\n\"\xff\xfe\"");
    assert_eq!(answer, (json!(-32700), json!(null)));
    let deep = frame(&"[".repeat(100_000));
    assert_eq!(client.wrong(deep.as_bytes()).0, -32700);
    client.is_there();
    client.leave();
}

/// A response is never answered, however wrong it is.
#[test]
fn responses_that_make_no_sense() {
    let mut client = Client::new();
    client.send(frame("{\"id\": 9, \"result\": 1}").as_bytes());
    client.is_there();
    for body in [
        "{\"id\": null, \"error\": { \"code\": 1, \"message\": \"\" }}",
        "{\"id\": [], \"result\": 1}",
        "{\"result\": 1}",
    ] {
        client.send(frame(body).as_bytes());
        client.logged();
        client.is_there();
    }
    client.leave();
}

#[test]
fn headers_that_are_wrong() {
    let mut client = Client::new();
    let body = "{\"jsonrpc\": \"2.0\", \"method\": \"$/setTrace\", \"params\": {}}";
    let length = body.len();
    // Only the next message shows that something is wrong.
    for wrong in [
        format!("Content-Length: {}\r\n\r\n{body}", length - 3),
        format!("Content-Length: {}\r\n\r\n{body}", length + 3),
        format!("Content-Length: {}\r\n\r\n{body}", length + 1000),
        format!("Content-Length: 99999999999\r\n\r\n{body}"),
        format!("Content-Length: 999999999999999999999999\r\n\r\n{body}"),
        format!("Content-Length: -1\r\n\r\n{body}"),
        format!("Content-Length: {length}\r\n{body}"),
        format!("Content-Size: {length}\r\n\r\n{body}"),
        body.to_owned(),
        "\r\n\r\nhello\r\n\r\n".to_owned(),
    ] {
        client.next += 1;
        let right = json!({ "jsonrpc": "2.0", "id": client.next, "method": "none" });
        let both = format!("{wrong}{}", frame(&right.to_string()));
        let answer = client.wrong(both.as_bytes());
        assert_eq!(answer, (json!(-32700), json!(null)), "{wrong}");
        let answer = client.hear();
        assert_eq!(
            (&answer["id"], &answer["error"]["code"]),
            (&json!(client.next), &json!(-32601)),
            "{wrong}"
        );
        client.is_there();
    }
    client.leave();
}

/// A client that is gone ends the server, even within a message.
#[test]
fn the_end_of_the_input() {
    for last in ["", "Content-Length: 10\r\n\r\n{", "x"] {
        let mut client = Client::new();
        client.send(last.as_bytes());
        let Client {
            input,
            output,
            server,
            ..
        } = client;
        drop(input);
        assert_eq!(server.join().unwrap().unwrap(), End::Gone);
        drop(output);
    }
}

/// Work is done between wrong messages: a document is read and checked.
#[test]
fn a_check_between_wrong_messages() {
    let mut client = Client::new();
    client.wrong(frame("{").as_bytes());
    let uri = "file:///nowhere/a.bp";
    let text = "void main() begin decl b; assert(b); end";
    let item = json!({ "uri": uri, "languageId": "x", "version": 1, "text": text });
    let open = json!({ "method": "textDocument/didOpen", "params": { "textDocument": item } });
    client.send(frame(&open.to_string()).as_bytes());
    let published = client.hear();
    assert_eq!(published["params"]["diagnostics"], json!([]));
    client.wrong(frame("}").as_bytes());
    let params = json!({ "command": "recurva.check", "arguments": [uri] });
    let ask = json!({ "id": "check", "method": "workspace/executeCommand", "params": params });
    client.send(frame(&ask.to_string()).as_bytes());
    let answer = std::iter::repeat_with(|| client.hear()).find(|it| it["id"] == json!("check"));
    assert_eq!(answer.unwrap()["result"]["verdict"], "violated");
    client.leave();
}
