//! A recursive-descent parser with a bug, checked for every input at once.
//!
//! The parser is ordinary Rust: two mutually recursive procedures over a token stream. To
//! check it, its procedures are written as the moves of a `RecursiveSystem`: where it looks
//! at the next token, there is one move for each token that may come. A state holds all the
//! tokens read so far, so the state space is infinite; in shortest-first order the search
//! finds the shortest input on which the parser goes wrong.
//!
//! ```text
//! sum  := atom { '+' atom }
//! atom := number | '(' sum ')'
//! ```
//!
//! The bug: when the input ends inside parentheses, `atom` "recovers" by returning as if a
//! `)` had been there.
//!
//! Run it: `cargo run -p recurva-explicit --example parser`

use std::ops::ControlFlow;

use recurva_explicit::{Answer, Config, History, Order, reach};
use recurva_model::{Moves, RecursiveSystem, Site};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Token {
    Number,
    Plus,
    Open,
    Close,
    End,
}

const TOKENS: [Token; 5] = [
    Token::Number,
    Token::Plus,
    Token::Open,
    Token::Close,
    Token::End,
];

/// Where control is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum At {
    Main,
    Accepted,
    Rejected,
    Sum,
    SumAfterAtom,
    SumDone,
    Atom,
    AtomAfterSum,
    AtomDone,
}

/// Control, and the tokens read so far: all but the last are consumed, that one is the
/// lookahead.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    at: At,
    input: Vec<Token>,
}

impl State {
    fn next(&self) -> Token {
        self.input.last().copied().unwrap_or(Token::End)
    }

    fn is_balanced(&self) -> bool {
        let count = |token| self.input.iter().filter(|&&found| found == token).count();
        count(Token::Open) == count(Token::Close)
    }
}

/// The parser; `lenient` has the bug.
struct Parser {
    lenient: bool,
}

/// All calls go on at a place that depends on the caller only.
const SITE: Site = Site(0);

impl Parser {
    /// Consumes the lookahead: any token may come next.
    fn consume(&self, state: &State, at: At, out: &mut Moves<State>) {
        for next in TOKENS {
            let input = state.input.iter().copied().chain([next]).collect();
            out.step(State { at, input });
        }
    }
}

impl RecursiveSystem for Parser {
    type State = State;

    fn initial(&self, out: &mut Moves<State>) {
        self.consume(
            &State {
                at: At::Main,
                input: Vec::new(),
            },
            At::Main,
            out,
        );
    }

    fn moves(&self, state: &State, out: &mut Moves<State>) {
        let goto = |at| State {
            at,
            ..state.clone()
        };
        match (state.at, state.next()) {
            (At::Main, _) => out.call(goto(At::Sum), SITE),
            (At::Sum, _) => out.call(goto(At::Atom), SITE),
            (At::SumAfterAtom, Token::Plus) => self.consume(state, At::Sum, out),
            (At::SumAfterAtom, _) => out.step(goto(At::SumDone)),
            (At::Atom, Token::Number) => self.consume(state, At::AtomDone, out),
            // Behind the `(` comes a sum; `AtomAfterSum` is where that call returns to.
            (At::Atom, Token::Open) => self.consume(state, At::AtomAfterSum, out),
            (At::AtomAfterSum, _) => out.call(goto(At::Sum), SITE),
            (At::Atom, _) => out.step(goto(At::Rejected)),
            (At::Accepted | At::Rejected | At::SumDone | At::AtomDone, _) => {}
        }
    }

    fn is_exit(&self, state: &State) -> bool {
        matches!(state.at, At::SumDone | At::AtomDone)
    }

    fn resume(&self, caller: &State, _: Site, exit: &State, out: &mut Moves<State>) {
        let goto = |at| State { at, ..exit.clone() };
        match (caller.at, exit.next()) {
            (At::Main, Token::End) => out.step(goto(At::Accepted)),
            (At::Sum, _) => out.step(goto(At::SumAfterAtom)),
            (At::AtomAfterSum, Token::Close) => self.consume(exit, At::AtomDone, out),
            (At::AtomAfterSum, Token::End) if self.lenient => out.step(goto(At::AtomDone)),
            _ => out.step(goto(At::Rejected)),
        }
    }
}

/// The shortest input with unbalanced parentheses that the parser accepts, if one turns up
/// before so many path edges have been searched.
pub(crate) fn find_bug(lenient: bool, max_path_edges: u64) -> Option<String> {
    let parser = Parser { lenient };
    let config = Config {
        order: Order::ShortestFirst,
        ..Config::default()
    };
    let is_target = |state: &State| state.at == At::Accepted && !state.is_balanced();
    let finished = reach(&parser, &config, is_target, |progress| {
        // The state space is infinite: without a bug the search would never end.
        if progress.path_edges > max_path_edges {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    let Answer::Reached(witness) = finished.answer else {
        return None;
    };
    let symbol = |token: &Token| match token {
        Token::Number => '1',
        Token::Plus => '+',
        Token::Open => '(',
        Token::Close => ')',
        Token::End => '$',
    };
    Some(
        witness
            .state(witness.target())
            .input
            .iter()
            .map(symbol)
            .collect(),
    )
}

#[allow(
    clippy::print_stdout,
    dead_code,
    reason = "an example talks; a test includes this file"
)]
fn main() {
    match find_bug(true, 1_000_000) {
        Some(input) => println!("the lenient parser accepts {input} ($ is the end)"),
        None => println!("nothing found"),
    }
    match find_bug(false, 100_000) {
        Some(input) => println!("the strict parser accepts {input}"),
        None => println!("the strict parser: nothing wrong in the first 100,000 path edges"),
    }
}
