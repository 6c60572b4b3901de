//! What is said of texts that are no C, and where.

use recurva_c::ast::parse;

/// Each text has `@` before the token that does not fit.
const WRONG: &[(&str, &str)] = &[
    ("int x = 1@", "`,` or `;`"),
    ("int x = @;", "an expression"),
    ("int x @y;", "`,` or `;`"),
    ("@foo x;", "a type; this name is none"),
    ("void f(void) { @foo x; }", "a type; this name is none"),
    ("void f(@foo x) { }", "a type; this name is none"),
    ("void f(int a, @foo x) { }", "a type; this name is none"),
    ("void f(int a, @) { }", "a parameter"),
    ("void f(int a @b) { }", "`,` or `)`"),
    ("@}", "a declaration"),
    ("@return 1;", "a declaration"),
    ("int f(void) { return 1 @}", "`;`"),
    ("int f(void) { return 1;@", "`}`"),
    ("void f(void) { if @x; }", "`(`"),
    ("void f(void) { if (x @{ } }", "`)`"),
    ("void f(void) { x = @; }", "an expression"),
    ("void f(void) { x = (1 + @); }", "an expression"),
    ("void f(void) { x = y[1@; }", "`]`"),
    ("void f(void) { f(1 @2); }", "`,` or `)`"),
    ("void f(void) { a@.1; }", "`;`"),
    ("void f(void) { a->@1; }", "a name"),
    ("void f(void) { a ? b @; }", "`:`"),
    ("void f(void) { do x; @x(); }", "`while`"),
    ("void f(void) { for (x; y@) ; }", "`;`"),
    ("void f(void) { goto @1; }", "the name of a label"),
    ("void f(void) { case 1@; }", "`:`"),
    ("void f(void) { @else x; }", "an expression"),
    ("void f(void) { x = @int; }", "an expression"),
    (
        "typedef int T; int x = @T;",
        "an expression; this name is a type",
    ),
    ("void f(void) { @`x`; }", "an expression"),
    ("void f(void) { x = @'a; }", "an expression"),
    ("void f(void) { x = (int @y) 1; }", "a type without a name"),
    ("void f(void) { x = sizeof(int @; }", "`)`"),
    ("void f(void) { asm(@x); }", "text in quotes"),
    ("struct @;", "a tag or `{`"),
    ("struct s { int a; @", "the type of a member, or `}`"),
    ("struct s { @x; };", "the type of a member, or `}`"),
    ("struct s { int a @b; };", "`,` or `;`"),
    ("enum e { A @B };", "`,` or `}`"),
    ("enum e { @1 };", "a name"),
    ("int a[] = { 1 @2 };", "`,` or `}`"),
    ("struct s x = { .a @1 };", "`=`"),
    (
        "@int long double x;",
        "a type: these keywords do not go together",
    ),
    (
        "@short double x;",
        "a type: these keywords do not go together",
    ),
    ("int x @int;", "`,` or `;`"),
    (
        "struct s @int x;",
        "a name: the type is complete before this",
    ),
    ("int f(a) @x { }", "`,` or `;`"),
    ("int x __attribute__((@1));", "the name of an attribute"),
    ("int x __attribute__((a(1 @2)));", "`,` or `)`"),
    ("_Static_assert(1, @2);", "a message in quotes"),
    ("int x; @)", "a declaration"),
    ("int \u{e9} = @\u{0};", "an expression"),
];

#[test]
fn a_message_and_a_place() {
    let mut complaints = String::new();
    for (marked, expected) in WRONG {
        let text = marked.replacen('@', "", 1);
        let place = marked.find('@').map(|at| at as u32);
        let found = match parse(text.as_bytes()) {
            Ok(_) => "nothing is wrong".to_owned(),
            Err(error) if place == Some(error.span().start) => error.to_string(),
            Err(error) => format!("{error} at {:?}", &text[error.span().start as usize..]),
        };
        if found != format!("expected {expected}") {
            complaints += &format!("{marked}: {found}\n");
        }
    }
    assert!(complaints.is_empty(), "\n{complaints}");
}

#[test]
fn bytes_that_are_no_text() {
    let error = parse(b"int a; int \xff\xfe = 1;").unwrap_err();
    assert_eq!(error.span().start, 11);
}
