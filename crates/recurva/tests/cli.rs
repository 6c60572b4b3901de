//! The command line, case by case: each file in `cmd/` is a list of commands and what they
//! print. Run with `TRYCMD=overwrite` to accept new output after reading it.

#[test]
fn commands() {
    trycmd::TestCases::new()
        .case("tests/cmd/*.trycmd")
        .case("tests/cmd/*.toml");
}
