//! The two examples of systems on plain Rust data, run.

#[path = "../examples/interpreter.rs"]
mod interpreter;
#[path = "../examples/parser.rs"]
mod parser;

#[test]
fn the_lenient_parser_accepts_an_open_parenthesis() {
    assert_eq!(parser::find_bug(true, 1_000_000).as_deref(), Some("(1$"));
}

#[test]
fn the_strict_parser_does_not() {
    assert_eq!(parser::find_bug(false, 100_000), None);
}

#[test]
fn the_interpreter_finds_the_input_among_infinitely_many() {
    // begin, then 101 calls and returns of triangle with two steps each (test, return), and
    // in main the call's return, the subtraction and the failing assertion.
    assert_eq!(
        interpreter::find_bug(),
        Some((100, 1 + 101 * 2 + 101 * 2 + 2))
    );
}
