//! The order in each layer, with few crossings.

use super::chains::Layered;

/// So much work is done on a graph, measured in links and items looked at.
const WORK: usize = 500_000;

/// Graphs with more links than this are not improved pair by pair.
const PAIRED: usize = 4_000;

/// Orders every layer: a first order by a search from the first layers, then sweeps down and up
/// in which items go to the mean of their neighbours; the best order seen is kept.
pub(super) fn order(layered: &mut Layered) {
    let mut state = Order::new(layered);
    state.first();
    let mut best = state.layers.clone();
    let mut fewest = state.crossings();
    let size = layered.links.len() + layered.items.len() + 1;
    let rounds = (WORK / size).clamp(2, 24);
    let mut idle = 0;
    for round in 0..rounds {
        if fewest == 0 || idle > 6 {
            break;
        }
        state.sweep(round % 2 == 0);
        if layered.links.len() <= PAIRED {
            state.swap_pairs();
        }
        let crossings = state.crossings();
        if crossings < fewest {
            fewest = crossings;
            best.clone_from(&state.layers);
            idle = 0;
        } else {
            idle += 1;
        }
    }
    layered.layers = best;
}

struct Order<'a> {
    layered: &'a Layered,
    layers: Vec<Vec<u32>>,
    /// The index of each item in its layer.
    position: Vec<u32>,
}

impl<'a> Order<'a> {
    fn new(layered: &'a Layered) -> Self {
        Order {
            layered,
            layers: vec![Vec::new(); layered.layers.len()],
            position: vec![0; layered.items.len()],
        }
    }

    /// Depth first from the items of the first layers, in order.
    fn first(&mut self) {
        let layered = self.layered;
        let mut beside: Vec<Vec<u32>> = vec![Vec::new(); layered.items.len()];
        for (item, anchor) in layered.anchor.iter().enumerate() {
            if let Some(anchor) = *anchor {
                beside[anchor as usize].push(item as u32);
            }
        }
        let mut seen = vec![false; layered.items.len()];
        let mut open: Vec<u32> = Vec::new();
        for &root in layered.layers.iter().flatten() {
            let rootless = layered.up[root as usize].is_empty();
            if !rootless || layered.anchor[root as usize].is_some() {
                continue;
            }
            open.push(root);
            while let Some(item) = open.pop() {
                if std::mem::replace(&mut seen[item as usize], true) {
                    continue;
                }
                self.layers[layered.items[item as usize].layer as usize].push(item);
                let links = layered.down[item as usize].iter().rev();
                open.extend(links.map(|&link| layered.links[link as usize].lower));
                open.extend(beside[item as usize].iter().rev());
            }
        }
        // What is only linked with bends beside nodes that come later.
        for &item in layered.layers.iter().flatten() {
            if !seen[item as usize] {
                self.layers[layered.items[item as usize].layer as usize].push(item);
            }
        }
        for layer in 0..self.layers.len() {
            self.number(layer);
        }
    }

    fn number(&mut self, layer: usize) {
        for (index, &item) in self.layers[layer].iter().enumerate() {
            self.position[item as usize] = index as u32;
        }
    }

    /// Where a link touches an item, in units of the layer's items.
    fn touch(&self, item: u32, at: i32) -> f64 {
        let room = &self.layered.items[item as usize];
        let size = f64::from(room.before + room.after + 1);
        f64::from(self.position[item as usize]) + f64::from(at) / size
    }

    fn sweep(&mut self, downward: bool) {
        let count = self.layers.len();
        for step in 1..count {
            let layer = if downward { step } else { count - 1 - step };
            self.sort(layer, downward);
        }
    }

    /// Sorts a layer by the means of what is linked with it in the layer before or behind. What
    /// has no such links keeps its place.
    fn sort(&mut self, layer: usize, downward: bool) {
        let items = &self.layers[layer];
        let mean = |item: u32| -> Option<f64> {
            let links = match downward {
                true => &self.layered.up[item as usize],
                false => &self.layered.down[item as usize],
            };
            let touched = links.iter().map(|&link| {
                let link = &self.layered.links[link as usize];
                match downward {
                    true => self.touch(link.upper, link.upper_at),
                    false => self.touch(link.lower, link.lower_at),
                }
            });
            (!links.is_empty()).then(|| touched.sum::<f64>() / links.len() as f64)
        };
        let key = |&item: &u32| -> Option<(f64, u32)> {
            mean(item).map(|mean| (mean, item)).or_else(|| {
                let anchor = self.layered.anchor[item as usize]?;
                let before = self.position[item as usize] < self.position[anchor as usize];
                let side = if before { -1e-6 } else { 1e-6 };
                Some((mean(anchor)? + side, item))
            })
        };
        let keys: Vec<Option<(f64, u32)>> = items.iter().map(key).collect();
        let mut sorted: Vec<(f64, u32)> = keys.iter().copied().flatten().collect();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut sorted = sorted.into_iter();
        let placed: Vec<u32> = items
            .iter()
            .zip(&keys)
            .filter_map(|(&item, key)| match key {
                Some(_) => sorted.next().map(|(_, item)| item),
                None => Some(item),
            })
            .collect();
        self.layers[layer] = placed;
        self.number(layer);
    }

