//! Limits as users write them.

use std::time::Duration;

use clap::Args;
use recurva_check::Limits;
use recurva_process::{
    amounts::{parse_bytes, parse_duration},
    memory,
};

/// What every command may use.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct LimitArguments {
    /// Give up after this time: 500ms, 60s, 5m, 2h. No limit by default.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) timeout: Option<Duration>,

    /// Give up when more than this is held: 500MB, 4GiB. By default 80 % of the memory that the
    /// machine, the container or the shell allows, where that is known.
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub(crate) memory: Option<u64>,
}

impl LimitArguments {
    /// The limits, with what the machine allows.
    pub(crate) fn limits(self) -> Limits {
        Limits {
            time: self.timeout,
            memory: self.memory.or_else(memory::default_limit),
        }
    }
}
