//! Where in a unit something can be said: functions, statements, loops, ends of blocks.

use std::collections::BTreeSet;

use recurva_c::ast::{
    BlockItem, Declarator, DeclaratorPart, FunctionDefinition, Item, Name, Parameters, StmtId,
    StmtKind, Unit,
};
use recurva_syntax::Span;

/// A place that an annotation can stand before.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub(super) kind: SiteKind,
    /// What begins there, in the unit's text; of the end of a block its bracket.
    pub(super) span: Span,
    /// Which names are known there: those at this offset.
    pub(super) names: u32,
    /// The function that it is in, by its number in [`Sites::functions`].
    pub(super) function: Option<usize>,
}

/// What begins at a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SiteKind {
    /// A definition or a declaration of a function.
    Function(Head),
    /// Another declaration outside all functions.
    Declaration,
    Statement,
    /// A label: what follows has a site of its own.
    Label,
    Loop,
    BlockEnd,
}

/// The head of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) name: Box<str>,
    /// The names of its parameters, as far as they have some.
    pub(super) parameters: Vec<Option<Box<str>>>,
}

/// A function with a body.
#[derive(Clone, Debug)]
pub(super) struct Defined {
    pub(super) name: Box<str>,
}

/// All sites of a unit.
#[derive(Clone, Debug, Default)]
pub(super) struct Sites {
    /// In the order of the text.
    pub(super) list: Vec<Site>,
    pub(super) functions: Vec<Defined>,
    /// Blocks and whatever else ends the life of names.
    pub(super) scopes: Vec<Span>,
    /// What is declared outside all functions.
    pub(super) variables: BTreeSet<Box<str>>,
}

impl Sites {
    /// The sites of a unit.
    pub(super) fn new(unit: &Unit) -> Self {
        let mut walk = Walk {
            unit,
            sites: Sites::default(),
            open: Vec::new(),
        };
        for item in &unit.items {
            match item {
                Item::Function(definition) => walk.function(definition),
                Item::Declaration(declaration) => walk.declaration(declaration),
                Item::StaticAssert(assert) => walk.site(SiteKind::Declaration, assert.span),
                Item::Assembler(span) => walk.site(SiteKind::Declaration, *span),
            }
        }
        walk.sites.list.sort_by_key(|site| site.span.start);
        walk.sites
    }

    /// The smallest scope around an offset.
    pub(super) fn scope(&self, offset: u32) -> Option<Span> {
        let around = self.scopes.iter();
        let around = around.filter(|scope| scope.start <= offset && offset < scope.end);
        around.copied().min_by_key(|scope| scope.end - scope.start)
    }
}

struct Walk<'u> {
    unit: &'u Unit,
    sites: Sites,
    /// Statements that are still to be looked at.
    open: Vec<StmtId>,
}

impl Walk<'_> {
    fn site(&mut self, kind: SiteKind, span: Span) {
        self.inner_site(kind, span, span.start, None);
    }

    fn inner_site(&mut self, kind: SiteKind, span: Span, names: u32, function: Option<usize>) {
        self.sites.list.push(Site {
            kind,
            span,
            names,
            function,
        });
    }

    fn text(&self, name: Name) -> Box<str> {
        self.unit.name(name).into()
    }

    /// The head of what is declared, if it is a function.
    fn head(&self, declarator: &Declarator) -> Option<Head> {
        let name = declarator.name?;
        let Some(DeclaratorPart::Function(parameters)) = declarator.parts.first() else {
            return None;
        };
        let parameters = match parameters {
            Parameters::Prototype { list, .. } => list
                .iter()
                .map(|it| it.declarator.name.map(|it| self.text(it.name)))
                .collect(),
            Parameters::Names(names) => names.iter().map(|it| Some(self.text(it.name))).collect(),
        };
        Some(Head {
            name: self.text(name.name),
            parameters,
        })
    }

    fn declaration(&mut self, declaration: &recurva_c::ast::Declaration) {
        for declared in &declaration.declarators {
            if let Some(ident) = declared.declarator.name {
                let name = self.text(ident.name);
                self.sites.variables.insert(name);
            }
        }
        let mut declared = declaration.declarators.iter();
        let is_type = declaration.specifiers.storage.is_typedef;
        let head = declared.next().filter(|_| !is_type);
        let kind = match head.and_then(|it| self.head(&it.declarator)) {
            Some(head) => SiteKind::Function(head),
            None => SiteKind::Declaration,
        };
        self.site(kind, declaration.span);
    }

    fn function(&mut self, definition: &FunctionDefinition) {
        let kind = match self.head(&definition.declarator) {
            Some(head) => SiteKind::Function(head),
            None => SiteKind::Declaration,
        };
        let name = match &kind {
            SiteKind::Function(head) => head.name.clone(),
            _ => "".into(),
        };
        self.site(kind, definition.span);
        let number = self.sites.functions.len();
        self.sites.functions.push(Defined { name });
        self.open.push(definition.body);
        let mut is_body = true;
        while let Some(id) = self.open.pop() {
            self.statement(id, number, is_body);
            is_body = false;
        }
    }

    fn statement(&mut self, id: StmtId, function: usize, is_body: bool) {
        let stmt = self.unit.stmt(id);
        let span = stmt.span;
        let kind = match &stmt.kind {
            StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. } => {
                SiteKind::Loop
            }
            StmtKind::Label { .. } | StmtKind::Case { .. } | StmtKind::Default(_) => {
                SiteKind::Label
            }
            _ => SiteKind::Statement,
        };
        if !is_body {
            self.inner_site(kind, span, span.start, Some(function));
        }
        match &stmt.kind {
            StmtKind::Block(items) => {
                self.sites.scopes.push(span);
                let end = Span::new(span.end.saturating_sub(1), span.end);
                self.inner_site(SiteKind::BlockEnd, end, end.start, Some(function));
                for item in items {
                    let outer = match item {
                        BlockItem::Stmt(inner) => {
                            self.open.push(*inner);
                            continue;
                        }
                        BlockItem::Declaration(declaration) => declaration.span,
                        BlockItem::Function(definition) => definition.span,
                        BlockItem::StaticAssert(assert) => assert.span,
                        BlockItem::LocalLabels(_) => continue,
                    };
                    self.inner_site(SiteKind::Statement, outer, outer.start, Some(function));
                }
            }
            StmtKind::If { then, other, .. } => {
                self.open.extend([*then].into_iter().chain(*other));
            }
            StmtKind::For { body, .. } => {
                self.sites.scopes.push(span);
                // What the loop declares is known at its head.
                let names = self.unit.stmt(*body).span.start;
                if let Some(site) = self.sites.list.last_mut() {
                    site.names = names;
                }
                self.open.push(*body);
            }
            StmtKind::Switch { body, .. }
            | StmtKind::While { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::Label { body, .. }
            | StmtKind::Case { body, .. }
            | StmtKind::Default(body) => self.open.push(*body),
            _ => {}
        }
    }
}
