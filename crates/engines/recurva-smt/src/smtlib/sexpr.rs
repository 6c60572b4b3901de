//! S-expressions, as SMT-LIB has them. They are one flat list, so that none is too deep.

use std::fmt;

/// What is no list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Atom {
    /// A symbol, without the bars of a quoted one.
    Symbol(Box<str>),
    /// A word that begins with a colon, with it.
    Keyword(Box<str>),
    /// Digits.
    Numeral(Box<str>),
    /// Digits with a point.
    Decimal(Box<str>),
    /// `#x` and hexadecimal digits, or `#b` and binary ones.
    Bits(Box<str>),
    /// What stands between quotation marks.
    Text(Box<str>),
}

#[derive(Clone, Debug)]
enum Item {
    Atom(Atom),
    /// A list, and where what comes behind it begins.
    List(u32),
}

/// A text of S-expressions.
#[derive(Clone, Debug, Default)]
pub struct Sexprs {
    items: Vec<Item>,
}

/// One S-expression of a text.
#[derive(Clone, Copy)]
pub struct Sexpr<'a> {
    items: &'a [Item],
    at: usize,
}

/// S-expressions that follow each other.
#[derive(Clone)]
pub struct Items<'a> {
    items: &'a [Item],
    at: usize,
    end: usize,
}

/// A text has no more S-expressions than that.
const MOST: usize = 1 << 28;

impl Sexprs {
    /// Reads a text.
    ///
    /// # Errors
    ///
    /// What is wrong with it, with the place.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut items: Vec<Item> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut reader = Reader { text, at: 0 };
        while let Some(start) = reader.next_start() {
            if items.len() >= MOST {
                return Err("the text is too long".to_owned());
            }
            match text.as_bytes()[start] {
                b'(' => {
                    reader.at += 1;
                    open.push(items.len());
                    items.push(Item::List(0));
                }
                b')' => {
                    reader.at += 1;
                    let Some(begin) = open.pop() else {
                        return Err(format!("`)` at byte {start} closes nothing"));
                    };
                    items[begin] = Item::List(items.len() as u32);
                }
                _ => items.push(Item::Atom(reader.atom(start)?)),
            }
        }
        match open.is_empty() {
            true => Ok(Sexprs { items }),
            false => Err("a `)` is missing at the end".to_owned()),
        }
    }

    /// The S-expressions of the text that are in no other.
    pub fn iter(&self) -> Items<'_> {
        Items {
            items: &self.items,
            at: 0,
            end: self.items.len(),
        }
    }
}

impl<'a> IntoIterator for &'a Sexprs {
    type Item = Sexpr<'a>;
    type IntoIter = Items<'a>;

    fn into_iter(self) -> Items<'a> {
        self.iter()
    }
}

impl<'a> Iterator for Items<'a> {
    type Item = Sexpr<'a>;

    fn next(&mut self) -> Option<Sexpr<'a>> {
        if self.at >= self.end {
            return None;
        }
        let found = Sexpr {
            items: self.items,
            at: self.at,
        };
        self.at = found.end();
        Some(found)
    }
}

impl<'a> Sexpr<'a> {
    fn end(self) -> usize {
        match self.items[self.at] {
            Item::Atom(_) => self.at + 1,
            Item::List(end) => end as usize,
        }
    }

    /// What it is, if it is no list.
    pub fn atom(self) -> Option<&'a Atom> {
        match &self.items[self.at] {
            Item::Atom(atom) => Some(atom),
            Item::List(_) => None,
        }
    }

    /// The symbol that it is.
    pub fn symbol(self) -> Option<&'a str> {
        match self.atom()? {
            Atom::Symbol(text) => Some(text),
            _ => None,
        }
    }

    /// The number that it is.
    pub fn numeral(self) -> Option<u32> {
        match self.atom()? {
            Atom::Numeral(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// What is in the list that it is.
    pub fn items(self) -> Option<Items<'a>> {
        match self.items[self.at] {
            Item::Atom(_) => None,
            Item::List(end) => Some(Items {
                items: self.items,
                at: self.at + 1,
                end: end as usize,
            }),
        }
    }

    /// What is in the list that it is; nothing if it is none.
    pub fn list(self) -> Vec<Sexpr<'a>> {
        self.items().map(Iterator::collect).unwrap_or_default()
    }

    /// Whether it is a list that begins with a symbol.
    pub fn begins_with(self, symbol: &str) -> bool {
        let first = self.items().and_then(|mut it| it.next());
        first.and_then(Sexpr::symbol) == Some(symbol)
    }
}

