//! Functions with a body.

use recurva_c::ast::{
    Declaration, DeclaratorPart, FunctionDefinition, Ident, Name, Parameter, Parameters,
    StmtKind as Tree,
};
use recurva_syntax::{Diagnostic, Span};
use rustc_hash::FxHashMap;

use super::{
    Checker, Outcome, Wrong, body::Body, function::Declared, scope::Symbol, specify::Followed,
};
use crate::{
    FunctionType, Qualified, Type,
    typed::{self, FunctionId, Local},
};

impl<'u> Checker<'u> {
    /// A function with its body.
    pub(super) fn define(&mut self, definition: &'u FunctionDefinition) -> Outcome<()> {
        let declarator = &definition.declarator;
        let (Some(ident), [DeclaratorPart::Function(parameters), outer @ ..]) =
            (declarator.name, declarator.parts.as_slice())
        else {
            return Err(self.wrong(
                |_| "a function is defined with its parameters".to_string(),
                declarator.span,
            ));
        };
        let result = self.result_type(definition, outer);
        let Ok(result) = result else {
            self.scopes.ordinary.declare(ident, Symbol::Wrong);
            return Err(Wrong);
        };
        // The number of the function is known once its type is, which needs its parameters.
        self.body = Some(Body::new(FunctionId(u32::MAX), ident.name, result));
        self.scopes.enter();
        let outcome = self.define_inside(definition, ident, result, parameters);
        self.scopes.leave();
        self.body = None;
        if outcome.is_err() && self.scopes.ordinary.get(ident.name).is_none() {
            self.scopes.ordinary.declare(ident, Symbol::Wrong);
        }
        outcome
    }

    fn result_type(
        &mut self,
        definition: &'u FunctionDefinition,
        outer: &'u [DeclaratorPart],
    ) -> Outcome<Qualified> {
        let declarator = &definition.declarator;
        let specified = self.specify(&definition.specifiers, Followed::Yes)?;
        let base = specified.ty.ok_or_else(|| {
            self.wrong(
                |_| "the result of a function has no value to take a type from".to_string(),
                definition.specifiers.span,
            )
        })?;
        let base = self.attributed(base, &declarator.attributes)?;
        let result = self.parts(base, outer, declarator.span)?;
        self.check_result(result, declarator.span)?;
        if let Type::Record(record) = self.out.types.get(result.ty)
            && self.out.types.record(*record).layout.is_none()
        {
            return Err(self.incomplete(result, definition.specifiers.span));
        }
        Ok(result)
    }

    /// Declares the function and checks its body, in the scope of its parameters.
    fn define_inside(
        &mut self,
        definition: &'u FunctionDefinition,
        ident: Ident,
        result: Qualified,
        parameters: &'u Parameters,
    ) -> Outcome<()> {
        let function = match parameters {
            Parameters::Prototype { list, is_variadic } => FunctionType {
                result,
                parameters: self.declare_parameters(list)?,
                is_variadic: *is_variadic,
                is_old_style: false,
            },
            Parameters::Names(names) => {
                self.declare_old_style(names, &definition.old_style)?;
                FunctionType {
                    result,
                    parameters: Vec::new(),
                    is_variadic: false,
                    is_old_style: true,
                }
            }
        };
        let ty = self.out.types.number(Type::Function(function));
        let id = self.declare_outermost(&Declared {
            ident,
            ty,
            storage: definition.specifiers.storage,
            attributes: [
                &definition.specifiers.attributes,
                &definition.declarator.attributes,
            ],
            asm_name: None,
            is_definition: true,
        })?;
        self.check_body(definition, id);
        Ok(())
    }

    /// Declares a function that is defined, from within the scope of its parameters: the name is
    /// one of the outermost level, and may be hidden by a parameter's.
    fn declare_outermost(&mut self, declared: &Declared<'u>) -> Outcome<FunctionId> {
        if let Some(entry) = self.scopes.ordinary.get_outermost(declared.ident.name)
            && !matches!(entry.what, Symbol::Function(_) | Symbol::Wrong)
        {
            let name = self.name(declared.ident.name);
            return Err(self.report(|_| {
                Diagnostic::error(
                    format!("`{name}` is declared as something else"),
                    declared.ident.span,
                )
                .note(entry.span(), "it is declared here first")
            }));
        }
        let id = self.declare_function(declared)?;
        let symbol = Symbol::Function(id);
        self.scopes
            .ordinary
            .declare_outermost(declared.ident, symbol);
        Ok(id)
    }

