//! The page of all options, made from the command line itself.

use std::{env, fmt::Write, fs};

use clap::{Arg, Command};

use super::page::project;

const HEAD: &str = "\
# All options

Made from the command line by `cargo xtask book --update`; a test compares the two. What the options
mean together is said in [the command line](command-line.md).
";

/// `TRYCMD=overwrite` writes the page, as it does for all that commands print.
#[test]
#[cfg_attr(
    feature = "cluster",
    ignore = "the page is about the program without it"
)]
fn the_page_of_options_is_true() {
    let path = project().join("docs/src/reference/options.md");
    let made = page();
    if env::var_os("TRYCMD").is_some_and(|it| it == "overwrite") {
        fs::write(&path, &made).expect("the page can be written");
    }
    let there = fs::read_to_string(&path).expect("the page is there");
    assert!(
        there == made,
        "the options have changed: cargo xtask book --update"
    );
}

fn page() -> String {
    let mut command = recurva::command().disable_help_subcommand(true);
    command.build();
    let mut page = HEAD.to_owned();
    for command in command.get_subcommands() {
        section(command, &mut page);
    }
    page
}

/// A command, then those below it.
fn section(command: &Command, page: &mut String) {
    let name = command.get_bin_name().expect("a name after `build`");
    let about = command.get_long_about().or(command.get_about());
    let about = about.map(|it| escaped(&it.to_string())).unwrap_or_default();
    _ = write!(page, "\n## {name}\n\n{about}\n");
    let mut below = command.get_subcommands().peekable();
    if below.peek().is_none() {
        let usage = command.clone().render_usage().to_string();
        _ = write!(page, "\n```text\n{usage}\n```\n");
        table(command, page);
        if let Some(text) = command.get_after_help() {
            _ = write!(page, "\n```text\n{text}\n```\n");
        }
    }
    below.for_each(|command| section(command, page));
}

/// Arguments first, then options, in the order of the help.
fn table(command: &Command, page: &mut String) {
    let shown =
        |it: &&Arg| !it.is_hide_set() && !["help", "version"].contains(&it.get_id().as_str());
    let arguments: Vec<&Arg> = command.get_arguments().filter(shown).collect();
    if arguments.is_empty() {
        return;
    }
    page.push_str("\n| option | meaning |\n|---|---|\n");
    let (positional, options): (Vec<&Arg>, Vec<&Arg>) =
        arguments.into_iter().partition(|it| it.is_positional());
    for argument in positional.into_iter().chain(options) {
        _ = writeln!(page, "| {} | {} |", names(argument), meaning(argument));
    }
}

fn names(argument: &Arg) -> String {
    let values = argument.get_value_names().unwrap_or_default();
    let value = (!values.is_empty()).then(|| values.join(" "));
    let value = value.filter(|_| argument.get_action().takes_values());
    let Some(long) = argument.get_long() else {
        return format!("`{}`", value.unwrap_or_default());
    };
    let mut names = match value {
        Some(value) => format!("`--{long} {value}`"),
        None => format!("`--{long}`"),
    };
    if let Some(short) = argument.get_short() {
        _ = write!(names, ", `-{short}`");
    }
    for alias in argument.get_visible_aliases().unwrap_or_default() {
        _ = write!(names, ", `--{alias}`");
    }
    names
}

fn meaning(argument: &Arg) -> String {
    let help = argument.get_long_help().or(argument.get_help());
    let mut text = help.map(|it| escaped(&it.to_string())).unwrap_or_default();
    if argument.get_action().takes_values() {
        for value in argument.get_possible_values() {
            _ = write!(text, "<br>`{}`", value.get_name());
            if let Some(help) = value.get_help() {
                _ = write!(text, ": {}", escaped(&help.to_string()));
            }
        }
        let defaults = argument.get_default_values();
        if let Some(default) = defaults
            .first()
            .filter(|_| !argument.is_hide_default_value_set())
        {
            _ = write!(text, "<br>By default `{}`", default.to_string_lossy());
        }
    }
    text.replace("\n\n", "<br>").replace('\n', " ")
}

/// Text as Markdown that shows it: formulas have characters that mean something there.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        if "*_|<>[]`".contains(letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}