impl fmt::Display for Sexpr<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut ends: Vec<usize> = Vec::new();
        for at in self.at..self.end() {
            while ends.last() == Some(&at) {
                ends.pop();
                formatter.write_str(")")?;
            }
            let is_first = at == self.at || matches!(self.items[at - 1], Item::List(_));
            // An empty list before is a list, but nothing is in it.
            let is_after_empty =
                at > self.at && matches!(self.items[at - 1], Item::List(end) if end as usize == at);
            if !is_first || is_after_empty {
                formatter.write_str(" ")?;
            }
            match &self.items[at] {
                Item::List(end) => {
                    formatter.write_str("(")?;
                    ends.push(*end as usize);
                }
                Item::Atom(atom) => write!(formatter, "{atom}")?,
            }
        }
        for _ in ends {
            formatter.write_str(")")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Sexpr<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Atom::Symbol(text) => {
                let is_number = text.as_bytes().first().is_none_or(u8::is_ascii_digit);
                match !is_number && text.bytes().all(is_simple) {
                    true => formatter.write_str(text),
                    false => write!(formatter, "|{text}|"),
                }
            }
            Atom::Text(text) => write!(formatter, "\"{}\"", text.replace('"', "\"\"")),
            Atom::Keyword(text) | Atom::Numeral(text) | Atom::Decimal(text) | Atom::Bits(text) => {
                formatter.write_str(text)
            }
        }
    }
}

/// Whether a symbol with that byte needs no bars.
pub(super) fn is_simple(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&byte)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    /// Where what is not a space or a comment begins.
    fn next_start(&mut self) -> Option<usize> {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b';' => {
                    let rest = &bytes[self.at..];
                    let line = rest.iter().position(|&it| it == b'\n');
                    self.at += line.unwrap_or(rest.len());
                }
                _ if byte.is_ascii_whitespace() => self.at += 1,
                _ => return Some(self.at),
            }
        }
        None
    }

    fn atom(&mut self, start: usize) -> Result<Atom, String> {
        let bytes = self.text.as_bytes();
        match bytes[start] {
            b'|' => {
                let Some(length) = self.text[start + 1..].find('|') else {
                    return Err(format!("`|` at byte {start} is not closed"));
                };
                self.at = start + length + 2;
                let text = &self.text[start + 1..self.at - 1];
                return Ok(Atom::Symbol(text.into()));
            }
            b'"' => return self.quoted(start),
            _ => {}
        }
        let ends = |byte: &u8| byte.is_ascii_whitespace() || b"();\"|".contains(byte);
        let length = bytes[start..].iter().position(ends);
        self.at = length.map_or(bytes.len(), |it| start + it);
        let text = &self.text[start..self.at];
        let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
        let known = match bytes[start] {
            b':' => Some(Atom::Keyword(text.into())),
            b'#' => {
                let digits =
                    |radix: u32| text.len() > 2 && text[2..].chars().all(|it| it.is_digit(radix));
                let is_number =
                    text.starts_with("#x") && digits(16) || text.starts_with("#b") && digits(2);
                is_number.then(|| Atom::Bits(text.into()))
            }
            b'0'..=b'9' => match text.split_once('.') {
                None if is_digits(text) => Some(Atom::Numeral(text.into())),
                Some((one, other)) if is_digits(one) && is_digits(other) => {
                    Some(Atom::Decimal(text.into()))
                }
                _ => None,
            },
            // Solvers use more than the standard allows.
            _ => Some(Atom::Symbol(text.into())),
        };
        known.ok_or_else(|| format!("no symbol and no number at byte {start}"))
    }

    fn quoted(&mut self, start: usize) -> Result<Atom, String> {
        let mut text = String::new();
        let mut at = start + 1;
        loop {
            let Some(length) = self.text[at..].find('"') else {
                return Err(format!("`\"` at byte {start} is not closed"));
            };
            text.push_str(&self.text[at..at + length]);
            at += length + 1;
            // Two of them are one in the text.
            if self.text.as_bytes().get(at) != Some(&b'"') {
                break;
            }
            text.push('"');
            at += 1;
        }
        self.at = at;
        Ok(Atom::Text(text.into()))
    }
}
