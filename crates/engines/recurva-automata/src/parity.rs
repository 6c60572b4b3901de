//! Finite parity games, by Zielonka's algorithm.

use crate::arena::Player;

/// A finite parity game. Whoever cannot move loses; otherwise the largest priority that comes
/// infinitely often decides.
#[derive(Clone, Debug, Default)]
pub struct ParityGame {
    owners: Vec<Player>,
    priorities: Vec<u32>,
    moves: Vec<Vec<u32>>,
}

/// Who wins where, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Solution {
    /// The winner at each position.
    pub winners: Vec<Player>,
    /// For each position that its owner wins and can move from, a move that wins.
    pub strategy: Vec<Option<u32>>,
}

impl ParityGame {
    /// Adds a position without moves.
    pub fn add(&mut self, owner: Player, priority: u32) -> u32 {
        self.owners.push(owner);
        self.priorities.push(priority);
        self.moves.push(Vec::new());
        self.owners.len() as u32 - 1
    }

    /// Adds a move.
    pub fn add_move(&mut self, from: u32, to: u32) {
        self.moves[from as usize].push(to);
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.owners.len()
    }

    /// Whether there is no position.
    pub fn is_empty(&self) -> bool {
        self.owners.is_empty()
    }

    /// Who moves at a position.
    pub fn owner(&self, position: u32) -> Player {
        self.owners[position as usize]
    }

    /// The priority of a position.
    pub fn priority(&self, position: u32) -> u32 {
        self.priorities[position as usize]
    }

    /// Where the moves from a position lead.
    pub fn moves(&self, position: u32) -> &[u32] {
        &self.moves[position as usize]
    }

    /// Solves the game.
    pub fn solve(&self) -> Solution {
        Solver::new(self).solve()
    }
}

struct Solver<'g> {
    game: &'g ParityGame,
    before: Vec<Vec<u32>>,
    /// The region that a position belongs to, by how many are around it.
    depth: Vec<u32>,
    winners: Vec<Player>,
    strategy: Vec<Option<u32>>,
    /// How many moves of the loser are still open, for the attractor at work.
    open: Vec<u32>,
    /// The last attractor that a position was taken into.
    taken: Vec<u32>,
    attractors: u32,
}

/// What has been decided belongs to no region.
const OUT: u32 = u32::MAX;

/// A region whose inside is being solved.
struct Region {
    positions: Vec<u32>,
    /// Those from which the player can force the play to the largest priority.
    forced: Vec<u32>,
    player: Player,
}

impl<'g> Solver<'g> {
    fn new(game: &'g ParityGame) -> Self {
        let mut before = vec![Vec::new(); game.len()];
        for (from, targets) in game.moves.iter().enumerate() {
            for &to in targets {
                before[to as usize].push(from as u32);
            }
        }
        Solver {
            game,
            before,
            depth: vec![0; game.len()],
            winners: vec![Player::Even; game.len()],
            strategy: vec![None; game.len()],
            open: vec![0; game.len()],
            taken: vec![0; game.len()],
            attractors: 0,
        }
    }

    fn solve(mut self) -> Solution {
        // Those who cannot move have lost, and so has who can be forced there.
        let mut rest: Vec<u32> = (0..self.game.len() as u32).collect();
        for player in [Player::Even, Player::Odd] {
            let stuck = |&position: &u32| {
                self.game.moves(position).is_empty() && self.game.owner(position) != player
            };
            let lost: Vec<u32> = rest.iter().copied().filter(stuck).collect();
            self.give(&lost, player, 0);
            rest.retain(|&position| self.depth[position as usize] == 0);
        }
        self.regions(rest);
        for position in 0..self.game.len() {
            if self.winners[position] != self.game.owners[position] {
                self.strategy[position] = None;
            }
        }
        Solution {
            winners: self.winners,
            strategy: self.strategy,
        }
    }

    /// Gives a set, and all from where it can be forced, to a player.
    fn give(&mut self, set: &[u32], player: Player, depth: u32) {
        for position in self.attract(set, player, depth) {
            self.winners[position as usize] = player;
            self.depth[position as usize] = OUT;
        }
    }

