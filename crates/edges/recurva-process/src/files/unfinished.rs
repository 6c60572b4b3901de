//! The list of unfinished files, for whoever has to end the process.
//!
//! It may be walked when there is no memory left and while any other thread is stopped at any
//! place: so it has a fixed size, no lock is waited for, and nothing is allocated under one.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError, TryLockError},
};

/// A command writes one file at a time.
const PLACES: usize = 8;

static LIST: [Mutex<Option<PathBuf>>; PLACES] = [const { Mutex::new(None) }; PLACES];

/// A file in the list. Dropped, it leaves it.
pub(super) struct Unfinished(Option<usize>);

impl Unfinished {
    /// Puts a file into the list. If that is full, the file is not in it: an orderly end removes
    /// it all the same.
    pub(super) fn new(path: &Path) -> Self {
        let name = path.to_owned();
        for (index, place) in LIST.iter().enumerate() {
            if let Ok(mut place) = place.try_lock()
                && place.is_none()
            {
                *place = Some(name);
                return Unfinished(Some(index));
            }
        }
        Unfinished(None)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(index) = self.0 {
            let mut place = LIST[index].lock().unwrap_or_else(PoisonError::into_inner);
            let name = place.take();
            // Memory is given back when the place is free again.
            drop(place);
            drop(name);
        }
    }
}

/// Removes every file that is not whole. For the very end of the process.
pub(crate) fn remove_unfinished() {
    for place in &LIST {
        let place = match place.try_lock() {
            Ok(place) => place,
            Err(TryLockError::Poisoned(place)) => place.into_inner(),
            Err(TryLockError::WouldBlock) => continue,
        };
        if let Some(name) = place.as_deref() {
            // Nobody is left to be told. This needs no memory unless the name is very long.
            let _ = fs::remove_file(name);
        }
    }
}