    fn check_body(&mut self, definition: &'u FunctionDefinition, id: FunctionId) {
        let stmt = self.unit.stmt(definition.body);
        let Tree::Block(items) = &stmt.kind else {
            return;
        };
        let mut list = Vec::new();
        if let Some(body) = &mut self.body {
            body.function = id;
            list = std::mem::take(&mut body.lengths);
        }
        let block = self.block(items, stmt.span);
        let block = match list.is_empty() {
            true => block,
            false => {
                list.push(block);
                self.push_stmt(stmt.span, typed::StmtKind::Block(list))
            }
        };
        self.check_labels();
        let Some(body) = self.body.take() else {
            return;
        };
        self.out.functions[id.0 as usize].body = Some(typed::Body {
            locals: body.locals,
            parameters: body.parameters,
            labels: body.labels,
            block,
            span: definition.span,
            end: Span::new(stmt.span.end.saturating_sub(1), stmt.span.end),
        });
    }

    /// Declares parameters as variables; their types as others see them.
    fn declare_parameters(&mut self, list: &'u [Parameter]) -> Outcome<Vec<Qualified>> {
        let int = Qualified::plain(self.known.int());
        if self.is_void(list)? {
            return Ok(Vec::new());
        }
        // The variables of parameters come first, whatever lengths of arrays they need.
        if let Some(body) = &mut self.body {
            for parameter in list {
                let name = parameter.declarator.name;
                body.locals.push(Local {
                    name: name.map(|it| self.unit.name(it.name).into()),
                    ty: int,
                    align: None,
                    span: name.map_or(parameter.span, |it| it.span),
                });
            }
            body.parameters = list.len() as u32;
        }
        let mut types = Vec::with_capacity(list.len());
        for (number, parameter) in list.iter().enumerate() {
            let base = self.parameter_base(parameter)?;
            let ty = self.parameter_type(base, &parameter.declarator)?;
            self.check_complete_for(ty, None, parameter.span)?;
            self.set_parameter(number as u32, ty, parameter.declarator.name)?;
            types.push(Qualified::plain(self.without_lengths(ty.ty)));
        }
        Ok(types)
    }

    fn set_parameter(&mut self, number: u32, ty: Qualified, ident: Option<Ident>) -> Outcome<()> {
        if let Some(body) = &mut self.body {
            body.locals[number as usize].ty = ty;
        }
        let Some(ident) = ident else {
            return Ok(());
        };
        if let Some(entry) = self.scopes.ordinary.get_here(ident.name) {
            let name = self.name(ident.name);
            return Err(self.report(|_| {
                Diagnostic::error(format!("there are two parameters `{name}`"), ident.span)
                    .note(entry.span(), "this is the first one")
            }));
        }
        let local = typed::LocalId(number);
        self.scopes.ordinary.declare(ident, Symbol::Local(local));
        Ok(())
    }

    /// Declares parameters in the old style: what is not declared is `int`.
    fn declare_old_style(
        &mut self,
        names: &'u [Ident],
        declarations: &'u [Declaration],
    ) -> Outcome<()> {
        let int = Qualified::plain(self.known.int());
        let mut numbers: FxHashMap<Name, u32> = FxHashMap::default();
        if let Some(body) = &mut self.body {
            body.parameters = names.len() as u32;
            for (number, ident) in names.iter().enumerate() {
                numbers.insert(ident.name, number as u32);
                body.locals.push(Local {
                    name: Some(self.unit.name(ident.name).into()),
                    ty: int,
                    align: None,
                    span: ident.span,
                });
            }
        }
        for declaration in declarations {
            let specified = self.specify(&declaration.specifiers, Followed::Yes)?;
            let Some(base) = specified.ty else {
                return Err(Wrong);
            };
            for declared in &declaration.declarators {
                let Some(ident) = declared.declarator.name else {
                    continue;
                };
                let ty = self.parameter_type(base, &declared.declarator)?;
                let Some(&number) = numbers.get(&ident.name) else {
                    let name = self.name(ident.name);
                    return Err(self.wrong(|_| format!("`{name}` is no parameter"), ident.span));
                };
                self.check_complete_for(ty, None, ident.span)?;
                self.set_parameter(number, ty, Some(ident))?;
            }
        }
        for (number, ident) in names.iter().enumerate() {
            if self.scopes.ordinary.get_here(ident.name).is_none() {
                self.set_parameter(number as u32, int, Some(*ident))?;
            }
        }
        Ok(())
    }
}