    fn regions(&mut self, mut positions: Vec<u32>) {
        let mut stack: Vec<Region> = Vec::new();
        loop {
            // Down: what can be forced to the largest priority is left out.
            while let Some(most) = positions.iter().map(|&p| self.game.priority(p)).max() {
                let depth = stack.len() as u32;
                let player = Player::of(most);
                let top = positions.iter().copied();
                let top: Vec<u32> = top.filter(|&p| self.game.priority(p) == most).collect();
                let forced = self.attract(&top, player, depth);
                for &position in &positions {
                    self.depth[position as usize] = depth + 1;
                }
                for &position in &forced {
                    self.depth[position as usize] = depth;
                }
                let inside = positions.iter().copied();
                let inside = inside.filter(|&p| self.depth[p as usize] == depth + 1);
                let inside = inside.collect();
                stack.push(Region {
                    positions,
                    forced,
                    player,
                });
                positions = inside;
            }
            // Up: what is inside the last region is solved.
            let Some(region) = stack.pop() else { return };
            positions = self.close(&region, stack.len() as u32);
        }
    }

    /// Ends a region; what of it is still to be solved.
    fn close(&mut self, region: &Region, depth: u32) -> Vec<u32> {
        let other = region.player.other();
        let inside = region.positions.iter().copied();
        let inside = inside.filter(|&p| self.depth[p as usize] != depth);
        let lost: Vec<u32> = inside
            .filter(|&p| self.winners[p as usize] == other)
            .collect();
        for &position in &region.positions {
            self.depth[position as usize] = depth;
        }
        if !lost.is_empty() {
            self.give(&lost, other, depth);
            let rest = region.positions.iter().copied();
            return rest.filter(|&p| self.depth[p as usize] == depth).collect();
        }
        for &position in &region.forced {
            self.winners[position as usize] = region.player;
            // At the largest priority any move that stays will do.
            let stays = |to: u32| self.depth[to as usize] == depth;
            if !self.strategy[position as usize].is_some_and(stays) {
                let mut moves = self.game.moves(position).iter().copied();
                self.strategy[position as usize] = moves.find(|&to| stays(to));
            }
        }
        Vec::new()
    }

