//! Messages in a stream of bytes. A wrong one does not take those behind it along: the next header
//! that can be read begins the next message.

use std::io::{self, ErrorKind, Read};

use serde_json::Value;

/// The one field of a header that counts, in small letters.
const NAME: &[u8] = b"content-length:";

/// No line with that field is longer.
const LINE: usize = 64;

/// No header is longer.
const HEADER: usize = 8 << 10;

/// How much is read at a time.
const CHUNK: usize = 64 << 10;

/// Reads messages.
pub(crate) struct Frames<R> {
    input: R,
    /// What has been read and not been used.
    buffer: Vec<u8>,
    chunk: Vec<u8>,
    skipped: Skipped,
}

/// What stands before the next header.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Skipped {
    /// Nothing that was noticed so far.
    Nothing,
    /// Bytes of which nothing has been said.
    Unsaid,
    /// What is left of a message that was called wrong.
    Said,
}

/// The line that gives a length.
#[derive(Clone, Copy)]
struct Line {
    start: usize,
    end: usize,
    length: usize,
}

/// A header.
struct Header {
    start: usize,
    /// Where the body begins.
    body: usize,
    length: usize,
}

impl<R: Read> Frames<R> {
    pub(crate) fn new(input: R) -> Self {
        Frames {
            input,
            buffer: Vec::new(),
            chunk: vec![0; CHUNK],
            skipped: Skipped::Nothing,
        }
    }

    /// The next message, or why there is none where one should be; `None` at the end.
    pub(crate) fn next(&mut self) -> io::Result<Option<Result<Value, String>>> {
        let header = loop {
            if let Some(header) = header(&self.buffer) {
                break header;
            }
            self.forget();
            if !self.fill()? {
                let is_rest = !is_innocent(&self.buffer);
                self.buffer.clear();
                let is_said = std::mem::replace(&mut self.skipped, Skipped::Said) == Skipped::Said;
                let rest = || Err("the input ends with what is no message".to_owned());
                return Ok((is_rest && !is_said).then(rest));
            }
        };
        let is_garbage =
            self.skipped == Skipped::Unsaid || !is_innocent(&self.buffer[..header.start]);
        if is_garbage && self.skipped != Skipped::Said {
            self.buffer.drain(..header.start);
            self.skipped = Skipped::Nothing;
            let text = "what is no message was skipped: there was no header with a length";
            return Ok(Some(Err(text.to_owned())));
        }
        let body = self.body(&header)?;
        // Of a wrong message only the header is dropped: its length may be what is wrong, and then
        // the next message begins before its end or behind it.
        let (used, skipped) = match body {
            Ok(_) => (header.body + header.length, Skipped::Nothing),
            Err(_) => (header.body, Skipped::Said),
        };
        self.buffer.drain(..used);
        self.skipped = skipped;
        Ok(Some(body))
    }

    /// Waits for the body of a message, and reads it.
    fn body(&mut self, header: &Header) -> io::Result<Result<Value, String>> {
        let end = header.body.saturating_add(header.length);
        let mut searched = header.body;
        while self.buffer.len() < end {
            // A line like this cannot be in a text of JSON, where line ends in strings are escaped:
            // the length is too large. Who waits for so many bytes may wait for ever.
            if length_line(&self.buffer, searched).is_some() {
                return Ok(Err("a message is shorter than its header says".to_owned()));
            }
            searched = searched.max(self.buffer.len().saturating_sub(LINE));
            if !self.fill()? {
                return Ok(Err("the input ends within a message".to_owned()));
            }
        }
        let value = serde_json::from_slice(&self.buffer[header.body..end]);
        Ok(value.map_err(|cause| format!("a message is not JSON: {cause}")))
    }

    /// Forgets what cannot be part of a header any more.
    fn forget(&mut self) {
        if self.buffer.len() > HEADER {
            let line = length_line(&self.buffer, 0);
            let used = line.map_or(self.buffer.len() - LINE, |line| line.start + 1);
            self.buffer.drain(..used);
            if self.skipped == Skipped::Nothing {
                self.skipped = Skipped::Unsaid;
            }
        }
    }

    /// Reads on; whether there was anything.
    fn fill(&mut self) -> io::Result<bool> {
        loop {
            match self.input.read(&mut self.chunk) {
                Ok(read) => {
                    self.buffer.extend_from_slice(&self.chunk[..read]);
                    return Ok(read > 0);
                }
                Err(cause) if cause.kind() == ErrorKind::Interrupted => {}
                Err(cause) => return Err(cause),
            }
        }
    }
}

/// The first header, if all of it is there.
fn header(bytes: &[u8]) -> Option<Header> {
    let mut line = length_line(bytes, 0)?;
    let mut at = line.end;
    loop {
        let length = bytes[at..].iter().position(|&it| it == b'\n')?;
        let field = bytes[at..at + length].trim_ascii_end();
        let next = at + length + 1;
        let is_field = field.first().is_some_and(u8::is_ascii_alphabetic);
        if field.is_empty() {
            return Some(Header {
                start: line.start,
                body: next,
                length: line.length,
            });
        }
        // The message of this header was cut off: another one begins.
        if let Some(other) = length_line(&bytes[..next], at) {
            line = other;
            at = other.end;
        } else if is_field {
            at = next;
        } else {
            line = length_line(bytes, next)?;
            at = line.end;
        }
    }
}

