//! The thread that talks to the client.

mod answers;
mod checks;
mod settings;

use std::{collections::HashMap, io, ops::ControlFlow, sync::Arc};

use crossbeam_channel::{Receiver, Sender, TryRecvError, select};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{
    CancelParams, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, InitializeParams, InitializeResult,
    LogMessageParams, MessageType, NumberOrString, PublishDiagnosticsParams, ServerInfo,
    ShowMessageParams, Url, WorkDoneProgressCancelParams,
};
use recurva_check::{Language, Limits};
use serde::Serialize;
use serde_json::Value;

use crate::{
    analysis::{Analysis, Job},
    document::Document,
    features::Features,
    models::model_of,
    position::Encoding,
    running::Checks,
    text::{Content, language},
    worker::{self, Done},
};
use answers::{METHODS, answer, capabilities, document_of, parse, unknown_method, value};
use settings::Settings;

/// How a client left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It asked for a shutdown first, as it should.
    Asked,
    /// It was gone.
    Gone,
}

/// How far the client is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    New,
    Running,
    Leaving,
}

/// An open document and what is known of it.
struct Open {
    document: Document,
    /// Counts what may change what is known: its own changes, and those of its model.
    revision: u64,
    /// The newest revision that has been read, or is beyond reading.
    read: u64,
    analysis: Option<Arc<Analysis>>,
}

impl Open {
    fn is_read(&self) -> bool {
        self.read == self.revision
    }
}

pub(crate) struct Server<'c> {
    connection: &'c Connection,
    stage: Stage,
    encoding: Encoding,
    limits: Limits,
    /// Whether the client shows progress that it did not ask for.
    shows_progress: bool,
    documents: HashMap<Url, Open>,
    /// Requests that wait for a document to be read.
    waiting: Vec<(Url, Request)>,
    jobs: Sender<Job>,
    results: Receiver<Done>,
    /// Whether the reader has something to do.
    reading: bool,
    checks: Checks,
    next_revision: u64,
}

type Answered = Result<Value, (ErrorCode, String)>;

impl<'c> Server<'c> {
    pub(crate) fn new(connection: &'c Connection) -> io::Result<Self> {
        let (jobs, results) = worker::start()?;
        Ok(Server {
            connection,
            stage: Stage::New,
            encoding: Encoding::default(),
            limits: Limits::default(),
            shows_progress: false,
            documents: HashMap::new(),
            waiting: Vec::new(),
            jobs,
            results,
            reading: false,
            checks: Checks::new(),
            next_revision: 0,
        })
    }

    pub(crate) fn run(mut self) -> io::Result<End> {
        let end = loop {
            // All that the client has said comes first: no version is read that it has replaced
            // already.
            match self.connection.receiver.try_recv() {
                Ok(message) => match self.message(message) {
                    ControlFlow::Continue(()) => continue,
                    ControlFlow::Break(end) => break end,
                },
                Err(TryRecvError::Disconnected) => break End::Gone,
                Err(TryRecvError::Empty) => {}
            }
            self.dispatch();
            let connection = self.connection;
            select! {
                recv(connection.receiver) -> message => {
                    let Ok(message) = message else { break End::Gone };
                    if let ControlFlow::Break(end) = self.message(message) {
                        break end;
                    }
                }
                recv(self.results) -> done => {
                    let Ok(done) = done else { break End::Gone };
                    self.done(done);
                }
                recv(self.checks.events) -> event => {
                    if let Ok((number, event)) = event {
                        self.event(number, event);
                    }
                }
            }
        };
        self.checks.cancel_all();
        Ok(end)
    }

    fn send(&self, message: impl Into<Message>) {
        // A client that is gone is noticed where messages come in.
        let _ = self.connection.sender.send(message.into());
    }

    fn notify<N: lsp_types::notification::Notification>(&self, params: N::Params)
    where
        N::Params: Serialize,
    {
        self.send(Notification::new(N::METHOD.to_owned(), params));
    }

    fn reply(&self, id: RequestId, answer: Answered) {
        self.send(match answer {
            Ok(value) => Response::new_ok(id, value),
            Err((code, text)) => Response::new_err(id, code as i32, text),
        });
    }

    fn message(&mut self, message: Message) -> ControlFlow<End> {
        match message {
            Message::Request(request) => self.request(request),
            Message::Notification(notification) => return self.notification(notification),
            // We only ask whether progress may be shown, and go on either way.
            Message::Response(_) => {}
        }
        ControlFlow::Continue(())
    }

    fn request(&mut self, request: Request) {
        let error = match (self.stage, &*request.method) {
            (Stage::New, "initialize") => {
                let answer = self.initialize(request.params);
                return self.reply(request.id, answer);
            }
            (Stage::New, _) => (
                ErrorCode::ServerNotInitialized,
                "the server has not been initialized",
            ),
            (Stage::Running, "initialize") => {
                (ErrorCode::InvalidRequest, "the server is initialized")
            }
            (Stage::Running, "shutdown") => {
                self.stage = Stage::Leaving;
                self.checks.cancel_all();
                for (_, waiting) in std::mem::take(&mut self.waiting) {
                    let left = (ErrorCode::RequestCanceled, "the client leaves".to_owned());
                    self.reply(waiting.id, Err(left));
                }
                return self.reply(request.id, Ok(Value::Null));
            }
            (Stage::Running, "workspace/executeCommand") => return self.execute(request),
            (Stage::Running, _) => return self.ask(request),
            (Stage::Leaving, _) => (ErrorCode::InvalidRequest, "the client was to leave"),
        };
        self.reply(request.id, Err((error.0, error.1.to_owned())));
    }

