//! Messages over two streams. What is no message is answered with an error, and logged.

use std::{
    io::{self, Read, Write},
    sync::{Arc, Mutex, PoisonError},
    thread::{self, JoinHandle},
};

use crossbeam_channel::{Sender, unbounded};
use lsp_server::{Connection, ErrorCode, Message, Notification};
use lsp_types::{
    LogMessageParams, MessageType,
    notification::{LogMessage, Notification as _},
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::frames::Frames;

/// The threads that read and write.
pub(crate) struct Threads {
    reader: JoinHandle<io::Result<()>>,
    writer: JoinHandle<io::Result<()>>,
}

impl Threads {
    /// Waits until nothing more comes in, and everything is written.
    pub(crate) fn join(self) -> io::Result<()> {
        let ended = |thread: JoinHandle<io::Result<()>>| {
            let died = |_| Err(io::Error::other("a thread died"));
            thread.join().unwrap_or_else(died)
        };
        ended(self.reader).and(ended(self.writer))
    }
}

/// What is no message.
struct Wrong {
    /// Who is told: the sender of a request, or nobody in particular (`null`).
    id: Option<Value>,
    code: ErrorCode,
    text: String,
}

/// Starts to read and to write.
pub(crate) fn start(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<(Connection, Threads)> {
    let output = Arc::new(Mutex::new(output));
    let (sender, outbox) = unbounded::<Message>();
    let (inbox, receiver) = unbounded();
    let shared = Arc::clone(&output);
    let spawn = |name: &str| thread::Builder::new().name(name.to_owned());
    let writer = spawn("recurva-lsp writer").spawn(move || {
        let mut messages = outbox.into_iter();
        messages.try_for_each(|message| write(&shared, &message))
    })?;
    let reader = spawn("recurva-lsp input").spawn(move || listen(input, &inbox, &output))?;
    Ok((Connection { sender, receiver }, Threads { reader, writer }))
}

fn write(output: &Mutex<impl Write>, message: &Message) -> io::Result<()> {
    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
    message.write(&mut *output)
}

/// Reads until the client leaves.
fn listen(input: impl Read, inbox: &Sender<Message>, output: &Mutex<impl Write>) -> io::Result<()> {
    let mut frames = Frames::new(input);
    while let Some(body) = frames.next()? {
        let body = body.map_err(|text| Wrong {
            id: Some(Value::Null),
            code: ErrorCode::ParseError,
            text,
        });
        match body.and_then(message) {
            Ok(message) => {
                let is_exit = matches!(&message, Message::Notification(it) if it.method == "exit");
                if inbox.send(message).is_err() || is_exit {
                    return Ok(());
                }
            }
            Err(wrong) => complain(output, wrong)?,
        }
    }
    Ok(())
}

/// Tells the client what is wrong.
fn complain(output: &Mutex<impl Write>, wrong: Wrong) -> io::Result<()> {
    let log = LogMessageParams {
        typ: MessageType::WARNING,
        message: wrong.text.clone(),
    };
    if let Some(id) = wrong.id {
        // By hand: responses of the library have no `null`.
        let error = json!({ "code": wrong.code as i32, "message": wrong.text });
        let text = json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string();
        let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
        write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        output.flush()?;
    }
    let log = Notification::new(LogMessage::METHOD.to_owned(), log);
    write(output, &log.into())
}

/// A message. What has a number and a method is a request, and what has a method a notification.
fn message(value: Value) -> Result<Message, Wrong> {
    let field = |name: &str| value.get(name).cloned();
    let (id, method) = (field("id"), field("method"));
    let is_response = method.is_none() && (value.get("result").or(value.get("error"))).is_some();
    let read = match (&id, &method) {
        (Some(_), Some(_)) => parse(value).map(Message::Request),
        (None, Some(_)) => parse(value).map(Message::Notification),
        _ if is_response => parse(value).map(Message::Response),
        _ => Err("it has no method".to_owned()),
    };
    read.map_err(|cause| Wrong {
        // A response is never answered.
        id: (!is_response).then(|| {
            let known = id.filter(|id| id.is_string() || id.is_number());
            known.unwrap_or(Value::Null)
        }),
        code: ErrorCode::InvalidRequest,
        text: format!("this is no message of the protocol: {cause}"),
    })
}

fn parse<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    serde_json::from_value(value).map_err(|cause| cause.to_string())
}
