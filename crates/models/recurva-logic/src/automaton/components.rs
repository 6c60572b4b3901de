//! Strongly connected components, without recursion (Tarjan).

/// The component of each state, in an order in which edges lead to earlier components or stay.
/// States that cannot be reached from the first ones given are in none: `u32::MAX`.
pub fn components<'g, I>(
    states: usize,
    roots: impl IntoIterator<Item = u32>,
    successors: impl Fn(u32) -> I,
) -> Vec<u32>
where
    I: Iterator<Item = u32> + 'g,
{
    const NEW: u32 = u32::MAX;
    let mut component = vec![NEW; states];
    let mut number = vec![NEW; states];
    let mut low = vec![0; states];
    let mut open: Vec<u32> = Vec::new();
    let (mut count, mut found) = (0, 0);
    for root in roots {
        if number[root as usize] != NEW {
            continue;
        }
        let mut path: Vec<(u32, I)> = Vec::new();
        let mut enter = Some(root);
        loop {
            if let Some(state) = enter.take() {
                number[state as usize] = count;
                low[state as usize] = count;
                count += 1;
                open.push(state);
                path.push((state, successors(state)));
            }
            let Some((state, rest)) = path.last_mut() else {
                break;
            };
            let state = *state;
            if let Some(target) = rest.next() {
                if number[target as usize] == NEW {
                    enter = Some(target);
                } else if component[target as usize] == NEW {
                    low[state as usize] = low[state as usize].min(number[target as usize]);
                }
                continue;
            }
            path.pop();
            if low[state as usize] == number[state as usize] {
                while let Some(member) = open.pop() {
                    component[member as usize] = found;
                    if member == state {
                        break;
                    }
                }
                found += 1;
            }
            if let Some((parent, _)) = path.last() {
                let parent = *parent as usize;
                low[parent] = low[parent].min(low[state as usize]);
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_components() {
        let edges: [&[u32]; 5] = [&[1], &[2, 3], &[0], &[3], &[0]];
        let found = components(5, [0], |s| edges[s as usize].iter().copied());
        assert_eq!(found, [1, 1, 1, 0, u32::MAX]);
    }
}
