//! What a client may say when it begins.

use std::time::Duration;

use recurva_check::Limits;
use serde::Deserialize;

/// The initialization options.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Settings {
    /// After how many seconds a check gives up.
    timeout: Option<f64>,
    /// With how many megabytes a check gives up.
    memory: Option<u64>,
}

/// The limits of a check if the client does not say, and the longest time.
const TIMEOUT: f64 = 60.0;
const LONGEST: f64 = 1e9;
const MEGABYTES: u64 = 4096;

impl Settings {
    pub(super) fn limits(self) -> Result<Limits, String> {
        let seconds = self.timeout.unwrap_or(TIMEOUT).min(LONGEST);
        let time = Duration::try_from_secs_f64(seconds);
        let time = time.map_err(|cause| format!("timeout: {cause}"))?;
        let memory = self.memory.unwrap_or(MEGABYTES).saturating_mul(1 << 20);
        Ok(Limits {
            time: Some(time),
            memory: Some(memory),
        })
    }
}
