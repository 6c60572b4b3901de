//! The server behind the page: on this machine only, for those who have its address.
//!
//! Every address begins with a random token. A request is refused that has another token, that
//! names another host (a page elsewhere may have its name point to this machine) or that comes
//! from another page. There are no files here to be asked for: five addresses are answered, and
//! nothing else.

use std::{
    io,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    sync::{
        Arc, OnceLock,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread,
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    extract::{Query, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header},
    response::Response,
};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use crate::{document::Document, free::Free, live::Live, page};

/// How often somebody who waits for questions looks whether to go on.
const LOOK: Duration = Duration::from_millis(100);

/// A server that is running. It ends with the process.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    questions: Receiver<FreeQuestion>,
}

#[derive(Debug)]
struct Shared {
    token: String,
    /// The names by which this server may be asked.
    hosts: [String; 2],
    live: Live,
    page: String,
    policy: String,
    /// The document as text, once there is one.
    document: OnceLock<String>,
    questions: Sender<FreeQuestion>,
}

/// Where free exploration wants to go, and who waits for the answer.
#[derive(Debug)]
struct FreeQuestion {
    picks: String,
    answer: oneshot::Sender<Result<String, String>>,
}

impl Server {
    /// Begins to listen, on any free port if that is 0.
    ///
    /// # Errors
    ///
    /// If the port is taken, or the system has no random numbers.
    pub fn start(port: u16, live: Live) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let (sender, questions) = channel();
        let port = address.port();
        let shared = Arc::new(Shared {
            token: token()?,
            hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")],
            live,
            page: page::page(),
            policy: format!("{}; frame-ancestors 'none'", page::policy()),
            document: OnceLock::new(),
            questions: sender,
        });
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let state = Arc::clone(&shared);
        thread::Builder::new()
            .name("explorer".to_owned())
            .spawn(move || {
                runtime.block_on(async {
                    let listener = tokio::net::TcpListener::from_std(listener)?;
                    let router = Router::new().fallback(answer).with_state(state);
                    axum::serve(listener, router).await
                })
            })?;
        Ok(Server {
            address,
            shared,
            questions,
        })
    }

    /// The address of the page.
    pub fn url(&self) -> String {
        format!("http://{}/{}/", self.address, self.shared.token)
    }

    /// Gives out the document from now on.
    ///
    /// # Errors
    ///
    /// Those of the serialisation; a document has none.
    pub fn publish(&self, document: &Document) -> serde_json::Result<()> {
        let text = serde_json::to_string(document)?;
        // Only the first counts: pages have it by then.
        let _ = self.shared.document.set(text);
        Ok(())
    }

    /// Answers questions of free exploration until it is time to stop.
    pub fn serve(&self, free: &Free<'_>, mut stop: impl FnMut() -> bool) {
        while !stop() {
            let question = match self.questions.recv_timeout(LOOK) {
                Ok(question) => question,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            if question.answer.is_closed() {
                continue;
            }
            let answer = free
                .state(&question.picks)
                .map_err(|error| error.to_string())
                .and_then(|state| serde_json::to_string(&state).map_err(|it| it.to_string()));
            // Whoever asked may be gone.
            let _ = question.answer.send(answer);
        }
    }
}

/// 128 random bits.
fn token() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[derive(Deserialize)]
struct FreeQuery {
    picks: String,
}

#[derive(Serialize)]
struct Refusal<'a> {
    error: &'a str,
}

async fn answer(
    State(shared): State<Arc<Shared>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let (status, kind, body) = match shared.allowed(&uri, &headers) {
        Err(refusal) => refused(StatusCode::FORBIDDEN, refusal),
        Ok(path) => shared.answer(&method, path, &uri).await,
    };
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    let policy = HeaderValue::from_str(&shared.policy);
    let always = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (
            header::CONTENT_SECURITY_POLICY,
            policy.unwrap_or(HeaderValue::from_static("default-src 'none'")),
        ),
        (
            header::X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        ),
        (
            header::REFERRER_POLICY,
            HeaderValue::from_static("no-referrer"),
        ),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            HeaderValue::from_static("same-origin"),
        ),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            HeaderValue::from_static("same-origin"),
        ),
    ];
    response.headers_mut().extend(always);
    response
}

