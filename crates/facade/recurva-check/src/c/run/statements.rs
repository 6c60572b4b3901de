//! The statements of a C program: which of them an edge of `cir` belongs to.

use recurva_c::ast::{
    self, BinaryOperator, BlockItem, ExprId, ExprKind, Item, StmtId, StmtKind, UnaryOperator,
};
use recurva_cir::{FunctionId, Module, Origin, SourceId};
use recurva_pal::c::{OWN, VARIABLE};
use recurva_syntax::Span;
use rustc_hash::FxHashMap;

/// A statement, or the condition of one.
#[derive(Clone, Debug)]
pub(in crate::c) struct Statement {
    /// What is shown of it.
    pub(super) origin: Origin,
    /// Whether that is where it begins.
    pub(super) is_beginning: bool,
    /// The conditions that it is made of, and whether the whole is the opposite of each when that is
    /// the last one to be looked at.
    conditions: Vec<(Span, bool)>,
}

/// The statements of all units.
#[derive(Debug, Default)]
pub(in crate::c) struct Statements {
    list: Vec<Statement>,
    /// For each unit the statements' texts, sorted by where they begin, outer ones first.
    units: Vec<Vec<Region>>,
    /// For each unit its blocks and loops, in which names can be declared.
    scopes: Vec<Vec<Span>>,
    /// For each function and each of its edges the statement that it belongs to.
    edges: Vec<Option<Box<[u32]>>>,
    /// Statements that are in no text.
    others: FxHashMap<Origin, u32>,
}

#[derive(Clone, Copy, Debug)]
struct Region {
    span: Span,
    statement: u32,
    /// The region around it.
    parent: Option<u32>,
}

impl Statements {
    /// The statements of a program.
    pub(in crate::c) fn new(module: &Module) -> Self {
        let mut statements = Statements {
            edges: vec![None; module.functions.len()],
            ..Statements::default()
        };
        for (number, source) in (0..).zip(&module.sources) {
            let (regions, scopes) = match source.is_library {
                true => Default::default(),
                false => statements.of_unit(SourceId(number), &source.text),
            };
            statements.units.push(regions);
            statements.scopes.push(scopes);
        }
        statements
    }

    /// Whether a name that is declared in one place has its meaning in another of the same function.
    pub(super) fn is_in_scope(&self, declared: Origin, at: Origin) -> bool {
        let scopes = self.scopes.get(declared.source.0 as usize);
        let around = scopes.into_iter().flatten();
        let around = around.filter(|it| it.start <= declared.start && declared.end <= it.end);
        let innermost = around.min_by_key(|it| it.end - it.start);
        let is_inside = |scope: &Span| {
            let behind = declared.start.max(scope.start);
            behind <= at.start && at.start < scope.end
        };
        declared.source != at.source || innermost.is_none_or(is_inside)
    }

    pub(super) fn statement(&self, id: u32) -> &Statement {
        &self.list[id as usize]
    }

    /// The statement that an edge belongs to.
    pub(super) fn of_edge(&mut self, module: &Module, function: FunctionId, edge: u32) -> u32 {
        let at = function.0 as usize;
        if self.edges[at].is_none() {
            let edges = &module.function(function).edges;
            let found = edges.iter().map(|it| self.find(it.origin)).collect();
            self.edges[at] = Some(found);
        }
        self.edges[at].as_ref().map_or(0, |it| it[edge as usize])
    }

    /// The innermost statement that a place lies in.
    fn find(&mut self, origin: Origin) -> u32 {
        let regions = self.units.get(origin.source.0 as usize);
        let regions = regions.map_or(&[][..], |it| &it[..]);
        let behind = regions.partition_point(|it| it.span.start <= origin.start);
        let mut next = behind.checked_sub(1).map(|it| it as u32);
        while let Some(index) = next {
            let region = regions[index as usize];
            if region.span.end >= origin.end {
                return region.statement;
            }
            next = region.parent;
        }
        let fresh = self.list.len() as u32;
        let id = *self.others.entry(origin).or_insert(fresh);
        if id == fresh {
            self.list.push(Statement {
                origin,
                is_beginning: false,
                conditions: Vec::new(),
            });
        }
        id
    }