    fn initialize(&mut self, params: Value) -> Answered {
        let params: InitializeParams = parse(params)?;
        let general = params.capabilities.general.as_ref();
        let offered = general.and_then(|it| it.position_encodings.as_deref());
        self.encoding = Encoding::offered(offered);
        let window = params.capabilities.window.as_ref();
        self.shows_progress = window.and_then(|it| it.work_done_progress) == Some(true);
        let settings = params.initialization_options.unwrap_or(Value::Null);
        let settings = match settings {
            Value::Null => Settings::default(),
            other => parse(other)?,
        };
        let limits = settings.limits();
        self.limits = limits.map_err(|text| (ErrorCode::InvalidParams, text))?;
        self.stage = Stage::Running;
        let result = InitializeResult {
            capabilities: capabilities(self.encoding),
            server_info: Some(ServerInfo {
                name: "recurva".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
        };
        value(result)
    }

    fn notification(&mut self, notification: Notification) -> ControlFlow<End> {
        let Notification { method, params } = notification;
        if method == "exit" {
            return ControlFlow::Break(match self.stage {
                Stage::Leaving => End::Asked,
                Stage::New | Stage::Running => End::Gone,
            });
        }
        if self.stage != Stage::Running {
            return ControlFlow::Continue(());
        }
        // What cannot be understood is left out: nobody waits for an answer.
        let understood = match &*method {
            "textDocument/didOpen" => parse(params).map(|it| self.open(it)),
            "textDocument/didChange" => parse(params).map(|it| self.change(it)),
            "textDocument/didSave" => {
                parse(params).map(|it: DidSaveTextDocumentParams| self.saved(&it.text_document.uri))
            }
            "textDocument/didClose" => parse(params)
                .map(|it: DidCloseTextDocumentParams| self.close(&it.text_document.uri)),
            // Which files does not matter: few documents are about a model.
            "workspace/didChangeWatchedFiles" => {
                self.models_changed();
                Ok(())
            }
            "$/cancelRequest" => parse(params).map(|it: CancelParams| self.cancel(it.id)),
            "window/workDoneProgress/cancel" => parse(params)
                .map(|it: WorkDoneProgressCancelParams| self.checks.cancel_token(&it.token)),
            _ => Ok(()),
        };
        if let Err((_, text)) = understood {
            self.notify::<lsp_types::notification::LogMessage>(LogMessageParams {
                typ: MessageType::WARNING,
                message: format!("{method}: {text}"),
            });
        }
        ControlFlow::Continue(())
    }

    fn open(&mut self, params: DidOpenTextDocumentParams) {
        let item = params.text_document;
        let Some(language) = language(&item.uri) else {
            return;
        };
        let document = Document::new(item.uri.clone(), language, item.version, item.text);
        let open = Open {
            document,
            revision: 0,
            read: 0,
            analysis: None,
        };
        self.documents.insert(item.uri.clone(), open);
        self.changed(&item.uri);
    }

    fn change(&mut self, params: DidChangeTextDocumentParams) {
        let (uri, version) = (params.text_document.uri, params.text_document.version);
        if let Some(open) = self.documents.get_mut(&uri) {
            let encoding = self.encoding;
            open.document
                .change(version, params.content_changes, encoding);
            self.changed(&uri);
        }
    }

    /// A file on the disk has changed: documents that are not open may be models of others.
    fn saved(&mut self, uri: &Url) {
        if !self.documents.contains_key(uri) {
            self.models_changed();
        }
    }

    fn close(&mut self, uri: &Url) {
        if self.documents.remove(uri).is_none() {
            return;
        }
        let (gone, stay) = std::mem::take(&mut self.waiting)
            .into_iter()
            .partition(|(of, _)| of == uri);
        self.waiting = stay;
        let gone: Vec<(Url, Request)> = gone;
        for (_, request) in gone {
            let closed = (
                ErrorCode::ContentModified,
                "the document is closed".to_owned(),
            );
            self.reply(request.id, Err(closed));
        }
        let mut changed = self.checks.forget(uri);
        changed.push(uri.clone());
        self.publish_all(changed);
        if language(uri).is_some_and(is_model) {
            self.models_changed();
        }
    }

    fn cancel(&mut self, id: NumberOrString) {
        let id = match id {
            NumberOrString::Number(number) => RequestId::from(number),
            NumberOrString::String(text) => RequestId::from(text),
        };
        if self.checks.cancel_request(&id) {
            return;
        }
        if let Some(at) = self.waiting.iter().position(|(_, it)| it.id == id) {
            let (_, request) = self.waiting.remove(at);
            let text = "the request was cancelled".to_owned();
            self.reply(request.id, Err((ErrorCode::RequestCanceled, text)));
        }
    }

    fn revise(&mut self) -> u64 {
        self.next_revision += 1;
        self.next_revision
    }

    /// A document has another text.
    fn changed(&mut self, uri: &Url) {
        let revision = self.revise();
        let Some(open) = self.documents.get_mut(uri) else {
            return;
        };
        open.revision = revision;
        let is_model = is_model(open.document.language);
        let forgotten = self.checks.forget(uri);
        // This one is published when it has been read.
        self.publish_all(forgotten.into_iter().filter(|it| it != uri).collect());
        if is_model {
            self.models_changed();
        }
    }

    /// Documents about models have to be read again.
    fn models_changed(&mut self) {
        let revision = self.revise();
        let documents = self.documents.values_mut();
        for open in documents.filter(|it| !is_model(it.document.language)) {
            open.revision = revision;
        }
        let documents = &self.documents;
        let changed = self.checks.forget_closed(|uri| documents.contains_key(uri));
        self.publish_all(changed);
    }

    /// Gives the reader a document that has not been read, if it has nothing to do. The one that
    /// was changed first comes first.
    fn dispatch(&mut self) {
        if self.reading {
            return;
        }
        let unread = self.documents.values().filter(|it| !it.is_read());
        let Some(open) = unread.min_by_key(|it| (it.revision, it.document.uri.clone())) else {
            return;
        };
        let document = &open.document;
        let model = match is_model(document.language) {
            true => None,
            false => self.model(document),
        };
        let job = Job {
            uri: document.uri.clone(),
            language: document.language,
            revision: open.revision,
            version: document.version,
            text: document.text().to_owned(),
            model,
        };
        self.reading = self.jobs.send(job).is_ok();
    }

    /// The model that a document is about.
    fn model(&self, document: &Document) -> Option<(Url, Content)> {
        let open: Vec<&Url> = self.documents.keys().collect();
        let uri = model_of(&document.uri, document.text(), &open)?;
        let content = self.content(&uri)?;
        Some((uri, content))
    }

    /// Where the newest text of a document is.
    fn content(&self, uri: &Url) -> Option<Content> {
        match self.documents.get(uri) {
            Some(open) => Some(Content::Open(open.document.text().to_owned())),
            None => uri.to_file_path().ok().map(Content::File),
        }
    }

    /// A document has been read.
    fn done(&mut self, done: Done) {
        self.reading = false;
        let Some(open) = self.documents.get_mut(&done.uri) else {
            return;
        };
        if open.revision != done.revision {
            return;
        }
        open.read = done.revision;
        match done.result {
            Ok(analysis) => open.analysis = Some(Arc::new(analysis)),
            Err(text) => {
                open.analysis = None;
                self.show(MessageType::ERROR, text);
            }
        }
        self.publish(&done.uri);
        let (ready, waiting) = std::mem::take(&mut self.waiting)
            .into_iter()
            .partition(|(of, _)| *of == done.uri);
        self.waiting = waiting;
        let ready: Vec<(Url, Request)> = ready;
        for (_, request) in ready {
            self.ask(request);
        }
    }

    fn publish_all(&self, uris: Vec<Url>) {
        for uri in uris {
            self.publish(&uri);
        }
    }

    /// Publishes all messages about a document.
    fn publish(&self, uri: &Url) {
        let open = self.documents.get(uri);
        let analysis = open.and_then(|it| it.analysis.as_ref());
        let mut diagnostics =
            analysis.map_or_else(Vec::new, |analysis| analysis.published(self.encoding));
        diagnostics.extend(self.checks.found(uri));
        let version = analysis.map(|it| it.version);
        self.notify::<lsp_types::notification::PublishDiagnostics>(PublishDiagnosticsParams {
            uri: uri.clone(),
            diagnostics,
            version,
        });
    }

    fn show(&self, typ: MessageType, message: String) {
        self.notify::<lsp_types::notification::ShowMessage>(ShowMessageParams { typ, message });
    }

    /// Answers a question about a document when it has been read.
    fn ask(&mut self, request: Request) {
        let Some(uri) = document_of(&request.params) else {
            let answer = match METHODS.contains(&&*request.method) {
                true => (ErrorCode::InvalidParams, "which document?".to_owned()),
                false => unknown_method(&request.method),
            };
            return self.reply(request.id, Err(answer));
        };
        if !METHODS.contains(&&*request.method) {
            return self.reply(request.id, Err(unknown_method(&request.method)));
        }
        let Some(open) = self.documents.get(&uri) else {
            return self.reply(request.id, Ok(Value::Null));
        };
        if !open.is_read() {
            self.waiting.push((uri, request));
            return;
        }
        let Some(analysis) = &open.analysis else {
            return self.reply(request.id, Ok(Value::Null));
        };
        let features = Features {
            analysis,
            encoding: self.encoding,
        };
        let answer = answer(&features, &request.method, request.params);
        self.reply(request.id, answer);
    }
}

/// Whether other documents can be about it.
fn is_model(language: Language) -> bool {
    matches!(language, Language::Model(_))
}
