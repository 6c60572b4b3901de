//! Trace files out.

use std::io;

use serde::Serialize;

use crate::{Run, TraceFile};

/// What the field `format` says.
pub(crate) const FORMAT: &str = "recurva-trace";

/// What the field `version` says.
pub(crate) const VERSION: u32 = 1;

impl TraceFile {
    /// Writes the file, one field on each line.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let mut fields = Fields { out, any: false };
        fields.add("format", FORMAT)?;
        fields.add("version", &VERSION)?;
        fields.add("model", &self.model)?;
        fields.add("property", &self.property)?;
        fields.add("question", &self.question)?;
        fields.add("options", &self.options)?;
        fields.add("end", &self.end)?;
        match &self.run {
            Run::Trace(recording) => fields.add("trace", recording)?,
            Run::Words(words) => fields.add("words", words)?,
            Run::Strategy(strategy) => fields.add("strategy", strategy)?,
        }
        out.write_all(b"\n}\n")
    }
}

struct Fields<'a> {
    out: &'a mut dyn io::Write,
    any: bool,
}

impl Fields<'_> {
    fn add<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> io::Result<()> {
        let before = if self.any { ",\n" } else { "{\n" };
        self.any = true;
        write!(self.out, "{before}  \"{name}\": ")?;
        Ok(serde_json::to_writer(&mut *self.out, value)?)
    }
}