    /// The statements of a unit. One that cannot be parsed, which is none that was built, has none.
    fn of_unit(&mut self, source: SourceId, text: &[u8]) -> (Vec<Region>, Vec<Span>) {
        let Ok(unit) = ast::parse(text) else {
            return Default::default();
        };
        let mut gather = Gather {
            unit: &unit,
            text,
            source,
            list: &mut self.list,
            regions: Vec::new(),
            scopes: Vec::new(),
            open: Vec::new(),
        };
        let functions = unit.items.iter().filter_map(|item| match item {
            Item::Function(function) => Some(function.body),
            _ => None,
        });
        gather.open.extend(functions);
        for (_, expr) in unit.exprs() {
            if let ExprKind::Block(body) = expr.kind {
                gather.open.push(body);
            }
        }
        while let Some(id) = gather.open.pop() {
            gather.statement(id);
        }
        let (mut regions, scopes) = (gather.regions, gather.scopes);
        regions.sort_by_key(|it| (it.span.start, std::cmp::Reverse(it.span.end)));
        let mut around: Vec<u32> = Vec::new();
        for index in 0..regions.len() {
            let span = regions[index].span;
            while let Some(&outer) = around.last()
                && regions[outer as usize].span.end < span.end
            {
                around.pop();
            }
            regions[index].parent = around.last().copied();
            around.push(index as u32);
        }
        (regions, scopes)
    }
}

impl Statement {
    /// What is shown of it, and whether it begins there.
    pub(super) fn place(&self) -> (Origin, bool) {
        (self.origin, self.is_beginning)
    }

    /// Whether the statement's condition is true, if a part of it is what decides.
    pub(super) fn truth(&self, part: Span, is_true: bool) -> Option<bool> {
        let mut conditions = self.conditions.iter();
        let found = conditions.find(|it| part.start <= it.0.start && it.0.end <= part.end)?;
        Some(is_true != found.1)
    }
}

/// The statements of a unit being gathered.
struct Gather<'a> {
    unit: &'a ast::Unit,
    text: &'a [u8],
    source: SourceId,
    list: &'a mut Vec<Statement>,
    regions: Vec<Region>,
    scopes: Vec<Span>,
    open: Vec<StmtId>,
}

