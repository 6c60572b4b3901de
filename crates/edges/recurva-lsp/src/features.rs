//! Answers about one version of a document.

use std::collections::HashMap;

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeLens, Command, CompletionItem,
    CompletionItemKind, DocumentSymbol, FoldingRange, Hover, HoverContents, Location,
    MarkupContent, MarkupKind, Position, Range, TextEdit, WorkspaceEdit,
};
use recurva_syntax::{Span, Symbol, SymbolId, SymbolKind};
use serde_json::json;

use crate::{
    analysis::Analysis,
    ask::COMMAND,
    loaded::Loaded,
    position::Encoding,
    word::{Word, word_at},
};

/// A version of a document that is asked about.
pub(crate) struct Features<'a> {
    pub(crate) analysis: &'a Analysis,
    pub(crate) encoding: Encoding,
}

impl Features<'_> {
    fn range(&self, span: Span) -> Range {
        self.analysis.range(span, self.encoding)
    }

    fn symbol_at(&self, position: Position) -> Option<(Span, SymbolId, &Symbol)> {
        let offset = self.analysis.offset(position, self.encoding);
        let (place, id) = self.analysis.index.at(offset)?;
        Some((place, id, self.analysis.index.symbol(id)?))
    }

    /// The name of the model at a position of a file that is about it.
    fn model_names(&self, position: Position) -> Option<(Word<'_>, &Loaded, Vec<&Symbol>)> {
        let loaded = self.analysis.model.as_deref()?;
        let offset = self.analysis.offset(position, self.encoding);
        let word = word_at(self.analysis.text.source.text(), offset as usize)?;
        let found = word.find(&loaded.index);
        (!found.is_empty()).then_some((word, loaded, found))
    }

    pub(crate) fn hover(&self, position: Position) -> Option<Hover> {
        let (place, text) = match self.symbol_at(position) {
            Some((place, id, symbol)) => {
                let remark = self.analysis.remarks.get(&id);
                (place, explained(&symbol.detail, remark.map(String::as_str)))
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
            let range = self.range(symbol.place);
            return vec![Location::new(self.analysis.text.uri.clone(), range)];
        }
        let Some((_, loaded, found)) = self.model_names(position) else {
            return Vec::new();
        };
        let text = &loaded.text;
        let location = |symbol: &&Symbol| {
            let source = text.source.text();
            let range = text.lines.range(source, symbol.place, self.encoding);
            Location::new(text.uri.clone(), range)
        };
        found.iter().map(location).collect()
    }

    pub(crate) fn references(&self, position: Position, with_declaration: bool) -> Vec<Location> {
        let Some((_, id, symbol)) = self.symbol_at(position) else {
            return Vec::new();
        };
        let uses = self.analysis.index.uses(id);
        let wanted = uses.filter(|&place| with_declaration || place != symbol.place);
        let uri = &self.analysis.text.uri;
        wanted
            .map(|place| Location::new(uri.clone(), self.range(place)))
            .collect()
    }

    fn edit(&self, edits: Vec<TextEdit>) -> WorkspaceEdit {
        let uri = self.analysis.text.uri.clone();
        WorkspaceEdit::new(HashMap::from([(uri, edits)]))
    }

    /// The outline: what is declared in something stands in it.
    pub(crate) fn outline(&self) -> Vec<DocumentSymbol> {
        let mut children: HashMap<Option<SymbolId>, Vec<DocumentSymbol>> = HashMap::new();
        let symbols: Vec<(SymbolId, &Symbol)> = self.analysis.index.symbols().collect();
        // Parents come before what is in them.
        for (id, symbol) in symbols.into_iter().rev() {
            let mut inside = children.remove(&Some(id)).unwrap_or_default();
            inside.sort_by_key(|it| it.selection_range.start);
            #[expect(deprecated, reason = "the structure has no default")]
            let entry = DocumentSymbol {
                name: symbol.name.clone(),
                detail: Some(symbol.detail.lines().next().unwrap_or_default().to_owned()),
                kind: kind(symbol.kind),
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
        let ranges = self
            .analysis
            .index
            .symbols()
            .map(|(_, it)| self.range(it.extent));
        let long = ranges.filter(|range| range.start.line < range.end.line);
        let fold = |range: Range| FoldingRange {
            start_line: range.start.line,
            end_line: range.end.line,
            ..FoldingRange::default()
        };
        long.map(fold).collect()
    }

    pub(crate) fn lenses(&self) -> Vec<CodeLens> {
        let lenses = self.analysis.lenses.iter().map(|lens| CodeLens {
            range: self.range(lens.place),
            command: Some(Command {
                title: lens.title.to_owned(),
                command: COMMAND.to_owned(),
                arguments: Some(vec![json!(lens.model), json!(lens.ask)]),
            }),
            data: None,
        });
        lenses.collect()
    }

    /// Names in scope, then words of the language.
    pub(crate) fn completion(&self, position: Position) -> Vec<CompletionItem> {
        let offset = self.analysis.offset(position, self.encoding);
        let index = &self.analysis.index;
        let inside = |symbol: &Symbol| match symbol.parent.and_then(|it| index.symbol(it)) {
            Some(parent) => (parent.extent.start..=parent.extent.end).contains(&offset),
            None => true,
        };
        let own = index.symbols().filter(|(_, it)| inside(it));
        let model = self.analysis.model.as_deref().map(|it| &it.index);
        let of_model = model.into_iter().flat_map(recurva_syntax::Index::symbols);
        let names = own.chain(of_model).map(|(_, symbol)| CompletionItem {
            label: symbol.name.clone(),
            kind: Some(completion_kind(symbol.kind)),
            detail: Some(symbol.detail.lines().next().unwrap_or_default().to_owned()),
            ..CompletionItem::default()
        });
        let words = self.analysis.language.words().iter();
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
        let source = &self.analysis.text.source;
        let messages = self.analysis.diagnostics.iter();
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

fn kind(kind: SymbolKind) -> lsp_types::SymbolKind {
    use lsp_types::SymbolKind as To;
    match kind {
        SymbolKind::Procedure => To::FUNCTION,
        SymbolKind::Parameter | SymbolKind::Variable => To::VARIABLE,
        SymbolKind::Constant => To::CONSTANT,
        SymbolKind::Struct => To::STRUCT,
        SymbolKind::Field => To::FIELD,
        SymbolKind::Label => To::KEY,
        SymbolKind::Value => To::ENUM_MEMBER,
        SymbolKind::Action => To::EVENT,
        SymbolKind::Property => To::PROPERTY,
    }
}

fn completion_kind(kind: SymbolKind) -> CompletionItemKind {
    match kind {
        SymbolKind::Procedure => CompletionItemKind::FUNCTION,
        SymbolKind::Parameter | SymbolKind::Variable => CompletionItemKind::VARIABLE,
        SymbolKind::Constant => CompletionItemKind::CONSTANT,
        SymbolKind::Struct => CompletionItemKind::STRUCT,
        SymbolKind::Field => CompletionItemKind::FIELD,
        SymbolKind::Label => CompletionItemKind::REFERENCE,
        SymbolKind::Value => CompletionItemKind::ENUM_MEMBER,
        SymbolKind::Action => CompletionItemKind::EVENT,
        SymbolKind::Property => CompletionItemKind::PROPERTY,
    }
}
