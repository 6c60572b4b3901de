//! Trees as text, for tests: operators stand first, in brackets; types are read aloud.
#![allow(dead_code, reason = "each test uses a part of it")]

use recurva_c::ast::*;

/// A unit with its text.
pub(crate) struct Shown<'t> {
    pub(crate) unit: Unit,
    pub(crate) text: &'t str,
}

/// Reads a text that is C.
pub(crate) fn read(text: &str) -> Shown<'_> {
    match parse(text.as_bytes()) {
        Ok(unit) => Shown { unit, text },
        Err(error) => panic!("{error} at {:?}", &text[error.span().start as usize..]),
    }
}

impl Shown<'_> {
    fn part(&self, span: recurva_syntax::Span) -> &str {
        &self.text[span.range()]
    }

    pub(crate) fn ident(&self, ident: &Ident) -> &str {
        assert_eq!(self.part(ident.span), self.unit.name(ident.name));
        self.unit.name(ident.name)
    }

    pub(crate) fn items(&self) -> Vec<String> {
        self.unit.items.iter().map(|it| self.item(it)).collect()
    }

    fn item(&self, item: &Item) -> String {
        match item {
            Item::Function(function) => self.function(function),
            Item::Declaration(declaration) => self.declaration(declaration),
            Item::StaticAssert(it) => format!("assert {}", self.expr(it.condition)),
            Item::Assembler(span) => self.part(*span).to_owned(),
        }
    }

    fn function(&self, it: &FunctionDefinition) -> String {
        let old = it.old_style.iter().map(|it| self.declaration(it) + "; ");
        format!(
            "{} {}{}",
            self.declared(&it.specifiers, &it.declarator),
            old.collect::<String>(),
            self.stmt(it.body)
        )
    }

    pub(crate) fn declaration(&self, declaration: &Declaration) -> String {
        assert!(self.part(declaration.span).ends_with(';'));
        let specifiers = &declaration.specifiers;
        if declaration.declarators.is_empty() {
            return self.specifiers(specifiers);
        }
        let one = |it: &InitDeclarator| {
            let mut text = self.declared(specifiers, &it.declarator);
            if let Some(name) = it.asm_name {
                text += &format!(" asm {}", self.part(name));
            }
            if let Some(init) = &it.init {
                text += &format!(" = {}", self.init(init));
            }
            text
        };
        let all: Vec<_> = declaration.declarators.iter().map(one).collect();
        all.join("; ")
    }

    /// `name: type`.
    fn declared(&self, specifiers: &Specifiers, declarator: &Declarator) -> String {
        let name = declarator.name.as_ref().map_or("", |it| self.ident(it));
        format!("{name}: {}", self.ty(specifiers, declarator))
    }

    fn ty(&self, specifiers: &Specifiers, declarator: &Declarator) -> String {
        let mut text = self.attributes(&declarator.attributes);
        for part in &declarator.parts {
            text += &match part {
                DeclaratorPart::Pointer(it) => format!("{}pointer to ", qualifiers(*it)),
                DeclaratorPart::Array {
                    size,
                    qualifiers: q,
                } => {
                    let size = match size {
                        ArraySize::None => String::new(),
                        ArraySize::Star => "*".into(),
                        ArraySize::Expr(size) => self.expr(*size),
                    };
                    format!("{}array[{size}] of ", qualifiers(*q))
                }
                DeclaratorPart::Function(it) => format!("function({}) to ", self.parameters(it)),
            };
        }
        text + &self.specifiers(specifiers)
    }

    fn parameters(&self, parameters: &Parameters) -> String {
        match parameters {
            Parameters::Names(names) if names.is_empty() => "?".into(),
            Parameters::Names(names) => {
                let names: Vec<_> = names.iter().map(|it| self.ident(it)).collect();
                names.join(", ")
            }
            Parameters::Prototype { list, is_variadic } => {
                let mut all: Vec<_> = list
                    .iter()
                    .map(|it| self.declared(&it.specifiers, &it.declarator))
                    .collect();
                all.extend(is_variadic.then(|| "...".into()));
                all.join(", ")
            }
        }
    }

    fn specifiers(&self, it: &Specifiers) -> String {
        let storage = it.storage;
        let mut text = String::new();
        for (is, word) in [
            (storage.is_typedef, "typedef "),
            (storage.is_extern, "extern "),
            (storage.is_static, "static "),
            (storage.is_auto, "auto "),
            (storage.is_register, "register "),
            (storage.is_thread_local, "thread "),
            (storage.is_inline, "inline "),
            (storage.is_noreturn, "noreturn "),
        ] {
            text += if is { word } else { "" };
        }
        for alignment in &it.alignments {
            text += &match alignment {
                Alignment::Type(ty) => format!("align({}) ", self.type_name(ty)),
                Alignment::Expr(expr) => format!("align({}) ", self.expr(*expr)),
            };
        }
        text += &self.attributes(&it.attributes);
        text += &qualifiers(it.qualifiers);
        text + &self.specifier(&it.ty)
    }

    fn specifier(&self, ty: &TypeSpecifier) -> String {
        match ty {
            TypeSpecifier::Implicit => "implicit".into(),
            TypeSpecifier::Basic(basic) => format!("{basic:?}"),
            TypeSpecifier::Record(record) => self.record(record),
            TypeSpecifier::Enum(it) => self.enumeration(it),
            TypeSpecifier::Named(name) => self.ident(name).to_owned(),
            TypeSpecifier::TypeofExpr(expr) => format!("typeof({})", self.expr(*expr)),
            TypeSpecifier::TypeofType(ty) => format!("typeof({})", self.type_name(ty)),
            TypeSpecifier::Atomic(ty) => format!("atomic({})", self.type_name(ty)),
            TypeSpecifier::VaList => "va_list".into(),
            TypeSpecifier::Auto => "auto type".into(),
        }
    }

    fn attributes(&self, all: &[Attribute]) -> String {
        let one = |it: &Attribute| {
            let name = self.unit.name(it.name.name);
            match it.arguments.is_empty() {
                true => format!("<{name}> "),
                false => format!("<{name} {}> ", self.exprs(&it.arguments)),
            }
        };
        all.iter().map(one).collect()
    }

    fn record(&self, record: &RecordSpecifier) -> String {
        let mut text = format!("{:?} ", record.kind).to_lowercase();
        text += &self.attributes(&record.attributes);
        text += record.tag.as_ref().map_or("", |it| self.ident(it));
        if let Some(members) = &record.members {
            if record.pack != 0 {
                text += &format!(" pack {}", record.pack);
            }
            let members: Vec<_> = members.iter().map(|it| self.member(it)).collect();
            text += &format!(" {{{}}}", members.join("; "));
        }
        text
    }

    fn member(&self, member: &Member) -> String {
        let fields = match member {
            Member::StaticAssert(it) => return format!("assert {}", self.expr(it.condition)),
            Member::Field(fields) => fields,
        };
        if fields.declarators.is_empty() {
            return self.specifiers(&fields.specifiers);
        }
        let one = |it: &FieldDeclarator| {
            let width = it.width.map(|width| format!(" :{}", self.expr(width)));
            self.declared(&fields.specifiers, &it.declarator) + &width.unwrap_or_default()
        };
        let all: Vec<_> = fields.declarators.iter().map(one).collect();
        all.join(", ")
    }

    fn enumeration(&self, it: &EnumSpecifier) -> String {
        let mut text = format!("enum {}", self.attributes(&it.attributes));
        text += it.tag.as_ref().map_or("", |it| self.ident(it));
        if let Some(ty) = &it.underlying {
            text += &format!(" : {}", self.specifiers(ty));
        }
        if let Some(all) = &it.enumerators {
            let one = |it: &Enumerator| match it.value {
                Some(value) => format!("{} = {}", self.ident(&it.name), self.expr(value)),
                None => self.ident(&it.name).to_owned(),
            };
            let all: Vec<_> = all.iter().map(one).collect();
            text += &format!(" {{{}}}", all.join(", "));
        }
        text
    }

    fn type_name(&self, ty: &TypeName) -> String {
        self.ty(&ty.specifiers, &ty.declarator)
    }

    pub(crate) fn init(&self, init: &Init) -> String {
        let items = match init {
            Init::Expr(value) => return self.expr(*value),
            Init::List(items, _) => items,
        };
        let one = |item: &InitItem| {
            let mut text = String::new();
            for designator in &item.designators {
                text += &match designator {
                    Designator::Field(name) => format!(".{}", self.ident(name)),
                    Designator::Index(at) => format!("[{}]", self.expr(*at)),
                    Designator::Range(from, to) => {
                        format!("[{}..{}]", self.expr(*from), self.expr(*to))
                    }
                };
            }
            if !text.is_empty() {
                text += "=";
            }
            text + &self.init(&item.init)
        };
        let all: Vec<_> = items.iter().map(one).collect();
        format!("{{{}}}", all.join(", "))
    }

    fn exprs(&self, all: &[ExprId]) -> String {
        let all: Vec<_> = all.iter().map(|id| self.expr(*id)).collect();
        all.join(" ")
    }

    pub(crate) fn expr(&self, id: ExprId) -> String {
        let expr = self.unit.expr(id);
        match &expr.kind {
            ExprKind::Name(name) => self.ident(name).to_owned(),
            ExprKind::Number | ExprKind::Char => self.part(expr.span).to_owned(),
            ExprKind::Text(all) => {
                let all: Vec<_> = all.iter().map(|it| self.part(*it)).collect();
                all.join("")
            }
            ExprKind::Paren(inner) => format!("(() {})", self.expr(*inner)),
            ExprKind::Index { base, index } => {
                format!("([] {})", self.exprs(&[*base, *index]))
            }
            ExprKind::Call { callee, arguments } => {
                format!("(call {} {})", self.expr(*callee), self.exprs(arguments))
                    .replace(" )", ")")
            }
            ExprKind::Member {
                base,
                name,
                is_arrow,
            } => {
                let sign = if *is_arrow { "->" } else { "." };
                format!("({sign} {} {})", self.expr(*base), self.ident(name))
            }
            ExprKind::Step(operator, inner) => format!("({operator:?} {})", self.expr(*inner)),
            ExprKind::Unary(operator, inner) => format!("({operator:?} {})", self.expr(*inner)),
            ExprKind::Binary {
                operator_span,
                left,
                right,
                ..
            } => format!(
                "({} {})",
                self.part(*operator_span),
                self.exprs(&[*left, *right])
            ),
            ExprKind::Conditional {
                condition,
                then,
                other,
            } => {
                let then = then.map_or("-".into(), |then| self.expr(then));
                format!("(? {} {then} {})", self.expr(*condition), self.expr(*other))
            }
            ExprKind::Assign {
                operator_span,
                target,
                value,
                ..
            } => format!(
                "({} {})",
                self.part(*operator_span),
                self.exprs(&[*target, *value])
            ),
            ExprKind::Comma(all) => format!("(, {})", self.exprs(all)),
            ExprKind::Cast(ty, inner) => {
                format!("(cast {}: {})", self.type_name(ty), self.expr(*inner))
            }
            ExprKind::Compound(ty, init) => {
                format!("(literal {}: {})", self.type_name(ty), self.init(init))
            }
            ExprKind::Block(block) => format!("(block {})", self.stmt(*block)),
            ExprKind::Sizeof(operand) => format!("(sizeof {})", self.operand(operand)),
            ExprKind::Alignof(operand) => format!("(alignof {})", self.operand(operand)),
            ExprKind::Generic {
                control,
                associations,
            } => {
                let one = |it: &Association| match &it.ty {
                    Some(ty) => format!(" {}: {}", self.type_name(ty), self.expr(it.value)),
                    None => format!(" default: {}", self.expr(it.value)),
                };
                let all: String = associations.iter().map(one).collect();
                format!("(generic {}{all})", self.expr(*control))
            }
            ExprKind::LabelAddress(label) => format!("(label {})", self.ident(label)),
            ExprKind::Builtin(call) => self.builtin(call),
        }
    }

    fn operand(&self, operand: &Operand) -> String {
        match operand {
            Operand::Expr(expr) => self.expr(*expr),
            Operand::Type(ty) => format!("type {}", self.type_name(ty)),
        }
    }

    fn builtin(&self, call: &BuiltinCall) -> String {
        match call {
            BuiltinCall::VaArg(list, ty) => {
                format!("(va_arg {} {})", self.expr(*list), self.type_name(ty))
            }
            BuiltinCall::Offsetof(ty, steps) => {
                let one = |step: &OffsetStep| match step {
                    OffsetStep::Field(name) => format!(".{}", self.ident(name)),
                    OffsetStep::Index(at) => format!("[{}]", self.expr(*at)),
                };
                let steps: String = steps.iter().map(one).collect();
                format!("(offsetof {} {steps})", self.type_name(ty))
            }
            BuiltinCall::TypesCompatible(one, other) => {
                format!("(same {} {})", self.type_name(one), self.type_name(other))
            }
            BuiltinCall::ChooseExpr(condition, then, other) => {
                format!("(choose {})", self.exprs(&[*condition, *then, *other]))
            }
        }
    }

    pub(crate) fn stmt(&self, id: StmtId) -> String {
        let expr = |id: &ExprId| self.expr(*id);
        let stmt = |id: &StmtId| self.stmt(*id);
        match &self.unit.stmt(id).kind {
            StmtKind::Expr(value) => expr(value),
            StmtKind::Empty => ";".into(),
            StmtKind::Block(items) => {
                let items: Vec<_> = items.iter().map(|it| self.block_item(it)).collect();
                format!("{{{}}}", items.join(" "))
            }
            StmtKind::If {
                condition,
                then,
                other,
            } => {
                let other = other.map(|other| format!(" else {}", self.stmt(other)));
                let other = other.unwrap_or_default();
                format!("[if {} {}{other}]", expr(condition), stmt(then))
            }
            StmtKind::Switch { value, body } => format!("[switch {} {}]", expr(value), stmt(body)),
            StmtKind::While { condition, body } => {
                format!("[while {} {}]", expr(condition), stmt(body))
            }
            StmtKind::DoWhile { body, condition } => {
                format!("[do {} {}]", stmt(body), expr(condition))
            }
            StmtKind::For {
                init,
                condition,
                step,
                body,
            } => {
                let init = init.as_ref().map_or("-".into(), |it| self.block_item(it));
                let condition = condition.as_ref().map_or("-".into(), expr);
                let step = step.as_ref().map_or("-".into(), expr);
                format!("[for {init} | {condition} | {step} | {}]", stmt(body))
            }
            StmtKind::Goto(label) => format!("[goto {}]", self.ident(label)),
            StmtKind::GotoComputed(target) => format!("[goto * {}]", expr(target)),
            StmtKind::Break => "[break]".into(),
            StmtKind::Continue => "[continue]".into(),
            StmtKind::Return(value) => {
                format!("[return {}]", value.as_ref().map_or("-".into(), expr))
            }
            StmtKind::Label {
                name,
                attributes,
                body,
            } => {
                let attributes = self.attributes(attributes);
                format!("[{}: {attributes}{}]", self.ident(name), stmt(body))
            }
            StmtKind::Case { from, to, body } => {
                let to = to.map(|to| format!("..{}", self.expr(to)));
                let to = to.unwrap_or_default();
                format!("[case {}{to}: {}]", expr(from), stmt(body))
            }
            StmtKind::Default(body) => format!("[default: {}]", stmt(body)),
            StmtKind::Asm(asm) => format!(
                "[asm {}{}out({}) in({})]",
                if asm.is_empty { "empty " } else { "" },
                if asm.has_effects { "effects " } else { "" },
                self.exprs(&asm.outputs),
                self.exprs(&asm.inputs)
            ),
        }
    }

    fn block_item(&self, item: &BlockItem) -> String {
        match item {
            BlockItem::Stmt(id) => self.stmt(*id),
            BlockItem::Declaration(it) => format!("[{}]", self.declaration(it)),
            BlockItem::Function(it) => format!("[{}]", self.function(it)),
            BlockItem::LocalLabels(names) => {
                let names: Vec<_> = names.iter().map(|it| self.ident(it)).collect();
                format!("[labels {}]", names.join(" "))
            }
            BlockItem::StaticAssert(it) => format!("[assert {}]", self.expr(it.condition)),
        }
    }
}

fn qualifiers(it: Qualifiers) -> String {
    let mut text = String::new();
    for (is, word) in [
        (it.is_const, "const "),
        (it.is_volatile, "volatile "),
        (it.is_restrict, "restrict "),
        (it.is_atomic, "atomic "),
    ] {
        text += if is { word } else { "" };
    }
    text
}
