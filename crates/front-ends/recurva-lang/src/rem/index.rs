//! Where the names of a Remopla program are declared and used.

use recurva_syntax::{Index, Source, Span, SymbolId, SymbolKind};
use rustc_hash::FxHashMap;

use super::{
    ast::{
        Assign, Choice, Declaration, File, Head, Module, Shape, Statement, StatementKind, Target,
        Value,
    },
    expr::{Expr, Reference, What},
    parse,
};
use crate::{
    index::{Builder, dimension},
    names::{Name, NameId, Names},
};

/// Where the names of a text are declared and used. What cannot be read is left out; the
/// variables of quantifiers are too.
pub fn index(source: &Source) -> Index {
    let (file, names, _) = parse::parse(source);
    let mut walker = Walker {
        file: &file,
        builder: Builder::new(source, &names),
        constants: FxHashMap::default(),
        fields: Vec::new(),
        structs: FxHashMap::default(),
        bound: Vec::new(),
    };
    walker.declarations();
    let modules: Vec<SymbolId> = file.modules.iter().map(|it| walker.module(it)).collect();
    for prototype in &file.prototypes {
        walker.builder.use_procedure(prototype.name);
    }
    if let Some(init) = file.init {
        walker.builder.use_procedure(init);
    }
    for (module, symbol) in file.modules.iter().zip(modules) {
        walker.body(module, symbol);
    }
    walker.builder.index.finish()
}

struct Walker<'a> {
    file: &'a File,
    builder: Builder<'a>,
    constants: FxHashMap<&'a str, SymbolId>,
    /// The first field of each struct.
    fields: Vec<SymbolId>,
    /// The structs that variables are.
    structs: FxHashMap<SymbolId, u32>,
    /// Variables of quantifiers whose scope is open.
    bound: Vec<NameId>,
}

impl<'a> Walker<'a> {
    fn names(&self) -> &'a Names<'a> {
        self.builder.names
    }

    fn declarations(&mut self) {
        for &(name, value) in &self.file.constants {
            let detail = format!("define {} {value}", self.names().text(name.id));
            let kind = SymbolKind::Constant;
            let symbol = self.builder.declare(name, kind, detail, None);
            // Of two with one name the first counts, here and below.
            let text = self.names().text(name.id);
            self.constants.entry(text).or_insert(symbol);
        }
        for entry in &self.file.structs {
            let text = self.names().text(entry.name.id);
            let last = entry.fields.last().map_or(entry.name, |field| field.name);
            let (detail, extent) = (format!("struct {text}"), entry.name.span.to(last.span));
            let kind = SymbolKind::Struct;
            let parent = self
                .builder
                .declare_in(entry.name, kind, detail, None, extent);
            self.fields.push(SymbolId(parent.0 + 1));
            for field in &entry.fields {
                let detail = format!("{}, field of struct {text}", self.shown(field));
                let kind = SymbolKind::Field;
                self.builder.declare(field.name, kind, detail, Some(parent));
            }
        }
        for declaration in &self.file.globals {
            let detail = format!("{}, global", self.shown(declaration));
            let (name, kind) = (declaration.name, SymbolKind::Variable);
            let symbol = self.builder.declare(name, kind, detail, None);
            self.note(symbol, declaration);
            let _ = self.builder.globals.insert(name.id, symbol.0);
        }
    }

    fn note(&mut self, symbol: SymbolId, declaration: &Declaration) {
        if let Shape::Struct(id) = declaration.shape {
            self.structs.insert(symbol, id);
        }
    }

    fn shape(&self, shape: Shape) -> String {
        match shape {
            Shape::Scalar(ty) => ty.to_string(),
            Shape::Struct(id) => {
                let entry = &self.file.structs[id as usize];
                format!("struct {}", self.names().text(entry.name.id))
            }
        }
    }

    fn shown(&self, declaration: &Declaration) -> String {
        let name = self.names().text(declaration.name.id);
        let shape = self.shape(declaration.shape);
        format!("{shape} {name}{}", dimension(declaration.len))
    }

    fn head(&self, head: &Head) -> String {
        let result = head.result.map(|shape| self.shape(shape));
        let result = result.unwrap_or_else(|| "void".to_owned());
        let parameters: Vec<String> = head.parameters.iter().map(|it| self.shown(it)).collect();
        let name = self.names().text(head.name.id);
        format!("module {result} {name}({})", parameters.join(", "))
    }

