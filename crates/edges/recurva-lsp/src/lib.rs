//! A language server for Recurva's models and properties.
//!
//! [`serve`] speaks the Language Server Protocol over a [`Connection`]; [`serve_stdio`] does it
//! over the standard input and output. Diagnostics come from the front ends as they are, names
//! from their indices, and checks are carried out by the engines, on threads of their own.
//!
//! - One thread answers the client and never reads a document. Another one reads the newest
//!   version of a document that was changed; what it finds out about a version that has been
//!   replaced is thrown away. A question about a document waits until its newest version has been
//!   read.
//! - A check holds nothing of the server's: it gets the texts and gives back an answer.
//!
//! ```
//! use lsp_server::{Connection, Message, Notification, Request};
//! use serde_json::json;
//!
//! let (server, client) = Connection::memory();
//! let thread = std::thread::spawn(move || recurva_lsp::serve(&server));
//! let ask = |id: i32, method: &str, params| {
//!     let request = Request::new(id.into(), method.to_owned(), params);
//!     client.sender.send(Message::Request(request)).expect("the server listens");
//!     loop {
//!         if let Message::Response(response) = client.receiver.recv().expect("it answers") {
//!             return response;
//!         }
//!     }
//! };
//! let answer = ask(1, "initialize", json!({ "capabilities": {} }));
//! assert!(answer.result.expect("no error")["capabilities"]["hoverProvider"].is_boolean());
//! ask(2, "shutdown", json!(null));
//! let exit = Notification::new("exit".to_owned(), json!(null));
//! client.sender.send(Message::Notification(exit)).expect("the server listens");
//! assert_eq!(thread.join().expect("no panic")?, recurva_lsp::End::Asked);
//! # Ok::<(), std::io::Error>(())
//! ```

mod analysis;
mod ask;
mod check;
mod convert;
mod document;
mod features;
mod frames;
mod models;
mod position;
mod running;
mod server;
mod text;
mod transport;
mod word;
mod worker;

use std::io::{self, Read, Write};

use lsp_server::Connection;

pub use server::End;

/// Serves a client until it leaves.
///
/// # Errors
///
/// If the system has no more threads.
pub fn serve(connection: &Connection) -> io::Result<End> {
    server::Server::new(connection)?.run()
}

/// Serves a client over the standard input and output.
///
/// # Errors
///
/// Those of [`serve_streams`].
pub fn serve_stdio() -> io::Result<End> {
    serve_streams(io::stdin(), io::stdout())
}

/// Serves a client over two streams. What comes in and is no message is answered with an error.
///
/// # Errors
///
/// Those of the streams, or if the system has no more threads.
pub fn serve_streams(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<End> {
    let (connection, threads) = transport::start(input, output)?;
    let end = serve(&connection)?;
    // The threads end when nobody can send any more.
    drop(connection);
    threads.join()?;
    Ok(end)
}