/// The first line with a length, behind `from`.
fn length_line(bytes: &[u8], mut from: usize) -> Option<Line> {
    loop {
        let mut names = bytes.get(from..)?.windows(NAME.len());
        let start = from + names.position(|it| it.eq_ignore_ascii_case(NAME))?;
        from = start + NAME.len();
        let behind = &bytes[from..bytes.len().min(start + LINE)];
        let Some(width) = behind.iter().position(|&it| it == b'\n') else {
            continue;
        };
        let number = std::str::from_utf8(&behind[..width]).unwrap_or_default();
        if let Ok(length) = number.trim().parse() {
            return Some(Line {
                start,
                end: from + width + 1,
                length,
            });
        }
    }
}

/// Whether bytes before a header are other fields of it.
fn is_innocent(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|&it| it == b'\n').map(<[u8]>::trim_ascii);
    lines.all(|line| {
        let name = line.get(..13).unwrap_or_default();
        line.is_empty() || name.eq_ignore_ascii_case(b"content-type:")
    })
}

#[cfg(test)]
mod tests {
    use recurva_testkit::rng::Rng;
    use serde_json::json;

    use super::*;

    /// Gives its bytes in pieces.
    struct Pieces<'b>(&'b [u8], Rng);

    impl Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let most = self.0.len().min(buffer.len());
            let size = most.min(1 + self.1.below(40));
            buffer[..size].copy_from_slice(&self.0[..size]);
            self.0 = &self.0[size..];
            Ok(size)
        }
    }

    fn frame(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    /// The messages of a stream; `null` for what is none.
    fn read(bytes: &[u8], seed: u64) -> Vec<Value> {
        let mut frames = Frames::new(Pieces(bytes, Rng::new(seed)));
        let mut found = Vec::new();
        while let Some(message) = frames.next().unwrap() {
            found.push(message.unwrap_or(Value::Null));
        }
        found
    }

    #[test]
    fn the_next_message_counts() {
        let long = format!("Content-Length: 999999999999\r\n\r\n{}", "{}");
        let odd = "x".repeat(200_000);
        for wrong in [
            frame("{"),
            frame("{\"a\": \"\u{fffd}\"}").replace('\u{fffd}', "\u{1}"),
            "Content-Length: 3\r\n\r\n{\"a\": 1}".to_owned(),
            "Content-Length: 9\r\n\r\n{\"a\": 1}".to_owned(),
            "Content-Length: 30\r\n\r\n{\"a\": 1}".to_owned(),
            "Content-Length: 7\r\n{\"a\": 1}".to_owned(),
            "Content-Length: many\r\n\r\n{}".to_owned(),
            "Content-Length: -2\r\n\r\n{}".to_owned(),
            "Content-Length: 99999999999999999999999\r\n\r\n{}".to_owned(),
            "nonsense\r\n\r\n".to_owned(),
            long,
            odd,
        ] {
            for seed in 0..20 {
                let text = format!("{}{wrong}{}{}", frame("1"), frame("2"), frame("3"));
                let found = read(text.as_bytes(), seed);
                let expected = [json!(1), Value::Null, json!(2), json!(3)];
                assert_eq!(found, expected, "{}", &wrong[..wrong.len().min(60)]);
            }
        }
    }

    #[test]
    fn right_messages_are_left_alone() {
        let inner = json!({ "text": format!("{}\r\n", frame("{}")) }).to_string();
        let text = format!(
            "{}Content-Type: x\r\ncontent-length: 1\r\n\r\n2Content-Length:1\r\nContent-Type: y\r\n\r\n3",
            frame(&inner)
        );
        for seed in 0..20 {
            let found = read(text.as_bytes(), seed);
            assert_eq!(found[1..], [json!(2), json!(3)]);
            assert_eq!(found[0]["text"], json!(format!("{}\r\n", frame("{}"))));
        }
        assert_eq!(read(b"", 0), [] as [Value; 0]);
        assert_eq!(read(b"Content-Length: 9\r\n\r\n{", 0), [Value::Null]);
        assert_eq!(read(b"Content-Length: 9", 0), [Value::Null]);
    }

    /// Whatever is broken, nothing panics and what follows is understood.
    #[test]
    fn random_bytes() {
        let mut rng = Rng::new(11);
        for seed in 0..2_000 {
            let mut bytes = frame("{\"method\": \"a\"}").repeat(3).into_bytes();
            for _ in 0..1 + rng.below(6) {
                let at = rng.below(bytes.len());
                bytes[at] = rng.below(256) as u8;
            }
            // Two, as the first may be taken for what a wrong length has left out.
            bytes.extend_from_slice(frame("1").repeat(2).as_bytes());
            assert_eq!(read(&bytes, seed).last(), Some(&json!(1)));
        }
    }
}