    /// How many links cross.
    fn crossings(&self) -> u64 {
        let mut sum = 0;
        let mut ends: Vec<f64> = Vec::new();
        for layer in &self.layers {
            ends.clear();
            for &item in layer {
                let links = self.layered.down[item as usize].iter();
                let mut here: Vec<(i32, f64)> = links
                    .map(|&link| {
                        let link = &self.layered.links[link as usize];
                        (link.upper_at, self.touch(link.lower, link.lower_at))
                    })
                    .collect();
                here.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
                ends.extend(here.iter().map(|&(_, end)| end));
            }
            sum += inversions(&mut ends);
        }
        sum
    }

    /// Swaps neighbours as long as that makes fewer crossings.
    fn swap_pairs(&mut self) {
        for _ in 0..4 {
            let mut swapped = false;
            for layer in 0..self.layers.len() {
                for index in 1..self.layers[layer].len() {
                    let (left, right) = (self.layers[layer][index - 1], self.layers[layer][index]);
                    if self.between(left, right) > self.between(right, left) {
                        self.layers[layer].swap(index - 1, index);
                        self.position[left as usize] = index as u32;
                        self.position[right as usize] = index as u32 - 1;
                        swapped = true;
                    }
                }
            }
            if !swapped {
                break;
            }
        }
    }

    /// How many links of two items cross if the one stands before the other.
    fn between(&self, left: u32, right: u32) -> u64 {
        let layered = self.layered;
        let lower = |link: &u32| {
            let link = &layered.links[*link as usize];
            self.touch(link.lower, link.lower_at)
        };
        let upper = |link: &u32| {
            let link = &layered.links[*link as usize];
            self.touch(link.upper, link.upper_at)
        };
        let (left, right) = (left as usize, right as usize);
        crossing(&layered.down[left], &layered.down[right], lower)
            + crossing(&layered.up[left], &layered.up[right], upper)
    }
}

/// How many of the pairs stand in the wrong order.
fn crossing(left: &[u32], right: &[u32], at: impl Fn(&u32) -> f64) -> u64 {
    // Two nodes with very many edges each are not worth the time.
    if left.len() * right.len() > 10_000 {
        return 0;
    }
    let pairs = left.iter().map(|a| {
        let a = at(a);
        right.iter().filter(|b| at(b) < a).count() as u64
    });
    pairs.sum()
}

/// How many pairs of a list stand in the wrong order; sorts it, bottom up.
fn inversions(list: &mut Vec<f64>) -> u64 {
    let mut sum = 0;
    let mut merged = Vec::with_capacity(list.len());
    let mut run = 1;
    while run < list.len() {
        merged.clear();
        for pair in list.chunks(2 * run) {
            let (left, right) = pair.split_at(run.min(pair.len()));
            let (mut i, mut j) = (0, 0);
            while i < left.len() || j < right.len() {
                if i < left.len() && (j == right.len() || left[i] <= right[j]) {
                    merged.push(left[i]);
                    i += 1;
                } else {
                    merged.push(right[j]);
                    j += 1;
                    sum += (left.len() - i) as u64;
                }
            }
        }
        std::mem::swap(list, &mut merged);
        run *= 2;
    }
    sum
}

#[cfg(test)]
mod tests {
    use recurva_testkit::rng::Rng;

    use super::inversions;

    #[test]
    fn inversions_are_those_counted_one_by_one() {
        let mut rng = Rng::new(3);
        for _ in 0..500 {
            let length = rng.below(30);
            let mut list: Vec<f64> = (0..length).map(|_| rng.below(10) as f64).collect();
            let slow = |list: &[f64]| {
                let pairs = (0..list.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
                pairs.filter(|&(i, j)| list[i] > list[j]).count() as u64
            };
            let expected = slow(&list);
            assert_eq!(inversions(&mut list), expected);
            assert!(list.is_sorted());
        }
    }
}
