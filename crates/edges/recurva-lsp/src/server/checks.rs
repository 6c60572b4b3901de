//! Checks that the client asks for: started, reported on, answered.

use lsp_server::{ErrorCode, Request};
use lsp_types::{
    ExecuteCommandParams, LogMessageParams, MessageType, NumberOrString, ProgressParams,
    ProgressParamsValue, Url, WorkDoneProgress, WorkDoneProgressBegin,
    WorkDoneProgressCreateParams, WorkDoneProgressEnd, WorkDoneProgressReport,
};
use recurva_check::Verdict;
use serde_json::{Value, json};

use super::{Server, answers::parse};
use crate::{
    ask::{Ask, COMMAND},
    check::{Order, Outcome},
    running::{Event, Running},
};

impl Server<'_> {
    /// Starts a check.
    pub(super) fn execute(&mut self, request: Request) {
        if let Err(error) = self.try_execute(&request) {
            self.reply(request.id, Err(error));
        }
    }

    fn try_execute(&mut self, request: &Request) -> Result<(), (ErrorCode, String)> {
        let params: ExecuteCommandParams = parse(request.params.clone())?;
        let wrong = |text: String| (ErrorCode::InvalidParams, text);
        if params.command != COMMAND {
            return Err(wrong(format!("there is no command `{}`", params.command)));
        }
        let key = json!(params.arguments).to_string();
        let mut arguments = params.arguments.into_iter();
        let model = arguments.next();
        let model = model.ok_or_else(|| wrong("which model is to be checked?".to_owned()))?;
        let model: Url = parse(model)?;
        let ask: Ask = match arguments.next() {
            Some(ask) => parse(ask)?,
            None => Ask::default(),
        };
        let content = |uri: &Url| {
            let content = self.content(uri);
            content.ok_or_else(|| wrong(format!("{uri} is no file")))
        };
        let spec = match &ask.spec {
            Some(uri) => Some((uri.clone(), content(uri)?)),
            None => None,
        };
        let revision = |uri: &Url| self.documents.get(uri).map_or(0, |it| it.revision);
        let about = [Some(&model), ask.spec.as_ref()].into_iter().flatten();
        let about: Vec<(Url, u64)> = about.map(|uri| (uri.clone(), revision(uri))).collect();
        let order = Order {
            model: (model.clone(), content(&model)?),
            spec,
            ask,
            limits: self.limits,
            encoding: self.encoding,
        };
        let given = params.work_done_progress_params.work_done_token;
        let token = given.or_else(|| self.make_token());
        if let Some(token) = &token {
            let begin = WorkDoneProgressBegin {
                title: format!("recurva checks {}", crate::text::name(&model)),
                cancellable: Some(true),
                ..WorkDoneProgressBegin::default()
            };
            self.progress(token, WorkDoneProgress::Begin(begin));
        }
        let whose = (request.id.clone(), token);
        let started = self.checks.start(order, whose, about, key);
        started.map_err(|cause| (ErrorCode::InternalError, cause.to_string()))
    }

    /// A name for progress that the client did not ask for.
    fn make_token(&self) -> Option<NumberOrString> {
        if !self.shows_progress {
            return None;
        }
        let name = format!("recurva/check/{}", self.checks.next());
        let token = NumberOrString::String(name.clone());
        let params = WorkDoneProgressCreateParams {
            token: token.clone(),
        };
        let method = "window/workDoneProgress/create".to_owned();
        self.send(Request::new(name.into(), method, params));
        Some(token)
    }

    fn progress(&self, token: &NumberOrString, value: WorkDoneProgress) {
        self.notify::<lsp_types::notification::Progress>(ProgressParams {
            token: token.clone(),
            value: ProgressParamsValue::WorkDone(value),
        });
    }

    /// A check has something to say.
    pub(super) fn event(&mut self, number: u64, event: Event) {
        let result = match event {
            Event::Done(result) => result,
            Event::Progress(text) => {
                let running = self.checks.running.get(&number);
                if let Some(token) = running.and_then(|it| it.token.as_ref()) {
                    let report = WorkDoneProgressReport {
                        message: Some(text),
                        cancellable: Some(true),
                        ..WorkDoneProgressReport::default()
                    };
                    self.progress(token, WorkDoneProgress::Report(report));
                }
                return;
            }
        };
        let Some(running) = self.checks.running.remove(&number) else {
            return;
        };
        let answer = match result {
            _ if running.is_cancelled() => Err((
                ErrorCode::RequestCanceled,
                "the check was cancelled".to_owned(),
            )),
            Err(text) => {
                self.show(MessageType::ERROR, text.clone());
                Err((ErrorCode::RequestFailed, text))
            }
            Ok(outcome) => Ok(self.answered(&running, &outcome)),
        };
        if let Some(token) = &running.token {
            let message = match &answer {
                Ok(value) => value["verdict"].as_str().map(str::to_owned),
                Err((_, text)) => Some(text.clone()),
            };
            self.progress(
                token,
                WorkDoneProgress::End(WorkDoneProgressEnd { message }),
            );
        }
        self.reply(running.request, answer);
    }

    /// Shows an answer; what the client is told.
    fn answered(&mut self, running: &Running, outcome: &Outcome) -> Value {
        let typ = match outcome.verdict {
            Verdict::Holds => MessageType::INFO,
            Verdict::Violated => MessageType::ERROR,
            Verdict::Unknown(_) => MessageType::WARNING,
        };
        self.notify::<lsp_types::notification::LogMessage>(LogMessageParams {
            typ: MessageType::LOG,
            message: outcome.report.clone(),
        });
        self.show(typ, outcome.summary.clone());
        // Places of a text that has been changed meanwhile are wrong.
        let is_current = running.about.iter().all(|(uri, revision)| {
            self.documents.get(uri).map_or(0, |it| it.revision) == *revision
        });
        if is_current {
            let changed = self.checks.keep(running, outcome);
            self.publish_all(changed);
        }
        json!({
            "verdict": outcome.verdict.word(),
            "message": outcome.summary,
            "report": outcome.report,
        })
    }
}
