//! All lists of values of a list of types, one after the other.

use recurva_model::Type;

/// How many lists of values a list of types has; `None` if the number does not fit.
pub fn count(types: &[Type]) -> Option<u64> {
    types.iter().try_fold(1u64, |product, ty| {
        let values = ty.mask().checked_add(1)?;
        product.checked_mul(values)
    })
}

/// Every list of values of the given types, as an odometer counts, the last place fastest.
///
/// ```
/// use recurva_model::Type;
/// use recurva_testkit::values;
///
/// let all: Vec<_> = values::all(&[Type::Bool, Type::Bool]).collect();
/// assert_eq!(all, [[0, 0], [0, 1], [1, 0], [1, 1]]);
/// ```
pub fn all(types: &[Type]) -> impl Iterator<Item = Vec<u64>> + use<'_> {
    let mut next = Some(vec![0; types.len()]);
    std::iter::from_fn(move || {
        let current = next.take()?;
        let mut following = current.clone();
        for (value, ty) in following.iter_mut().zip(types).rev() {
            if *value < ty.mask() {
                *value += 1;
                next = Some(following);
                break;
            }
            *value = 0;
        }
        Some(current)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_lists_as_counted_and_all_different() {
        for types in [
            vec![],
            vec![Type::Bool],
            vec![Type::unsigned(3), Type::Bool, Type::signed(2)],
        ] {
            let mut lists: Vec<_> = all(&types).collect();
            assert_eq!(Some(lists.len() as u64), count(&types));
            lists.dedup();
            assert_eq!(Some(lists.len() as u64), count(&types));
            assert!(lists.is_sorted());
        }
        assert_eq!(count(&[Type::unsigned(64)]), None);
        assert_eq!(count(&[Type::unsigned(63), Type::Bool, Type::Bool]), None);
    }
}
