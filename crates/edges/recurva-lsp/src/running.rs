//! Checks that are going on, and what finished ones have found.

use std::{
    collections::HashMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use crossbeam_channel::{Receiver, Sender, unbounded};
use lsp_server::RequestId;
use lsp_types::{Diagnostic, DiagnosticSeverity, NumberOrString, Url};

use crate::{
    check::{self, Order, Outcome},
    convert::message,
};

/// A check that is going on.
pub(crate) struct Running {
    /// The request that asked for it.
    pub(crate) request: RequestId,
    /// Where its progress is told.
    pub(crate) token: Option<NumberOrString>,
    /// What it is about, and how often that had been changed when it began.
    pub(crate) about: Vec<(Url, u64)>,
    /// The question, to know when it is asked again.
    pub(crate) key: String,
    cancelled: Arc<AtomicBool>,
}

impl Running {
    pub(crate) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

/// What a check says while it goes on.
pub(crate) enum Event {
    Progress(String),
    Done(Result<Outcome, String>),
}

/// All checks.
pub(crate) struct Checks {
    pub(crate) running: HashMap<u64, Running>,
    pub(crate) events: Receiver<(u64, Event)>,
    sender: Sender<(u64, Event)>,
    next: u64,
    findings: Vec<Found>,
}

/// What a finished check has found.
struct Found {
    key: String,
    uri: Url,
    about: Vec<Url>,
    diagnostic: Diagnostic,
}

impl Checks {
    pub(crate) fn new() -> Self {
        let (sender, events) = unbounded();
        Checks {
            running: HashMap::new(),
            events,
            sender,
            next: 0,
            findings: Vec::new(),
        }
    }

    /// The number of the check that is started next.
    pub(crate) fn next(&self) -> u64 {
        self.next
    }

    /// Starts a check on a thread of its own.
    pub(crate) fn start(
        &mut self,
        order: Order,
        (request, token): (RequestId, Option<NumberOrString>),
        about: Vec<(Url, u64)>,
        key: String,
    ) -> std::io::Result<()> {
        let number = self.next;
        self.next += 1;
        let cancelled = Arc::new(AtomicBool::new(false));
        let (sender, flag) = (self.sender.clone(), Arc::clone(&cancelled));
        let work = move || {
            let progress = sender.clone();
            let mut tell = |text| {
                // Nobody listens when the server is gone.
                let _ = progress.send((number, Event::Progress(text)));
            };
            let result = catch_unwind(AssertUnwindSafe(|| check::run(order, flag, &mut tell)));
            let result = result.unwrap_or_else(|_| Err("internal error".to_owned()));
            let _ = sender.send((number, Event::Done(result)));
        };
        thread::Builder::new()
            .name("recurva-lsp check".to_owned())
            .spawn(work)?;
        let running = Running {
            request,
            token,
            about,
            key,
            cancelled,
        };
        self.running.insert(number, running);
        Ok(())
    }

    /// Cancels what a request asked for; whether it asked for a check.
    pub(crate) fn cancel_request(&self, request: &RequestId) -> bool {
        let mut running = self.running.values();
        let found = running.find(|it| it.request == *request);
        found.inspect(|it| it.cancel()).is_some()
    }

    /// Cancels the check whose progress has a name.
    pub(crate) fn cancel_token(&self, token: &NumberOrString) {
        let mut running = self.running.values();
        if let Some(found) = running.find(|it| it.token.as_ref() == Some(token)) {
            found.cancel();
        }
    }

    pub(crate) fn cancel_all(&self) {
        self.running.values().for_each(Running::cancel);
    }

    /// Forgets what was found about a document; the documents whose messages change.
    pub(crate) fn forget(&mut self, uri: &Url) -> Vec<Url> {
        self.drop_findings(|it| it.about.contains(uri))
    }

    /// Forgets what was found about documents that are not open, which may be other ones now; the
    /// documents whose messages change.
    pub(crate) fn forget_closed(&mut self, is_open: impl Fn(&Url) -> bool) -> Vec<Url> {
        self.drop_findings(|it| !it.about.iter().all(&is_open))
    }

    fn drop_findings(&mut self, drop: impl Fn(&Found) -> bool) -> Vec<Url> {
        let mut changed = Vec::new();
        self.findings.retain(|it| {
            if drop(it) {
                changed.push(it.uri.clone());
                return false;
            }
            true
        });
        changed
    }

    /// Keeps what a check has found instead of what it found last time; the documents whose
    /// messages change.
    pub(crate) fn keep(&mut self, running: &Running, outcome: &Outcome) -> Vec<Url> {
        let mut changed = self.drop_findings(|it| it.key == running.key);
        if let Some(found) = &outcome.finding {
            let uri = found.location.uri.clone();
            let steps = found.steps.clone();
            self.findings.push(Found {
                key: running.key.clone(),
                uri: uri.clone(),
                about: running.about.iter().map(|(uri, _)| uri.clone()).collect(),
                diagnostic: Diagnostic {
                    severity: Some(DiagnosticSeverity::ERROR),
                    related_information: (!steps.is_empty()).then_some(steps),
                    ..message(found.location.range, outcome.summary.clone())
                },
            });
            changed.push(uri);
        }
        changed.sort();
        changed.dedup();
        changed
    }

    /// What checks have found in a document.
    pub(crate) fn found(&self, uri: &Url) -> impl Iterator<Item = Diagnostic> {
        let here = self.findings.iter().filter(move |it| it.uri == *uri);
        here.map(|it| it.diagnostic.clone())
    }
}
