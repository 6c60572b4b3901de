//! The server from outside: it answers those who have its address, and nobody else.

mod common;

use std::{
    io::{Read, Write},
    net::TcpStream,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use recurva_explorer::{Document, Exploration, Live, Server};

/// A server, and what its address consists of.
struct Served {
    server: Server,
    live: Live,
    host: String,
    base: String,
}

fn serve() -> Served {
    let live = Live::new(1);
    let server = Server::start(0, live.clone()).unwrap();
    let url = server.url();
    let rest = url.strip_prefix("http://").unwrap();
    let (host, path) = rest.split_once('/').unwrap();
    Served {
        live,
        host: host.to_owned(),
        base: format!("/{path}"),
        server,
    }
}

/// A request as it goes over the wire; the status and all of the answer.
fn ask(host: &str, request: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(host).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let status = answer.split(' ').nth(1).and_then(|code| code.parse().ok());
    (status.unwrap_or(0), answer)
}

impl Served {
    fn send(&self, method: &str, path: &str, headers: &str) -> (u16, String) {
        let host = &self.host;
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\n{headers}Connection: close\r\n\r\n"
        );
        ask(host, &request)
    }

    fn get(&self, name: &str) -> (u16, String) {
        self.send("GET", &format!("{}{name}", self.base), "")
    }
}

fn publish(served: &Served) {
    let document = Document::empty("m.bp", "recurva explore m.bp");
    served.server.publish(&document).unwrap();
    served.live.end();
}

#[test]
fn the_page_comes_with_a_strict_policy() {
    let served = serve();
    let (status, answer) = served.get("");
    assert_eq!(status, 200);
    let head = answer.split("\r\n\r\n").next().unwrap().to_lowercase();
    for line in [
        "content-type: text/html; charset=utf-8",
        "content-security-policy: default-src 'none'; script-src 'sha256-",
        "frame-ancestors 'none'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cache-control: no-store",
        "cross-origin-resource-policy: same-origin",
    ] {
        assert!(head.contains(line), "{line}\n{head}");
    }
    assert!(!head.contains("unsafe-inline") && !head.contains("access-control"));
}

#[test]
fn only_this_machine_is_listened_to() {
    assert!(serve().host.starts_with("127.0.0.1:"));
}

#[test]
fn every_server_has_a_token_of_its_own() {
    let (one, other) = (serve(), serve());
    assert_ne!(one.base, other.base);
    assert_eq!(one.base.len(), 34);
    assert_eq!(one.send("GET", &other.base, "").0, 403);
}

#[test]
fn requests_without_the_token_are_refused() {
    let served = serve();
    publish(&served);
    let token = served.base.trim_matches('/');
    let upper = token.to_uppercase();
    let shorter = &token[..31];
    for path in [
        "/".to_owned(),
        "/document".to_owned(),
        "//".to_owned(),
        format!("/{shorter}/document"),
        format!("/{token}0/document"),
        format!("/x/../{token}/document"),
        format!("/%2e%2e/{token}/document"),
        format!("//{token}/document"),
        format!("/x/{token}/document"),
        format!("/?token={token}"),
        "/favicon.ico".to_owned(),
    ] {
        let (status, answer) = served.send("GET", &path, "");
        assert_eq!(status, 403, "{path}");
        assert!(!answer.contains("m.bp"), "{path}");
    }
    if upper != token {
        let (status, _) = served.send("GET", &format!("/{upper}/document"), "");
        assert_eq!(status, 403);
    }
}

#[test]
fn nothing_else_lies_behind_the_token() {
    let served = serve();
    for path in [
        "../../etc/passwd",
        "..%2f..%2fetc%2fpasswd",
        "%2e%2e/%2e%2e/etc/passwd",
        "document/",
        "document/..",
        "./document",
        "document%00",
        "src/main.rs",
        "/etc/passwd",
    ] {
        let (status, answer) = served.get(path);
        assert_eq!(status, 404, "{path}");
        assert!(answer.contains("there is nothing here"), "{path}");
    }
}

