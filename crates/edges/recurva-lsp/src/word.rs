//! Names of a model in the files that are about it.

use recurva_syntax::{Index, Span, Symbol, SymbolKind};

/// A name with what stands around it: `x`, `@L`, `f::x`, `@f::L`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word<'t> {
    pub(crate) name: &'t str,
    pub(crate) place: Span,
    /// The procedure before `::`.
    procedure: Option<&'t str>,
    /// Whether `@` stands before all of it.
    label: bool,
    /// Whether `::` follows.
    scope: bool,
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The word at an offset, or one that ends there.
pub(crate) fn word_at(text: &str, offset: usize) -> Option<Word<'_>> {
    let (before, behind) = (text.get(..offset)?, text.get(offset..)?);
    let start = before.trim_end_matches(is_part).len();
    let end = offset + behind.find(|c| !is_part(c)).unwrap_or(behind.len());
    if start == end {
        return None;
    }
    let scoped = text[..start].strip_suffix("::");
    let procedure = scoped.map(|before| &before[before.trim_end_matches(is_part).len()..]);
    let first = scoped.map_or(start, |before| before.trim_end_matches(is_part).len());
    Some(Word {
        name: &text[start..end],
        place: Span::new(start as u32, end as u32),
        procedure: procedure.filter(|name| !name.is_empty()),
        label: text[..first].ends_with('@'),
        scope: text[end..].starts_with("::"),
    })
}

impl Word<'_> {
    /// What it can stand for.
    pub(crate) fn find<'i>(&self, index: &'i Index) -> Vec<&'i Symbol> {
        let parent = |symbol: &Symbol| symbol.parent.and_then(|it| index.symbol(it));
        let fits = |symbol: &&Symbol| {
            let global = symbol.parent.is_none();
            let kind = match symbol.kind {
                SymbolKind::Procedure => !self.label || self.scope,
                SymbolKind::Label => self.label && !self.scope,
                SymbolKind::Variable | SymbolKind::Parameter => {
                    !self.label && !self.scope && (global || self.procedure.is_some())
                }
                _ => false,
            };
            let place = self
                .procedure
                .is_none_or(|wanted| parent(symbol).is_some_and(|parent| parent.name == wanted));
            symbol.name == self.name && kind && place
        };
        let symbols = index.symbols().map(|(_, symbol)| symbol);
        symbols.filter(fits).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_what_stands_around_them() {
        let text = "G(@f::L -> x)";
        let at = |offset| word_at(text, offset);
        let label = at(6).unwrap();
        assert_eq!(
            (label.name, label.procedure, label.label),
            ("L", Some("f"), true)
        );
        let procedure = at(3).unwrap();
        assert_eq!(
            (procedure.name, procedure.label, procedure.scope),
            ("f", true, true)
        );
        assert_eq!(at(12).unwrap().name, "x");
        assert_eq!(at(9), None);
        assert_eq!(at(99), None);
    }
}
