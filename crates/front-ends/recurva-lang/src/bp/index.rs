//! Where the names of a boolean program are declared and used.

use recurva_model::Type;
use recurva_syntax::{Index, Source, Span, SymbolId, SymbolKind};

use super::{
    Options,
    ast::{Declaration, Procedure, Statement, StatementKind, Target},
    parse,
};
use crate::{
    expr::{Expr, Leaf, What},
    index::{Builder, dimension},
    names::{Name, NameId, Names},
};

/// Where the names of a text are declared and used. What cannot be read is left out.
pub fn index(source: &Source, options: &Options) -> Index {
    let (file, names, _) = parse::parse(source, options.dialect);
    let mut builder = Builder::new(source, &names);
    for declaration in &file.globals {
        let detail = format!("{}, global", shown(declaration, &names));
        let symbol = builder.declare(declaration.name, SymbolKind::Variable, detail, None);
        // Of two with one name the first counts, here and below.
        let _ = builder.globals.insert(declaration.name.id, symbol.0);
    }
    let mut symbols = Vec::with_capacity(file.procedures.len());
    for procedure in &file.procedures {
        let extent = procedure.head.to(procedure.end);
        let detail = head(procedure, &names);
        let kind = SymbolKind::Procedure;
        let symbol = builder.declare_in(procedure.name, kind, detail, None, extent);
        let _ = builder.procedures.insert(procedure.name.id, symbol.0);
        symbols.push(symbol);
    }
    for (procedure, symbol) in file.procedures.iter().zip(symbols) {
        builder.enter();
        builder.locals(procedure, symbol);
        builder.labels(&procedure.body, symbol);
        for expr in &procedure.enforce {
            builder.expr(expr);
        }
        builder.block(&procedure.body);
    }
    builder.index.finish()
}

fn shown(declaration: &Declaration, names: &Names<'_>) -> String {
    let name = names.text(declaration.name.id);
    format!("{} {name}{}", declaration.ty, dimension(declaration.len))
}

/// The head of a procedure with all types spelled out.
fn head(procedure: &Procedure, names: &Names<'_>) -> String {
    let results: Vec<String> = procedure.results.iter().map(Type::to_string).collect();
    let results = match results.is_empty() {
        true => "void".to_owned(),
        false => results.join(", "),
    };
    let parameters = procedure.parameters.iter();
    let parameters: Vec<String> = parameters.map(|it| shown(it, names)).collect();
    let name = names.text(procedure.name.id);
    format!("{results} {name}({})", parameters.join(", "))
}

impl Builder<'_> {
    fn locals(&mut self, procedure: &Procedure, symbol: SymbolId) {
        let name = self.names.text(procedure.name.id);
        let lists = [
            (&procedure.parameters, SymbolKind::Parameter, "parameter"),
            (&procedure.locals, SymbolKind::Variable, "local"),
        ];
        for (list, kind, word) in lists {
            for declaration in list {
                let detail = format!("{}, {word} of {name}", shown(declaration, self.names));
                let local = self.declare(declaration.name, kind, detail, Some(symbol));
                let _ = self.locals.insert(declaration.name.id, local.0);
            }
        }
    }

    fn labels(&mut self, block: &[Statement], symbol: SymbolId) {
        for statement in block {
            self.declare_labels(&statement.labels, symbol);
            match &statement.kind {
                StatementKind::If {
                    branches,
                    otherwise,
                } => {
                    for branch in branches {
                        self.labels(&branch.body, symbol);
                    }
                    self.labels(otherwise, symbol);
                }
                StatementKind::While(branch) => self.labels(&branch.body, symbol),
                _ => {}
            }
        }
    }

    fn block(&mut self, block: &[Statement]) {
        for statement in block {
            self.statement(&statement.kind);
        }
    }

    fn statement(&mut self, statement: &StatementKind) {
        match statement {
            StatementKind::Skip | StatementKind::Broken => {}
            StatementKind::Goto(labels) => labels.iter().for_each(|&it| self.use_label(it)),
            StatementKind::Return(values) | StatementKind::Print(values) => self.exprs(values),
            StatementKind::Assign {
                targets,
                values,
                constraint,
            } => {
                self.targets(targets);
                self.exprs(values);
                constraint.iter().for_each(|it| self.expr(it));
            }
            StatementKind::Call {
                targets,
                callee,
                arguments,
            } => {
                self.targets(targets);
                self.use_procedure(*callee);
                self.exprs(arguments);
            }
            StatementKind::If {
                branches,
                otherwise,
            } => {
                for branch in branches {
                    self.expr(&branch.condition);
                    self.block(&branch.body);
                }
                self.block(otherwise);
            }
            StatementKind::While(branch) => {
                self.expr(&branch.condition);
                self.block(&branch.body);
            }
            StatementKind::Assert(expr)
            | StatementKind::Assume(expr)
            | StatementKind::AbortIf(expr) => self.expr(expr),
            StatementKind::Dead(names) => names.iter().for_each(|&it| self.use_variable(it)),
        }
    }

    fn targets(&mut self, targets: &[Target]) {
        for target in targets {
            match target {
                Target::Nothing => {}
                Target::Scalar(name) => self.use_variable(*name),
                Target::Element(name, index) => {
                    self.use_variable(*name);
                    self.expr(index);
                }
            }
        }
    }

    fn exprs(&mut self, list: &[Expr]) {
        list.iter().for_each(|expr| self.expr(expr));
    }

    fn expr(&mut self, expr: &Expr) {
        for item in &expr.items {
            let (What::Leaf(leaf) | What::Element(leaf)) = item.what else {
                continue;
            };
            match leaf {
                Leaf::Name(id) => self.leaf(id, item.span.start),
                // The tick stands before the name.
                Leaf::Next(id) => self.leaf(id, item.span.start + 1),
                Leaf::Local(..) | Leaf::Label(_) | Leaf::LabelIn(..) | Leaf::In(_) => {}
            }
        }
    }

    fn leaf(&mut self, id: NameId, start: u32) {
        let text = self.names.text(id);
        let span = Span::new(start, start + text.len() as u32);
        if self.source.slice(span) == text {
            self.use_variable(Name { id, span });
        }
    }
}