    /// The positions of the region at that depth from which a player can force the play into a
    /// set, which is part of it. Sets the strategy outside of the set.
    fn attract(&mut self, set: &[u32], player: Player, depth: u32) -> Vec<u32> {
        self.attractors += 1;
        let stamp = self.attractors;
        let mut list = set.to_vec();
        for &position in set {
            self.taken[position as usize] = stamp;
        }
        let mut touched: Vec<u32> = Vec::new();
        let mut next = 0;
        while let Some(&to) = list.get(next) {
            next += 1;
            for index in 0..self.before[to as usize].len() {
                let from = self.before[to as usize][index];
                let at = from as usize;
                if self.depth[at] != depth || self.taken[at] == stamp {
                    continue;
                }
                if self.game.owner(from) == player {
                    self.strategy[at] = Some(to);
                } else {
                    if self.open[at] == 0 {
                        let moves = self.game.moves[at].iter();
                        let here = moves.filter(|&&to| self.depth[to as usize] == depth);
                        self.open[at] = here.count() as u32;
                        touched.push(from);
                    }
                    self.open[at] -= 1;
                    if self.open[at] > 0 {
                        continue;
                    }
                }
                self.taken[at] = stamp;
                list.push(from);
            }
        }
        for position in touched {
            self.open[position as usize] = 0;
        }
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A generator of random numbers (splitmix64).
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: usize) -> usize {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = self.0;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((z ^ (z >> 31)) % bound as u64) as usize
        }
    }

    fn random_game(random: &mut Random, size: usize) -> ParityGame {
        let mut game = ParityGame::default();
        let priorities = 1 + random.below(5);
        for _ in 0..size {
            let owner = [Player::Even, Player::Odd][random.below(2)];
            game.add(owner, random.below(priorities) as u32);
        }
        for from in 0..size {
            for _ in 0..random.below(4) {
                game.add_move(from as u32, random.below(size) as u32);
            }
        }
        game
    }

    /// The definition as nested fixpoints: a distraction is a position whose priority does not
    /// win it; those of lower priorities are forgotten when there is a new one.
    fn by_fixpoints(game: &ParityGame) -> Vec<Player> {
        let mut distraction = vec![false; game.len()];
        let winner = |distraction: &[bool], p: u32| {
            let player = Player::of(game.priority(p));
            match distraction[p as usize] {
                true => player.other(),
                false => player,
            }
        };
        let next = |distraction: &[bool], p: u32| {
            let owner = game.owner(p);
            let mut moves = game.moves(p).iter();
            match moves.any(|&to| winner(distraction, to) == owner) {
                true => owner,
                false => owner.other(),
            }
        };
        let most = (0..game.len() as u32).map(|p| game.priority(p)).max();
        let most = most.unwrap_or(0);
        let mut level = 0;
        while level <= most {
            let wrong: Vec<u32> = (0..game.len() as u32)
                .filter(|&p| game.priority(p) == level && !distraction[p as usize])
                .filter(|&p| next(&distraction, p) != Player::of(level))
                .collect();
            if wrong.is_empty() {
                level += 1;
                continue;
            }
            for p in 0..game.len() as u32 {
                distraction[p as usize] &= game.priority(p) >= level;
            }
            for p in wrong {
                distraction[p as usize] = true;
            }
            level = 0;
        }
        (0..game.len() as u32)
            .map(|p| winner(&distraction, p))
            .collect()
    }

    /// Whether a player wins a position of a game in which the other has one move at most.
    fn check_strategy(game: &ParityGame, solution: &Solution) {
        for player in [Player::Even, Player::Odd] {
            // The game in which the player follows the strategy, from what is won by it.
            let mut left = ParityGame::default();
            for p in 0..game.len() as u32 {
                left.add(player.other(), game.priority(p));
            }
            for p in 0..game.len() as u32 {
                let chosen = solution.strategy[p as usize];
                match (game.owner(p) == player, chosen) {
                    (true, Some(to)) => {
                        assert!(game.moves(p).contains(&to));
                        left.add_move(p, to);
                    }
                    (true, None) => {
                        assert_eq!(solution.winners[p as usize], player.other());
                        left.add_move(p, p);
                    }
                    (false, _) => {
                        for &to in game.moves(p) {
                            left.add_move(p, to);
                        }
                    }
                }
            }
            let winners = by_fixpoints(&left);
            for (claimed, winner) in solution.winners.iter().zip(winners) {
                if *claimed == player {
                    assert_eq!(winner, player, "the strategy does not win");
                }
            }
        }
    }

    #[test]
    fn winners_and_strategies_of_random_games() {
        let random = &mut Random(1);
        let mut even = 0;
        for round in 0..20_000 {
            let size = 1 + random.below(if round % 10 == 0 { 30 } else { 8 });
            let game = random_game(random, size);
            let solution = game.solve();
            assert_eq!(solution.winners, by_fixpoints(&game), "{game:?}");
            check_strategy(&game, &solution);
            even += usize::from(solution.winners[0] == Player::Even);
        }
        assert!((5_000..15_000).contains(&even), "{even}");
    }

    /// All strategies of both players: one wins against all of the other's.
    #[test]
    fn winners_by_brute_force() {
        let random = &mut Random(2);
        for _ in 0..3_000 {
            let size = 1 + random.below(5);
            let game = random_game(random, size);
            let solution = game.solve();
            for start in 0..size as u32 {
                let even = strategies(&game, Player::Even).iter().any(|even| {
                    let others = strategies(&game, Player::Odd);
                    others
                        .iter()
                        .all(|odd| play(&game, start, even, odd) == Player::Even)
                });
                let winner = if even { Player::Even } else { Player::Odd };
                assert_eq!(solution.winners[start as usize], winner, "{game:?}");
            }
        }
    }

    fn strategies(game: &ParityGame, player: Player) -> Vec<Vec<Option<u32>>> {
        let mut list = vec![Vec::new()];
        for p in 0..game.len() as u32 {
            let moves = game.moves(p);
            let choices: Vec<Option<u32>> = match game.owner(p) == player && !moves.is_empty() {
                true => moves.iter().map(|&to| Some(to)).collect(),
                false => vec![None],
            };
            let longer = list.iter().flat_map(|start: &Vec<Option<u32>>| {
                choices.iter().map(move |&choice| {
                    let mut longer = start.clone();
                    longer.push(choice);
                    longer
                })
            });
            list = longer.collect();
        }
        list
    }

    fn play(game: &ParityGame, start: u32, even: &[Option<u32>], odd: &[Option<u32>]) -> Player {
        let mut path = vec![start];
        loop {
            let here = path[path.len() - 1];
            let Some(to) = even[here as usize].or(odd[here as usize]) else {
                return game.owner(here).other();
            };
            if let Some(loop_start) = path.iter().position(|&p| p == to) {
                let turn = path[loop_start..].iter().map(|&p| game.priority(p));
                return Player::of(turn.max().unwrap_or(0));
            }
            path.push(to);
        }
    }
}
