//! All that is known of one version of a document.

use std::{sync::Arc, time::Duration};

use lsp_types::Url;
use recurva_check::{Document, Format, Language, Limits, Said};

use crate::{
    ask::Ask,
    text::{Content, Text, language},
};

/// A version of a document to be read, and the model it is about.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) uri: Url,
    pub(crate) language: Language,
    /// Numbers the jobs of a document: an answer to an older one is of no use.
    pub(crate) revision: u64,
    /// The version as the client counts.
    pub(crate) version: i32,
    pub(crate) text: String,
    pub(crate) model: Option<(Url, Content)>,
}

/// A text and what is known of it.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) text: Text,
    pub(crate) document: Document,
}

/// What came of a job.
#[derive(Debug)]
pub(crate) struct Analysis {
    pub(crate) version: i32,
    pub(crate) language: Language,
    pub(crate) known: Arc<Known>,
    /// The model that it is about, if it is in another file.
    pub(crate) model: Option<Arc<Known>>,
}

impl Analysis {
    /// What the lenses ask: of which model, and what.
    pub(crate) fn ask(&self, offer: &recurva_check::Offer) -> (&Url, Ask) {
        let own = &self.known.text.uri;
        match &self.model {
            Some(model) => (&model.text.uri, Ask::new(offer, Some(own))),
            None => (own, Ask::new(offer, None)),
        }
    }
}

/// Reads documents, and remembers the model that was read last.
#[derive(Debug, Default)]
pub(crate) struct Analyser {
    last: Option<Arc<Known>>,
}

/// What reading a model may take. Whoever types waits for it.
const READING: Limits = Limits {
    time: Some(Duration::from_secs(10)),
    memory: Some(1 << 30),
};

impl Analyser {
    /// Reads a version of a document, or says why it cannot be read at all.
    pub(crate) fn analyse(&mut self, job: Job) -> Result<Analysis, String> {
        let text = Text::new(job.uri, job.text)?;
        let (known, model) = match job.language {
            Language::Model(format) => (self.model(text, format), None),
            Language::Properties(kind) => {
                let loaded = job.model.map(|(uri, content)| self.load(uri, content));
                let about = loaded.as_ref().and_then(|it| it.as_ref().ok());
                let model = about.and_then(|it| it.document.model.as_ref());
                let mut document = Document::of_properties(&text.source, kind, model);
                document.said.extend(remark(loaded.as_ref()));
                let known = Arc::new(Known { text, document });
                (known, loaded.and_then(Result::ok))
            }
        };
        Ok(Analysis {
            version: job.version,
            language: job.language,
            known,
            model,
        })
    }

    fn load(&mut self, uri: Url, content: Content) -> Result<Arc<Known>, String> {
        let text = content.read(uri)?;
        match language(&text.uri) {
            Some(Language::Model(format)) => Ok(self.model(text, format)),
            _ => Err(format!("{} is no model", text.source.name())),
        }
    }

    fn model(&mut self, text: Text, format: &'static Format) -> Arc<Known> {
        let last = self.last.as_ref();
        if let Some(known) =
            last.filter(|it| it.text.uri == text.uri && it.text.source == text.source)
        {
            return Arc::clone(known);
        }
        let document = Document::of_model(text.source.clone(), format, READING, &mut ());
        let known = Arc::new(Known { text, document });
        self.last = Some(Arc::clone(&known));
        known
    }
}

/// What is to be said of the model of a file.
fn remark(loaded: Option<&Result<Arc<Known>, String>>) -> Option<Said> {
    let (text, help) = match loaded {
        None => (
            "no model is known for this file: only its form is checked".to_owned(),
            Some(
                "put it beside its model, or name the model in a comment at the top, as in \
                 `model: lock.bp`",
            ),
        ),
        Some(Err(cause)) => (cause.clone(), None),
        Some(Ok(known)) if known.document.model.is_some() => return None,
        Some(Ok(known)) => {
            let name = known.text.source.name();
            let what = match known.document.diagnostics.has_errors() {
                true => "has errors",
                false => "could not be read within a limit",
            };
            (
                format!("{name} {what}: names are not looked up in it"),
                None,
            )
        }
    };
    let help = help.map(str::to_owned);
    Some(Said::Note { text, help })
}
