//! Priorities no larger than needed.

use rustc_hash::FxHashMap;

/// Renames priorities so that they keep their order and parity where it matters and none is
/// left out: 3, 7, 8 become 1, 1, 2.
pub(super) fn compress(priorities: &mut [u32]) {
    let mut sorted: Vec<u32> = priorities.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let mut names = FxHashMap::default();
    let mut last = 0;
    for priority in sorted {
        let next = match names.is_empty() {
            true => priority % 2,
            false => last + u32::from(priority % 2 != last % 2),
        };
        names.insert(priority, next);
        last = next;
    }
    for priority in priorities {
        *priority = names[priority];
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn gaps_are_closed() {
        let mut list = [7, 3, 8, 12, 13];
        super::compress(&mut list);
        assert_eq!(list, [1, 1, 2, 2, 3]);
        let mut list = [4, 9];
        super::compress(&mut list);
        assert_eq!(list, [0, 1]);
    }
}
