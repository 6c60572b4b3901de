//! Streams: what is written to them, and what little can be read.

use super::super::world::{MemoryAccess, Reply};
use super::format::{Source, format};
use super::{Arguments, Done, Native};
use crate::Check;

const INPUT: u64 = 0x1001;
const OUTPUT: u64 = 0x1002;
const ERRORS: u64 = 0x1003;

/// The values of the standard streams, and what they are called.
pub(super) const STREAMS: [(u64, [&str; 2]); 3] = [
    (INPUT, ["stdin", "__stdinp"]),
    (OUTPUT, ["stdout", "__stdoutp"]),
    (ERRORS, ["stderr", "__stderrp"]),
];

/// The end of the input, as an `int`.
const END: u64 = u64::MAX;

impl Native {
    fn put(&mut self, stream: u64, bytes: &[u8]) {
        match stream {
            ERRORS => self.errors.extend_from_slice(bytes),
            _ => self.output.extend_from_slice(bytes),
        }
    }

    pub(super) fn call_output(
        &mut self,
        name: &str,
        arguments: Arguments<'_>,
        memory: &mut MemoryAccess<'_, '_>,
    ) -> Done {
        let whole = |index| arguments.whole(index);
        Ok(Some(Reply::Integer(match name {
            "puts" | "puts_unlocked" => {
                let text = memory.read_string(whole(0))?;
                self.output.extend_from_slice(text);
                self.output.push(b'\n');
                1
            }
            "putchar" | "putchar_unlocked" => {
                self.output.push(whole(0) as u8);
                whole(0) & 0xff
            }
            "putc" | "fputc" | "_IO_putc" => {
                self.put(whole(1), &[whole(0) as u8]);
                whole(0) & 0xff
            }
            "fputs" => {
                let text = memory.read_string(whole(0))?;
                self.put(whole(1), text);
                1
            }
            "perror" => {
                let mut text = memory.read_string(whole(0))?.to_vec();
                text.extend_from_slice(b": Success\n");
                self.put(ERRORS, &text);
                0
            }
            "fwrite" => {
                let count = whole(1).checked_mul(whole(2)).ok_or(Check::Bounds)?;
                if count > 0 {
                    let bytes = memory.read(whole(0), count)?;
                    self.put(whole(3), bytes);
                }
                whole(2)
            }
            "fflush" => 0,
            "getchar" | "getc" | "fgetc" | "_IO_getc" => match self.input.get(self.read) {
                Some(&byte) => {
                    self.read += 1;
                    u64::from(byte)
                }
                None => END,
            },
            "ungetc" => {
                self.read = self.read.saturating_sub(1);
                whole(0)
            }
            "feof" => u64::from(self.read >= self.input.len()),
            "fgets" => return self.get_line(whole(0), whole(1), memory),
            _ => return self.call_printing(name, arguments, memory),
        })))
    }

    fn get_line(&mut self, buffer: u64, size: u64, memory: &mut MemoryAccess<'_, '_>) -> Done {
        let rest = &self.input[self.read..];
        let line = rest.iter().position(|&it| it == b'\n');
        let line = line.map_or(rest.len(), |it| it + 1);
        let count = line.min(size.saturating_sub(1) as usize);
        if count == 0 {
            return Ok(Some(Reply::Integer(0)));
        }
        let mut bytes = rest[..count].to_vec();
        bytes.push(0);
        memory.write(buffer, &bytes)?;
        self.read += count;
        Ok(Some(Reply::Integer(buffer)))
    }

    /// `printf` and its relatives.
    fn call_printing(
        &mut self,
        name: &str,
        arguments: Arguments<'_>,
        memory: &mut MemoryAccess<'_, '_>,
    ) -> Done {
        // Where the text goes, and which argument is the format.
        let (target, index) = match name.strip_prefix('v').unwrap_or(name) {
            "printf" => (Target::Stream(OUTPUT), 0),
            "fprintf" => (Target::Stream(arguments.whole(0)), 1),
            "dprintf" if arguments.int(0) == 2 => (Target::Stream(ERRORS), 1),
            "dprintf" => (Target::Stream(OUTPUT), 1),
            "sprintf" => (Target::Buffer(arguments.whole(0), u64::MAX), 1),
            "snprintf" => (Target::Buffer(arguments.whole(0), arguments.whole(1)), 2),
            _ => return Ok(None),
        };
        let mut source = match name.starts_with('v') {
            false => Source::Values(arguments.0.get(index + 1..).unwrap_or_default()),
            true => Source::List(list_address(arguments, index + 1, memory)?),
        };
        let text = memory.read_string(arguments.whole(index))?.to_vec();
        let text = format(&text, &mut source, memory)?;
        match target {
            Target::Stream(stream) => self.put(stream, &text),
            Target::Buffer(_, 0) => {}
            Target::Buffer(address, size) => {
                let count = text.len().min((size - 1) as usize);
                let mut bytes = text[..count].to_vec();
                bytes.push(0);
                memory.write(address, &bytes)?;
            }
        }
        Ok(Some(Reply::Integer(text.len() as u64)))
    }
}

enum Target {
    Stream(u64),
    /// An address and how many bytes there are.
    Buffer(u64, u64),
}

/// The address of a list's next argument. The list comes as itself, or as a pointer to it.
fn list_address(
    arguments: Arguments<'_>,
    index: usize,
    memory: &MemoryAccess<'_, '_>,
) -> Result<u64, Check> {
    match arguments.0.get(index) {
        Some(super::Value::Scalar(address, _)) => {
            memory.read_number(*address, memory.pointer_bytes() as u64)
        }
        Some(list) => Ok(list.whole()),
        None => Err(Check::Call),
    }
}