    fn module(&mut self, module: &Module) -> SymbolId {
        let head = &module.head;
        let (detail, extent) = (self.head(head), head.span.to(module.body.end));
        let kind = SymbolKind::Procedure;
        let symbol = self
            .builder
            .declare_in(head.name, kind, detail, None, extent);
        let _ = self.builder.procedures.insert(head.name.id, symbol.0);
        symbol
    }

    fn body(&mut self, module: &Module, symbol: SymbolId) {
        self.builder.enter();
        let name = self.names().text(module.head.name.id);
        let lists = [
            (&module.head.parameters, SymbolKind::Parameter, "parameter"),
            (&module.body.locals, SymbolKind::Variable, "local"),
        ];
        for (list, kind, word) in lists {
            for declaration in list {
                let detail = format!("{}, {word} of {name}", self.shown(declaration));
                let (name, parent) = (declaration.name, Some(symbol));
                let local = self.builder.declare(name, kind, detail, parent);
                self.note(local, declaration);
                let _ = self.builder.locals.insert(name.id, local.0);
            }
        }
        self.labels(&module.body.statements, symbol);
        self.block(&module.body.statements);
    }

    fn labels(&mut self, block: &[Statement], symbol: SymbolId) {
        for statement in block {
            self.builder.declare_labels(&statement.labels, symbol);
            if let StatementKind::If(choice) | StatementKind::Do(choice) = &statement.kind {
                for branch in &choice.branches {
                    self.labels(&branch.body, symbol);
                }
                if let Some(otherwise) = &choice.otherwise {
                    self.labels(&otherwise.body, symbol);
                }
            }
        }
    }

    fn block(&mut self, block: &[Statement]) {
        for statement in block {
            match &statement.kind {
                StatementKind::Skip | StatementKind::Break | StatementKind::Broken => {}
                StatementKind::Assume(expr) => self.expr(expr),
                StatementKind::Goto(label) => self.builder.use_label(*label),
                StatementKind::Return(value) => value.iter().for_each(|it| self.value(it)),
                StatementKind::Assign(list) => list.iter().for_each(|it| self.assign(it)),
                StatementKind::Call {
                    target,
                    callee,
                    arguments,
                } => {
                    target.iter().for_each(|it| self.target(it));
                    self.builder.use_procedure(*callee);
                    arguments.iter().for_each(|it| self.value(it));
                }
                StatementKind::If(choice) | StatementKind::Do(choice) => self.choice(choice),
            }
        }
    }

    fn choice(&mut self, choice: &Choice) {
        for branch in &choice.branches {
            self.expr(&branch.guard);
            self.block(&branch.body);
        }
        if let Some(otherwise) = &choice.otherwise {
            self.block(&otherwise.body);
        }
    }

    fn assign(&mut self, assign: &Assign) {
        let open = self.bound.len();
        self.bound.extend(assign.all.iter().map(|it| it.name));
        self.target(&assign.target);
        self.value(&assign.value);
        self.bound.truncate(open);
    }

    fn target(&mut self, target: &Target) {
        self.reference(target.reference);
        target.index.iter().for_each(|it| self.expr(it));
    }

    fn value(&mut self, value: &Value) {
        if let Value::Expr(expr) = value {
            self.expr(expr);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        let open = self.bound.len();
        for item in &expr.items {
            match item.what {
                What::Leaf(reference) | What::Element(reference) => self.reference(reference),
                What::Bind(quantifier) => self.bound.push(quantifier.name),
                What::Quantify => {
                    self.bound.pop();
                }
                // A constant stands for its value.
                What::Number(_) => self.constant(item.span),
                _ => {}
            }
        }
        self.bound.truncate(open);
    }

    fn constant(&mut self, span: Span) {
        if let Some(&symbol) = self.constants.get(self.builder.source.slice(span)) {
            self.builder.index.refer(span, symbol);
        }
    }

    fn reference(&mut self, reference: Reference) {
        let Reference { base, field } = reference;
        if self.bound.contains(&base.id) {
            return;
        }
        self.builder.use_variable(base);
        if let Some(field) = field {
            self.field(base, field);
        }
    }

    fn field(&mut self, base: Name, field: Name) {
        let Some(variable) = self.builder.variable(base.id) else {
            return;
        };
        let Some(&id) = self.structs.get(&variable) else {
            return;
        };
        let fields = &self.file.structs[id as usize].fields;
        if let Some(position) = fields.iter().position(|it| it.name.id == field.id) {
            let symbol = SymbolId(self.fields[id as usize].0 + position as u32);
            self.builder.index.refer(field.span, symbol);
        }
    }
}