const JSON: &str = "application/json";

type Answer = (StatusCode, &'static str, String);

fn refused(status: StatusCode, error: &str) -> Answer {
    let body = serde_json::to_string(&Refusal { error }).unwrap_or_default();
    (status, JSON, body)
}

impl Shared {
    /// The address behind the token, if the request may be answered.
    fn allowed<'u>(&self, uri: &'u Uri, headers: &HeaderMap) -> Result<&'u str, &'static str> {
        let single = |name: HeaderName| {
            let mut values = headers.get_all(name).iter();
            match (values.next(), values.next()) {
                (None, _) => Ok(None),
                (Some(value), None) => value.to_str().map(Some).map_err(|_| ()),
                (Some(_), Some(_)) => Err(()),
            }
        };
        let host = single(header::HOST).ok().flatten();
        if !host.is_some_and(|host| self.hosts.iter().any(|known| known == host)) {
            return Err("this server answers to 127.0.0.1 and localhost only");
        }
        let origin = single(header::ORIGIN);
        let own = |origin: &str| {
            let host = origin.strip_prefix("http://");
            host.is_some_and(|host| self.hosts.iter().any(|known| known == host))
        };
        if !origin.is_ok_and(|origin| origin.is_none_or(own)) {
            return Err("requests from other pages are not answered");
        }
        let rest = uri.path().strip_prefix('/').unwrap_or_default();
        let (token, path) = rest.split_once('/').unwrap_or((rest, "-"));
        match same(token, &self.token) {
            true => Ok(path),
            false => Err("the address lacks its token: use the one that recurva printed"),
        }
    }

    async fn answer(&self, method: &Method, path: &str, uri: &Uri) -> Answer {
        match (method.as_str(), path) {
            ("GET", "") => (
                StatusCode::OK,
                "text/html; charset=utf-8",
                self.page.clone(),
            ),
            ("GET", "document") => match self.document.get() {
                Some(document) => (StatusCode::OK, JSON, document.clone()),
                None => self.status(StatusCode::ACCEPTED),
            },
            ("GET", "status") => self.status(StatusCode::OK),
            ("POST", "stop") => {
                self.live.stop();
                self.status(StatusCode::OK)
            }
            ("GET", "free") => self.free(uri).await,
            (_, "" | "document" | "status" | "stop" | "free") => {
                refused(StatusCode::METHOD_NOT_ALLOWED, "not in this way")
            }
            _ => refused(StatusCode::NOT_FOUND, "there is nothing here"),
        }
    }

    fn status(&self, code: StatusCode) -> Answer {
        let status = serde_json::to_string(&self.live.status()).unwrap_or_default();
        (code, JSON, status)
    }

    async fn free(&self, uri: &Uri) -> Answer {
        let Ok(Query(FreeQuery { picks })) = Query::try_from_uri(uri) else {
            return refused(StatusCode::BAD_REQUEST, "expected free?picks=…");
        };
        if self.document.get().is_none() {
            return refused(StatusCode::CONFLICT, "the check is still running");
        }
        let (answer, wait) = oneshot::channel();
        let asked = self.questions.send(FreeQuestion { picks, answer });
        match (asked, wait.await) {
            (Ok(()), Ok(Ok(state))) => (StatusCode::OK, JSON, state),
            (Ok(()), Ok(Err(error))) => refused(StatusCode::UNPROCESSABLE_ENTITY, &error),
            _ => refused(StatusCode::SERVICE_UNAVAILABLE, "the explorer has ended"),
        }
    }
}

/// Whether two texts are the same, in a time that does not tell how much of them is.
fn same(left: &str, right: &str) -> bool {
    let pairs = left.bytes().zip(right.bytes());
    left.len() == right.len() && pairs.fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}
