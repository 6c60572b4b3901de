//! The thread that reads documents.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    thread,
};

use crossbeam_channel::{Receiver, Sender, bounded};
use lsp_types::Url;

use crate::analysis::{Analyser, Analysis, Job};

/// What came of a job.
pub(crate) struct Done {
    pub(crate) uri: Url,
    pub(crate) revision: u64,
    pub(crate) result: Result<Analysis, String>,
}

/// Starts the thread. It ends when nobody can give it a job any more.
pub(crate) fn start() -> std::io::Result<(Sender<Job>, Receiver<Done>)> {
    let (jobs, inbox) = bounded::<Job>(1);
    let (outbox, results) = bounded(1);
    let work = move || {
        let mut analyser = Analyser::default();
        for job in inbox {
            let (uri, revision) = (job.uri.clone(), job.revision);
            let result = catch_unwind(AssertUnwindSafe(|| analyser.analyse(job)));
            let result = result.unwrap_or_else(|_| {
                // What it remembered may be half done.
                analyser = Analyser::default();
                Err("internal error: this text cannot be read".to_owned())
            });
            let done = Done {
                uri,
                revision,
                result,
            };
            if outbox.send(done).is_err() {
                return;
            }
        }
    };
    thread::Builder::new()
        .name("recurva-lsp reader".to_owned())
        .spawn(work)?;
    Ok((jobs, results))
}
