//! Answers about one version of a document.

use std::collections::HashMap;

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeLens, Command, CompletionItem,
    CompletionItemKind, DocumentSymbol, FoldingRange, Hover, HoverContents, Location,
    MarkupContent, MarkupKind, Position, Range, TextEdit, WorkspaceEdit,
};
use recurva_check::Document;
use recurva_syntax::{Span, Symbol, SymbolId, SymbolKind};
use serde_json::json;

use crate::{
    analysis::{Analysis, Known},
    ask::COMMAND,
    position::Encoding,
    text::Text,
    word::{Word, word_at},
};

/// A version of a document that is asked about.
pub(crate) struct Features<'a> {
    pub(crate) analysis: &'a Analysis,
    pub(crate) encoding: Encoding,
}

impl Features<'_> {
    fn text(&self) -> &Text {
        &self.analysis.known.text
    }

    fn document(&self) -> &Document {
        &self.analysis.known.document
    }

    fn range(&self, span: Span) -> Range {
        self.analysis.range(span, self.encoding)
    }

    fn symbol_at(&self, position: Position) -> Option<(Span, SymbolId, &Symbol)> {
        let offset = self.analysis.offset(position, self.encoding);
        let (place, id) = self.document().index.at(offset)?;
        Some((place, id, self.document().index.symbol(id)?))
    }

    /// The name of the model at a position of a file that is about it.
    fn model_names(&self, position: Position) -> Option<(Word<'_>, &Known, Vec<&Symbol>)> {
        let loaded = self.analysis.model.as_deref()?;
        let offset = self.analysis.offset(position, self.encoding);
        let word = word_at(self.text().source.text(), offset as usize)?;
        let found = word.find(&loaded.document.index);
        (!found.is_empty()).then_some((word, loaded, found))
    }

    pub(crate) fn hover(&self, position: Position) -> Option<Hover> {
        let (place, text) = match self.symbol_at(position) {
            Some((place, id, symbol)) => {
                let remark = self.document().remarks.iter().find(|(of, _)| *of == id);
                (
                    place,
                    explained(&symbol.detail, remark.map(|(_, text)| &**text)),
                )
            }
            None => {
                let (word, loaded, found) = self.model_names(position)?;
                let details: Vec<&str> = found.iter().map(|it| &*it.detail).collect();
                let from = format!("in {}", loaded.text.source.name());
                (word.place, explained(&details.join("\n"), Some(&from)))
            }
        };
        Some(Hover {
            contents: HoverContents::Markup(MarkupContent {
                kind: MarkupKind::Markdown,
                value: text,
            }),
            range: Some(self.range(place)),
        })
    }

    pub(crate) fn definition(&self, position: Position) -> Vec<Location> {
        if let Some((_, _, symbol)) = self.symbol_at(position) {
            return vec![self.text().location(symbol.place, self.encoding)];
        }
        let Some((_, loaded, found)) = self.model_names(position) else {
            return Vec::new();
        };
        let places = found.iter().map(|symbol| symbol.place);
        places
            .map(|place| loaded.text.location(place, self.encoding))
            .collect()
    }

    pub(crate) fn references(&self, position: Position, with_declaration: bool) -> Vec<Location> {
        let Some((_, id, symbol)) = self.symbol_at(position) else {
            return Vec::new();
        };
        let uses = self.document().index.uses(id);
        let wanted = uses.filter(|&place| with_declaration || place != symbol.place);
        wanted
            .map(|place| self.text().location(place, self.encoding))
            .collect()
    }

    fn edit(&self, edits: Vec<TextEdit>) -> WorkspaceEdit {
        let uri = self.text().uri.clone();
        WorkspaceEdit::new(HashMap::from([(uri, edits)]))
    }

    /// The outline: what is declared in something stands in it.
    pub(crate) fn outline(&self) -> Vec<DocumentSymbol> {
        let mut children: HashMap<Option<SymbolId>, Vec<DocumentSymbol>> = HashMap::new();
        let symbols: Vec<(SymbolId, &Symbol)> = self.document().index.symbols().collect();
        // Parents come before what is in them.
        for (id, symbol) in symbols.into_iter().rev() {
            let mut inside = children.remove(&Some(id)).unwrap_or_default();
            inside.sort_by_key(|it| it.selection_range.start);
            #[expect(deprecated, reason = "the structure has no default")]
            let entry = DocumentSymbol {
                name: symbol.name.clone(),
                detail: Some(symbol.detail.lines().next().unwrap_or_default().to_owned()),
                kind: kinds(symbol.kind).0,
                tags: None,
                deprecated: None,
                range: self.range(symbol.extent.to(symbol.place)),
                selection_range: self.range(symbol.place),
                children: (!inside.is_empty()).then_some(inside),
            };
            children.entry(symbol.parent).or_default().push(entry);
        }
        let mut top = children.remove(&None).unwrap_or_default();
        top.sort_by_key(|it| it.selection_range.start);
        top
    }

    pub(crate) fn folding(&self) -> Vec<FoldingRange> {
        let symbols = self.document().index.symbols();
        let ranges = symbols.map(|(_, it)| self.range(it.extent));
        let long = ranges.filter(|range| range.start.line < range.end.line);
        let fold = |range: Range| FoldingRange {
            start_line: range.start.line,
            end_line: range.end.line,
            ..FoldingRange::default()
        };
        long.map(fold).collect()
    }

    pub(crate) fn lenses(&self) -> Vec<CodeLens> {
        let lenses = self.document().offers.iter().map(|offer| {
            let (model, ask) = self.analysis.ask(offer);
            CodeLens {
                range: self.range(offer.place),
                command: Some(Command {
                    title: offer.title.to_owned(),
                    command: COMMAND.to_owned(),
                    arguments: Some(vec![json!(model), json!(ask)]),
                }),
                data: None,
            }
        });
        lenses.collect()
    }

    /// Names in scope, then words of the language.
    pub(crate) fn completion(&self, position: Position) -> Vec<CompletionItem> {
        let offset = self.analysis.offset(position, self.encoding);
        let index = &self.document().index;
        let inside = |symbol: &Symbol| match symbol.parent.and_then(|it| index.symbol(it)) {
            Some(parent) => (parent.extent.start..=parent.extent.end).contains(&offset),
            None => true,
        };
        let own = index.symbols().filter(|(_, it)| inside(it));
        let model = self.analysis.model.as_deref().map(|it| &it.document.index);
        let of_model = model.into_iter().flat_map(recurva_syntax::Index::symbols);
        let names = own.chain(of_model).map(|(_, symbol)| CompletionItem {
            label: symbol.name.clone(),
            kind: Some(kinds(symbol.kind).1),
            detail: Some(symbol.detail.lines().next().unwrap_or_default().to_owned()),
            ..CompletionItem::default()
        });
        let words = self.analysis.language.keywords().iter();
        let words = words.map(|word| CompletionItem {
            label: (*word).to_owned(),
            kind: Some(CompletionItemKind::KEYWORD),
            ..CompletionItem::default()
        });
        let mut list: Vec<CompletionItem> = names.chain(words).collect();
        list.sort_by(|a, b| a.label.cmp(&b.label));
        list.dedup_by(|a, b| a.label == b.label && a.detail == b.detail);
        list
    }

    /// Quick fixes: the name that was meant.
    pub(crate) fn actions(&self, range: Range) -> Vec<CodeActionOrCommand> {
        let source = &self.text().source;
        let messages = self.document().diagnostics.iter();
        let fixes = messages.filter_map(|message| {
            let meant = message.suggestion()?;
            let place = message.primary().span;
            let at = self.range(place);
            let apart = at.end < range.start || range.end < at.start;
            // Only where nothing but the wrong name stands.
            let is_name = |c: char| c.is_alphanumeric() || c == '_';
            let written = source.slice(place);
            if apart || written.is_empty() || !written.chars().all(is_name) {
                return None;
            }
            let edit = TextEdit {
                range: at,
                new_text: meant.to_owned(),
            };
            Some(CodeActionOrCommand::CodeAction(CodeAction {
                title: format!("write `{meant}`"),
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![self.analysis.diagnostic(message, self.encoding)]),
                edit: Some(self.edit(vec![edit])),
                is_preferred: Some(true),
                ..CodeAction::default()
            }))
        });
        fixes.collect()
    }
}

