//! A world that does what the C library does, for tests: output is kept, input is given.

mod characters;
mod floats;
mod format;
mod math;
mod numbers;
mod output;
mod print;
mod strings;

use super::world::{ChoiceError, ExternalCall, MemoryAccess, Reply, Value, World};
use crate::{Check, Module, TypeId, Unknown};
use numbers::Generator;

/// A world like the one that a compiled program runs in. Unknown values are zero. Functions that
/// call back, as `qsort` does, are not here: models in C have these.
#[derive(Debug, Default)]
pub struct Native {
    /// What was written to the standard output.
    pub output: Vec<u8>,
    /// What was written to the standard error output.
    pub errors: Vec<u8>,
    /// What can be read from the standard input.
    pub input: Vec<u8>,
    /// How much of it was read.
    read: usize,
    random: Generator,
    tables: characters::Tables,
    /// The address of `errno`, if the program asked for it.
    error_number: Option<u64>,
    /// Where `strtok` has got to.
    token: u64,
}

/// What a function did; `None` if it is not known here.
type Done = Result<Option<Reply>, Check>;

/// The arguments of a call; those that are missing are 0.
#[derive(Clone, Copy)]
struct Arguments<'a>(&'a [Value]);

impl Arguments<'_> {
    /// An integer or an address, extended to 64 bits by its sign.
    fn whole(self, index: usize) -> u64 {
        self.0.get(index).map_or(0, Value::whole)
    }

    fn int(self, index: usize) -> i32 {
        self.whole(index) as i32
    }

    fn float(self, index: usize) -> f64 {
        self.0.get(index).map_or(0.0, Value::float)
    }
}

impl Native {
    /// A world with nothing to read.
    pub fn new() -> Self {
        Native::default()
    }

    /// A world with something to read.
    pub fn with_input(input: impl Into<Vec<u8>>) -> Self {
        Native {
            input: input.into(),
            ..Native::default()
        }
    }

    /// Functions that fit no other place.
    fn call_other(
        &mut self,
        name: &str,
        arguments: Arguments<'_>,
        memory: &mut MemoryAccess<'_, '_>,
    ) -> Done {
        let whole = |index| arguments.whole(index);
        Ok(Some(match name {
            "malloc" => Reply::Integer(memory.allocate(whole(0), false).unwrap_or(0)),
            "calloc" => {
                let size = whole(0).checked_mul(whole(1));
                let address = size.and_then(|size| memory.allocate(size, true));
                Reply::Integer(address.unwrap_or(0))
            }
            "realloc" => {
                let old = whole(0);
                let Some(new) = memory.allocate(whole(1), false) else {
                    return Ok(Some(Reply::Integer(0)));
                };
                if old != 0 {
                    let size = memory.object_size(old).ok_or(Check::Free)?;
                    memory.copy(new, old, size.min(whole(1)))?;
                    memory.free(old)?;
                }
                Reply::Integer(new)
            }
            "free" => {
                memory.free(whole(0))?;
                Reply::Integer(0)
            }
            "exit" | "_exit" | "_Exit" => Reply::Exits(arguments.int(0)),
            "abort" => Reply::Stops,
            "__errno_location" => {
                let known = self.error_number;
                let address = known.or_else(|| memory.allocate_static(&[0; 4]));
                self.error_number = address;
                Reply::Integer(address.unwrap_or(0))
            }
            "time" | "clock" => {
                let pointer = whole(0);
                if name == "time" && pointer != 0 {
                    let count = memory.pointer_bytes();
                    memory.write_number(pointer, 0, count)?;
                }
                Reply::Integer(0)
            }
            "getenv" | "setlocale" | "setvbuf" | "setbuf" | "fclose" | "ferror" | "clearerr" => {
                Reply::Integer(0)
            }
            _ => return Ok(None),
        }))
    }
}

impl World for Native {
    /// Gives the standard streams values that differ.
    fn begin(&mut self, memory: &mut MemoryAccess<'_, '_>) {
        for (stream, names) in output::STREAMS {
            for name in names {
                if let Some((address, size)) = memory.global(name)
                    && size as usize == memory.pointer_bytes()
                {
                    // A stream that is a constant stays as it is.
                    let _ = memory.write_number(address, stream, size as usize);
                }
            }
        }
    }

    fn choose(
        &mut self,
        _: &Unknown,
        _: TypeId,
        _: &Module,
        bytes: &mut [u8],
    ) -> Result<(), ChoiceError> {
        bytes.fill(0);
        Ok(())
    }

    fn call(
        &mut self,
        call: &ExternalCall<'_>,
        memory: &mut MemoryAccess<'_, '_>,
    ) -> Result<Reply, Check> {
        let name = call.name.strip_prefix("__builtin_").unwrap_or(call.name);
        let arguments = Arguments(call.arguments);
        if let Some(reply) = self.call_output(name, arguments, memory)? {
            return Ok(reply);
        }
        if let Some(reply) = self.call_strings(name, arguments, memory)? {
            return Ok(reply);
        }
        if let Some(reply) = self.call_characters(name, arguments, memory)? {
            return Ok(reply);
        }
        if let Some(reply) = self.call_numbers(name, arguments, memory)? {
            return Ok(reply);
        }
        if let Some(reply) = math::call(name, arguments, memory)? {
            return Ok(reply);
        }
        if let Some(reply) = self.call_other(name, arguments, memory)? {
            return Ok(reply);
        }
        Ok(Reply::Unsupported(
            format!("a call of `{name}`, which has no body").into(),
        ))
    }
}
