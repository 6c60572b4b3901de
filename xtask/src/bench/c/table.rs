//! One line for each category: our answers, and those of others.

use std::collections::BTreeMap;

use super::{
    Done,
    figures::{self, Figure, PEERS, Score},
    judge,
    options::Options,
    tools::Tool,
};
use crate::c_tasks::Judgement;

/// All categories so far.
#[derive(Default)]
pub(super) struct Table {
    rows: BTreeMap<String, Row>,
}

/// How the tasks of a category came out.
#[derive(Clone, Default)]
struct Row {
    stated_true: usize,
    stated_false: usize,
    /// Right answers that a property holds, and those of them whose proof was checked.
    proved: usize,
    certified: usize,
    /// For each tool that was run.
    tools: Vec<Score>,
}

impl Table {
    pub(super) fn add(&mut self, done: &Done<'_>) {
        let row = self.rows.entry(done.task.category.clone()).or_default();
        match done.task.stated {
            true => row.stated_true += 1,
            false => row.stated_false += 1,
        }
        row.tools.resize(done.asked.len(), Score::default());
        for (index, (score, asked)) in row.tools.iter_mut().zip(&done.asked).enumerate() {
            match judge(done, index) {
                Some(Judgement::Right) => score.right += 1,
                Some(Judgement::Wrong) => score.wrong += 1,
                Some(Judgement::Unknown) => score.unknown += 1,
                None => score.unable += 1,
            }
            let cpu = asked.as_ref().map(|asked| asked.cost.cpu);
            score.seconds += cpu.unwrap_or_default().as_secs_f64();
        }
        // The first tool is our own.
        if let Some(Some(asked)) = done.asked.first()
            && asked.holds == Some(true)
            && judge(done, 0) == Some(Judgement::Right)
        {
            row.proved += 1;
            row.certified += usize::from(asked.is_certified);
        }
    }

    pub(super) fn print(&self, tools: &[Tool], options: &Options) {
        let limits = &options.limits;
        println!(
            "\nright/wrong/unknown, seconds of CPU, and with + what a tool cannot be asked; {} s CPU ({} s on the clock) and {} MiB a task",
            limits.cpu.as_secs(),
            limits.wall.as_secs(),
            limits.memory_bytes >> 20
        );
        println!("certified: of the properties that hold, those whose proof was checked");
        for peer in &PEERS {
            println!("{}: as measured once, {}", peer.name, peer.limits);
        }
        if !options.is_all() {
            println!("their figures are for all primary tasks of a category");
        }
        let mut head = format!("\n{:<22} {:>13}", "category", "tasks (t/f)");
        for (index, tool) in tools.iter().enumerate() {
            head += &format!(" {:>24}", tool.name());
            if index == 0 {
                head += &format!(" {:>9}", "certified");
            }
        }
        for peer in &PEERS {
            head += &format!(" {:>24}", peer.name);
        }
        println!("{head}");
        let mut all = Row::default();
        let mut peers = [Score::default(); PEERS.len()];
        for (category, row) in &self.rows {
            let figures = figures::of(category);
            println!("{}", row.line(category, figures));
            all.add(row);
            for (sum, figure) in peers.iter_mut().zip(figures) {
                match figure {
                    Figure::Run(score) => sum.add(&score),
                    Figure::Unable(tasks) => sum.unable += tasks,
                    Figure::NotRun => {}
                }
            }
        }
        println!("{}", all.line("all", peers.map(Figure::Run)));
    }
}

impl Row {
    fn tasks(&self) -> usize {
        self.stated_true + self.stated_false
    }

    fn add(&mut self, other: &Row) {
        self.stated_true += other.stated_true;
        self.stated_false += other.stated_false;
        self.proved += other.proved;
        self.certified += other.certified;
        self.tools.resize(other.tools.len(), Score::default());
        for (sum, score) in self.tools.iter_mut().zip(&other.tools) {
            sum.add(score);
        }
    }

    fn line(&self, category: &str, peers: [Figure; PEERS.len()]) -> String {
        let split = format!("({}/{})", self.stated_true, self.stated_false);
        let mut line = format!("{category:<22} {:>4} {split:>8}", self.tasks());
        for (index, tool) in self.tools.iter().enumerate() {
            line += &format!(" {:>24}", score(tool));
            if index == 0 {
                let certified = format!("{}/{}", self.certified, self.proved);
                line += &format!(" {certified:>9}");
            }
        }
        for figure in peers {
            let text = match figure {
                Figure::Run(it) => score(&it),
                Figure::NotRun => "not run".to_owned(),
                Figure::Unable(_) => "n/a".to_owned(),
            };
            line += &format!(" {text:>24}");
        }
        line
    }
}

impl Score {
    fn add(&mut self, other: &Score) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.unknown += other.unknown;
        self.seconds += other.seconds;
        self.unable += other.unable;
    }
}

fn score(score: &Score) -> String {
    let Score {
        right,
        wrong,
        unknown,
        seconds,
        unable,
    } = score;
    match unable {
        0 => format!("{right}/{wrong}/{unknown}, {seconds:.0} s"),
        _ => format!("{right}/{wrong}/{unknown}, {seconds:.0} s +{unable}"),
    }
}