fn explained(detail: &str, remark: Option<&str>) -> String {
    let mut parts = detail.splitn(2, "\n\n");
    let code = parts.next().unwrap_or_default();
    let mut text = format!("```\n{code}\n```");
    for more in parts.chain(remark) {
        text += &format!("\n\n{more}");
    }
    text
}

/// What a symbol is, in an outline and in a list of names.
fn kinds(kind: SymbolKind) -> (lsp_types::SymbolKind, CompletionItemKind) {
    use lsp_types::SymbolKind as Outline;
    match kind {
        SymbolKind::Procedure => (Outline::FUNCTION, CompletionItemKind::FUNCTION),
        SymbolKind::Parameter | SymbolKind::Variable => {
            (Outline::VARIABLE, CompletionItemKind::VARIABLE)
        }
        SymbolKind::Constant => (Outline::CONSTANT, CompletionItemKind::CONSTANT),
        SymbolKind::Struct => (Outline::STRUCT, CompletionItemKind::STRUCT),
        SymbolKind::Field => (Outline::FIELD, CompletionItemKind::FIELD),
        SymbolKind::Label => (Outline::KEY, CompletionItemKind::REFERENCE),
        SymbolKind::Value => (Outline::ENUM_MEMBER, CompletionItemKind::ENUM_MEMBER),
        SymbolKind::Action => (Outline::EVENT, CompletionItemKind::EVENT),
        SymbolKind::Property => (Outline::PROPERTY, CompletionItemKind::PROPERTY),
    }
}