#[test]
fn other_hosts_and_other_pages_are_refused() {
    let served = serve();
    publish(&served);
    let port = served.host.split_once(':').unwrap().1;
    let ask_as = |host: &str, more: &str| {
        let path = format!("{}document", served.base);
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{more}Connection: close\r\n\r\n");
        ask(&served.host, &request).0
    };
    for host in [format!("127.0.0.1:{port}"), format!("localhost:{port}")] {
        assert_eq!(ask_as(&host, ""), 200, "{host}");
        let own = format!("Origin: http://{host}\r\n");
        assert_eq!(ask_as(&host, &own), 200, "{host}");
    }
    for host in [
        "evil.example",
        "127.0.0.1",
        "localhost",
        "127.0.0.1:1",
        "[::1]",
    ] {
        assert_eq!(ask_as(host, ""), 403, "{host}");
    }
    let rebound = format!("evil.example:{port}");
    assert_eq!(ask_as(&rebound, ""), 403);
    for origin in [
        "null".to_owned(),
        "http://evil.example".to_owned(),
        format!("https://{}", served.host),
        format!("http://{}.evil.example", served.host),
        format!("http://evil.example#{}", served.host),
        "file://".to_owned(),
    ] {
        let header = format!("Origin: {origin}\r\n");
        assert_eq!(ask_as(&served.host, &header), 403, "{origin}");
    }
    let twice = format!(
        "Origin: http://{}\r\nOrigin: http://evil.example\r\n",
        served.host
    );
    assert_eq!(ask_as(&served.host, &twice), 403);
    // No host at all, as old clients do.
    let request = format!("GET {}document HTTP/1.0\r\n\r\n", served.base);
    assert_eq!(ask(&served.host, &request).0, 403);
}

#[test]
fn only_the_right_methods_are_answered() {
    let served = serve();
    for (method, name) in [
        ("POST", ""),
        ("POST", "document"),
        ("GET", "stop"),
        ("PUT", "status"),
        ("DELETE", "free"),
        ("OPTIONS", "document"),
    ] {
        let (status, _) = served.send(method, &format!("{}{name}", served.base), "");
        assert_eq!(status, 405, "{method} {name}");
    }
}

#[test]
fn a_check_can_be_watched_and_stopped() {
    let served = serve();
    assert_eq!(served.get("document").0, 202);
    let (status, answer) = served.get("status");
    assert_eq!(status, 200);
    assert!(answer.contains(r#""state":"running""#), "{answer}");
    assert_eq!(served.get("free?picks=i").0, 409);
    assert!(!served.live.is_stopped());
    let stop = format!("{}stop", served.base);
    assert_eq!(served.send("POST", &stop, "Content-Length: 0\r\n").0, 200);
    assert!(served.live.is_stopped());
    publish(&served);
    let (_, answer) = served.get("status");
    assert!(answer.contains(r#""state":"stopped""#), "{answer}");
    assert_eq!(served.get("document").0, 200);
}

#[test]
fn states_are_explored_through_the_server() {
    let text = "void main() begin decl b; b := T; end";
    let model = common::read("m.bp", text);
    let exploration = Exploration::new(&model, &[]);
    let served = serve();
    publish(&served);
    let done = AtomicBool::new(false);
    let (host, base) = (served.host.clone(), served.base.clone());
    let answers = thread::scope(|scope| {
        let client = scope.spawn(|| {
            let get = |name: &str| {
                let request = format!(
                    "GET {base}{name} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
                );
                ask(&host, &request)
            };
            let answers = ["free?picks=i/e0", "free?picks=nowhere", "free"].map(get);
            done.store(true, Ordering::Relaxed);
            answers
        });
        let free = exploration.free();
        served.server.serve(&free, || done.load(Ordering::Relaxed));
        client.join().unwrap()
    });
    let [(status, answer), (wrong, why), (missing, _)] = answers;
    assert_eq!((status, wrong, missing), (200, 422, 400));
    assert!(answer.contains(r#""picks":"i/e0""#), "{answer}");
    assert!(why.contains("no place to begin"), "{why}");
}
