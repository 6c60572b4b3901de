//! Pages of the project, read as far as the tests need it: fenced blocks, and lines of text.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The folder of the project.
pub(super) fn project() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.join("../../..").canonicalize().expect("the project")
}

/// A page in Markdown.
pub(super) struct Page {
    pub(super) path: PathBuf,
    /// Fenced blocks.
    pub(super) blocks: Vec<Block>,
    /// Lines outside of fenced blocks, with their numbers.
    pub(super) lines: Vec<(usize, String)>,
}

/// A fenced block.
pub(super) struct Block {
    /// The number of its first line, behind the fence.
    pub(super) line: usize,
    /// What stands behind the opening fence.
    pub(super) info: String,
    pub(super) text: String,
}

impl Page {
    pub(super) fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).expect("a readable page");
        let mut page = Self {
            path: path.to_owned(),
            blocks: Vec::new(),
            lines: Vec::new(),
        };
        let mut open: Option<Block> = None;
        for (number, line) in (1..).zip(text.lines()) {
            let fence = line.strip_prefix("```");
            match (&mut open, fence) {
                (None, Some(info)) => {
                    open = Some(Block {
                        line: number + 1,
                        info: info.to_owned(),
                        text: String::new(),
                    });
                }
                (None, None) => page.lines.push((number, line.to_owned())),
                (Some(_), Some(_)) => page.blocks.extend(open.take()),
                (Some(block), None) => {
                    block.text.push_str(line);
                    block.text.push('\n');
                }
            }
        }
        assert!(open.is_none(), "{}: a block has no end", path.display());
        page
    }

    /// The place of a line, for messages.
    pub(super) fn at(&self, line: usize) -> String {
        format!("{}:{line}", self.path.display())
    }
}

/// The pages of the book, and the page that lists them.
pub(super) fn book() -> Vec<Page> {
    let mut pages = Vec::new();
    collect(&project().join("docs/src"), &mut pages);
    assert!(pages.len() > 20);
    pages.iter().map(|path| Page::read(path)).collect()
}

/// The pages of the book, those beside the code, and those about the project.
pub(super) fn everything() -> Vec<Page> {
    let mut pages = Vec::new();
    for folder in ["docs/src", "examples", "corpus", "crates", "editors"] {
        collect(&project().join(folder), &mut pages);
    }
    for name in ["README", "ARCHITECTURE", "CONTRIBUTING", "CHANGELOG"] {
        pages.push(project().join(name).with_extension("md"));
    }
    pages.iter().map(|path| Page::read(path)).collect()
}

fn collect(folder: &Path, pages: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).expect("a folder");
    for entry in entries.map(|entry| entry.expect("an entry").path()) {
        let name = entry.file_name().unwrap_or_default();
        if entry.is_dir() && name != "node_modules" {
            collect(&entry, pages);
        } else if entry.extension().is_some_and(|it| it == "md") {
            pages.push(entry);
        }
    }
    pages.sort();
}