impl Gather<'_> {
    fn statement(&mut self, id: StmtId) {
        let statement = self.unit.stmt(id);
        let span = statement.span;
        if let StmtKind::Block(_) | StmtKind::For { .. } = statement.kind {
            self.scopes.push(span);
        }
        match &statement.kind {
            StmtKind::Block(items) if self.is_put_in(span) => {
                items.iter().for_each(|item| self.put_in(item));
            }
            StmtKind::Block(items) => items.iter().for_each(|item| self.item(item)),
            StmtKind::If {
                condition,
                then,
                other,
            } => {
                self.head(span, *condition);
                self.open.push(*then);
                self.open.extend(*other);
            }
            StmtKind::Switch { value, body } => {
                let shown = self.closed(span.start, self.unit.expr(*value).span.end);
                self.add(self.unit.expr(*value).span, (shown, true), Vec::new());
                self.open.push(*body);
            }
            StmtKind::While { condition, body } => {
                self.head(span, *condition);
                self.open.push(*body);
            }
            StmtKind::DoWhile { body, condition } => {
                let shown = self.unit.expr(*condition).span;
                self.condition(*condition, (shown, false));
                self.open.push(*body);
            }
            StmtKind::For {
                init,
                condition,
                step,
                body,
            } => {
                if let Some(item) = init {
                    self.item(item);
                }
                if let Some(condition) = condition {
                    let shown = self.unit.expr(*condition).span;
                    self.condition(*condition, (shown, false));
                }
                if let Some(step) = step {
                    let span = self.unit.expr(*step).span;
                    self.add(span, (span, false), Vec::new());
                }
                self.open.push(*body);
            }
            StmtKind::Label { body, .. }
            | StmtKind::Case { body, .. }
            | StmtKind::Default(body) => {
                self.open.push(*body);
            }
            StmtKind::Expr(_)
            | StmtKind::Empty
            | StmtKind::Goto(_)
            | StmtKind::GotoComputed(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Asm(_) => self.add(span, (span, true), Vec::new()),
        }
    }

    /// Whether a block is one that a monitor was put in by: what else is in it belongs to the statement
    /// around it.
    fn is_put_in(&self, block: Span) -> bool {
        let before = &self.text[..block.start as usize];
        let inside = &self.text[block.range()];
        let own = OWN.as_bytes();
        before.ends_with(b"__extension__ (") && inside.windows(own.len()).any(|it| it == own)
    }

    /// Of what was put in: variables, guards and actions of the monitor.
    fn put_in(&mut self, item: &BlockItem) {
        let BlockItem::Stmt(id) = item else {
            let own = VARIABLE.as_bytes();
            if let BlockItem::Declaration(declaration) = item
                && self.text[declaration.span.range()]
                    .windows(own.len())
                    .any(|it| it == own)
            {
                self.item(item);
            }
            return;
        };
        match self.unit.stmt(*id).kind {
            StmtKind::If {
                condition,
                then,
                other,
            } => {
                self.guard(condition, then);
                self.open.extend(other);
            }
            StmtKind::Block(_) => self.open.push(*id),
            _ => {}
        }
    }

    /// `if (!(guard)) failure`: all of it is the guard.
    fn guard(&mut self, condition: ExprId, then: StmtId) {
        let mut guard = condition;
        if let ExprKind::Unary(UnaryOperator::Not, inner) = self.unit.expr(guard).kind {
            guard = inner;
        }
        if let ExprKind::Paren(inner) = self.unit.expr(guard).kind {
            guard = inner;
        }
        self.condition(guard, (self.unit.expr(guard).span, true));
        self.regions.push(Region {
            span: self.unit.stmt(then).span,
            statement: self.list.len() as u32 - 1,
            parent: None,
        });
    }

    fn item(&mut self, item: &BlockItem) {
        match item {
            BlockItem::Stmt(id) => self.open.push(*id),
            BlockItem::Declaration(declaration) => {
                let span = declaration.span;
                self.add(span, (span, true), Vec::new());
            }
            BlockItem::Function(function) => self.open.push(function.body),
            BlockItem::LocalLabels(_) | BlockItem::StaticAssert(_) => {}
        }
    }

    /// A condition at the head of a statement, which is shown with it.
    fn head(&mut self, whole: Span, condition: ExprId) {
        let shown = self.closed(whole.start, self.unit.expr(condition).span.end);
        self.condition(condition, (shown, true));
    }

    /// What is shown of a head: with the parenthesis that closes it.
    fn closed(&self, start: u32, end: u32) -> Span {
        let rest = &self.text[end as usize..];
        let mut at = 0;
        // What a macro expands to is followed by a line that says where the text goes on.
        while let Some(byte) = rest
            .get(at)
            .filter(|it| it.is_ascii_whitespace() || **it == b'#')
        {
            at += match byte {
                b'#' => rest[at..].iter().take_while(|it| **it != b'\n').count(),
                _ => 1,
            };
        }
        match rest.get(at) {
            Some(b')') => Span::new(start, end + at as u32 + 1),
            _ => Span::new(start, end),
        }
    }

    fn condition(&mut self, condition: ExprId, shown: (Span, bool)) {
        let mut conditions = Vec::new();
        let mut open = vec![(condition, false)];
        while let Some((id, is_opposite)) = open.pop() {
            let expr = self.unit.expr(id);
            match &expr.kind {
                ExprKind::Paren(inner) => open.push((*inner, is_opposite)),
                ExprKind::Unary(UnaryOperator::Not, inner) => open.push((*inner, !is_opposite)),
                ExprKind::Binary {
                    operator: BinaryOperator::And | BinaryOperator::Or,
                    left,
                    right,
                    ..
                } => open.extend([(*left, is_opposite), (*right, is_opposite)]),
                _ => conditions.push((expr.span, is_opposite)),
            }
        }
        self.add(self.unit.expr(condition).span, shown, conditions);
    }

    /// A statement, what is shown of it, and whether it begins there.
    fn add(
        &mut self,
        span: Span,
        (shown, is_beginning): (Span, bool),
        conditions: Vec<(Span, bool)>,
    ) {
        let statement = self.list.len() as u32;
        self.list.push(Statement {
            origin: Origin {
                source: self.source,
                start: shown.start,
                end: shown.end,
            },
            is_beginning,
            conditions,
        });
        self.regions.push(Region {
            span,
            statement,
            parent: None,
        });
    }
}
