//! Statements and declarations, walked for the expressions they evaluate, in the order of the
//! text.

use super::{
    project::Projection,
    tree::{Function, Root, Use},
};
use crate::{
    ast::{
        self, ArraySize, BlockItem, Declaration, Declarator, DeclaratorPart, FunctionDefinition,
        Init, InitDeclarator, Parameters, Specifiers, StmtId, StmtKind, TypeSpecifier,
    },
    error::Result,
};

impl Projection<'_> {
    /// A function at the outermost level.
    pub(super) fn function(&mut self, function: &FunctionDefinition) -> Result<()> {
        let Some(name) = function.declarator.name else {
            return Ok(());
        };
        let mut roots = Vec::new();
        self.parts(&function.declarator, Use::Parameter, &mut roots);
        self.statement(function.body, &mut roots)?;
        self.unit.functions.push(Function {
            name: name.span,
            start: function.span.start,
            body: self.tree.stmt(function.body).span,
            roots,
        });
        Ok(())
    }

    /// The expressions of a block.
    pub(super) fn roots(&mut self, block: StmtId) -> Result<Vec<Root>> {
        let mut roots = Vec::new();
        self.statement(block, &mut roots)?;
        Ok(roots)
    }

    fn root(&self, expr: ast::ExprId, usage: Use, roots: &mut Vec<Root>) {
        let expr = self.id(expr);
        roots.push(Root { expr, usage });
    }

    /// Walks a statement; of chains of labels and of `else`, each link in a turn of a loop.
    fn statement(&mut self, mut id: StmtId, roots: &mut Vec<Root>) -> Result<()> {
        let tree = self.tree;
        loop {
            match &tree.stmt(id).kind {
                StmtKind::Empty | StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue => {}
                StmtKind::Return(None) => {}
                StmtKind::Expr(value) => self.root(*value, Use::Discarded, roots),
                StmtKind::Return(Some(value)) | StmtKind::GotoComputed(value) => {
                    self.root(*value, Use::Wanted, roots);
                }
                StmtKind::Block(items) => {
                    for item in items {
                        self.block_item(item, roots)?;
                    }
                }
                StmtKind::If {
                    condition,
                    then,
                    other,
                } => {
                    self.root(*condition, Use::Wanted, roots);
                    self.statement(*then, roots)?;
                    if let Some(other) = other {
                        id = *other;
                        continue;
                    }
                }
                StmtKind::Switch {
                    value: condition,
                    body,
                }
                | StmtKind::While { condition, body } => {
                    self.root(*condition, Use::Wanted, roots);
                    id = *body;
                    continue;
                }
                StmtKind::DoWhile { body, condition } => {
                    self.statement(*body, roots)?;
                    self.root(*condition, Use::Wanted, roots);
                }
                StmtKind::For {
                    init,
                    condition,
                    step,
                    body,
                } => {
                    if let Some(init) = init {
                        self.block_item(init, roots)?;
                    }
                    if let Some(condition) = condition {
                        self.root(*condition, Use::Wanted, roots);
                    }
                    if let Some(step) = step {
                        self.root(*step, Use::Discarded, roots);
                    }
                    id = *body;
                    continue;
                }
                StmtKind::Label { body, .. }
                | StmtKind::Case { body, .. }
                | StmtKind::Default(body) => {
                    id = *body;
                    continue;
                }
                StmtKind::Asm(asm) => {
                    for operand in asm.outputs.iter().chain(&asm.inputs) {
                        self.root(*operand, Use::Wanted, roots);
                    }
                }
            }
            return Ok(());
        }
    }

    fn block_item(&mut self, item: &BlockItem, roots: &mut Vec<Root>) -> Result<()> {
        match item {
            BlockItem::Stmt(statement) => self.statement(*statement, roots),
            BlockItem::Declaration(declaration) => self.declaration(declaration, roots),
            // A function in a function is a part of it.
            BlockItem::Function(function) => {
                self.parts(&function.declarator, Use::Wanted, roots);
                self.statement(function.body, roots)
            }
            BlockItem::LocalLabels(_) | BlockItem::StaticAssert(_) => Ok(()),
        }
    }

    fn declaration(&mut self, declaration: &Declaration, roots: &mut Vec<Root>) -> Result<()> {
        for declared in &declaration.declarators {
            self.parts(&declared.declarator, Use::Wanted, roots);
            self.initial_value(&declaration.specifiers, declared, roots)?;
        }
        Ok(())
    }

    fn initial_value(
        &mut self,
        specifiers: &Specifiers,
        declared: &InitDeclarator,
        roots: &mut Vec<Root>,
    ) -> Result<()> {
        let storage = specifiers.storage;
        // What lives as long as the program has a constant value at first.
        let is_static = storage.is_static || storage.is_extern || storage.is_thread_local;
        let Some(init) = declared.init.as_ref().filter(|_| !is_static) else {
            return Ok(());
        };
        let is_one_value = matches!(init, Init::Expr(_))
            && !matches!(specifiers.ty, TypeSpecifier::Auto)
            && !self.is_array(&specifiers.ty, &declared.declarator);
        let usage = match declared.declarator.name {
            Some(name) if is_one_value => Use::Initial { name: name.span },
            _ => Use::Wanted,
        };
        let expr = self.initial(init)?;
        roots.push(Root { expr, usage });
        Ok(())
    }

    /// The sizes of arrays in a declarator and in its parameters.
    fn parts(&self, declarator: &Declarator, usage: Use, roots: &mut Vec<Root>) {
        for part in &declarator.parts {
            match part {
                DeclaratorPart::Array {
                    size: ArraySize::Expr(size),
                    ..
                } => self.root(*size, usage, roots),
                DeclaratorPart::Function(Parameters::Prototype { list, .. }) => {
                    for parameter in list {
                        self.parts(&parameter.declarator, Use::Parameter, roots);
                    }
                }
                _ => {}
            }
        }
    }
}
