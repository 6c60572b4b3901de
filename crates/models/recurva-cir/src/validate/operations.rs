//! Operations.

use super::expressions::{check_bits, check_expr, place_type};
use super::types::same;
use super::{Checked, ensure};
use crate::{
    Argument, Callee, Expr, Function, FunctionId, Module, Operation, Part, Place, Scalar, Type,
};

pub(super) fn check(module: &Module, function: &Function, operation: &Operation) -> Checked {
    // Callees that a pointer gives are expressions; those that are named are looked at first.
    if let Operation::Call {
        callee: Callee::Function(id),
        ..
    } = operation
    {
        ensure((id.0 as usize) < module.functions.len(), || {
            format!("there is no function {}", id.0)
        })?;
    }
    let mut found = Ok(());
    operation.visit(&mut |part| {
        if found.is_ok() {
            found = match part {
                Part::Expr(expr) => check_expr(module, function, expr),
                Part::Place(place) => place_type(module, function, place).map(|_| ()),
            };
        }
    });
    found?;
    for part in operation.parts() {
        if let Part::Place(place) = part {
            check_bits(module, place)?;
        }
    }
    check_parts(module, function, operation)
}

fn check_parts(module: &Module, function: &Function, operation: &Operation) -> Checked {
    let types = &module.types;
    let of = |expr: &Expr, scalar: Scalar| {
        ensure(expr.ty == scalar, || {
            let text = module.expr_text(function, expr);
            format!("`{text}` has the wrong type")
        })
    };
    let int = |expr: &Expr| {
        ensure(matches!(expr.ty, Scalar::Int(_)), || {
            let text = module.expr_text(function, expr);
            format!("`{text}` is no integer")
        })
    };
    let whole = |place: &Place| {
        ensure(place.bits.is_none(), || {
            let text = module.place_text(function, place);
            format!("`{text}` is a bit-field")
        })
    };
    let list = |place: &Place| {
        ensure(matches!(types.get(place.ty), Type::VaList), || {
            let text = module.place_text(function, place);
            format!("`{text}` is no list of arguments")
        })
    };
    match operation {
        Operation::Skip
        | Operation::Error(_)
        | Operation::Abort
        | Operation::Unsupported(_)
        | Operation::Havoc(..) => Ok(()),
        Operation::Assume(condition) | Operation::Check(_, condition) => {
            of(condition, Scalar::Bool)
        }
        Operation::Assign(place, value) => ensure(types.scalar(place.ty) == Some(value.ty), || {
            "the value has another type than the place".to_owned()
        }),
        Operation::Copy(to, from) => {
            whole(to)?;
            whole(from)?;
            ensure(same(types, to.ty, from.ty), || {
                "the two places have different types".to_owned()
            })
        }
        Operation::Zero(place) => whole(place),
        Operation::Call {
            callee,
            arguments,
            result,
        } => {
            for argument in arguments {
                if let Argument::Value(value) = argument {
                    ensure(value.ty != Scalar::Bool, || {
                        "a truth value is no argument".to_owned()
                    })?;
                }
            }
            match callee {
                Callee::Pointer(pointer) => of(pointer, Scalar::Pointer),
                Callee::Function(id) => check_call(module, *id, arguments, result.as_ref()),
            }
        }
        Operation::Allocate { result, size, .. } => {
            int(size)?;
            whole(result)?;
            ensure(types.scalar(result.ty) == Some(Scalar::Pointer), || {
                "the result is no pointer".to_owned()
            })
        }
        Operation::Free(pointer) => of(pointer, Scalar::Pointer),
        Operation::CopyBytes { to, from, count } => {
            of(to, Scalar::Pointer)?;
            of(from, Scalar::Pointer)?;
            int(count)
        }
        Operation::FillBytes { to, value, count } => {
            of(to, Scalar::Pointer)?;
            int(value)?;
            int(count)
        }
        Operation::VaStart(place) => {
            list(place)?;
            ensure(function.is_variadic, || {
                "the function has no further arguments".to_owned()
            })
        }
        Operation::VaArg {
            list: place,
            result,
        } => {
            list(place)?;
            whole(result)
        }
        Operation::VaCopy { to, from } => {
            list(to)?;
            list(from)
        }
        Operation::Exit(code) => int(code),
    }
}

/// A call by name: arguments and result fit the function.
fn check_call(
    module: &Module,
    id: FunctionId,
    arguments: &[Argument],
    result: Option<&Place>,
) -> Checked {
    let types = &module.types;
    let called = module.function(id);
    let parameters = &called.locals[..called.parameters as usize];
    let count_fits = match called.is_variadic {
        true => arguments.len() >= parameters.len(),
        // What has no body may have no known parameters.
        false => arguments.len() == parameters.len() || !called.has_body(),
    };
    ensure(count_fits, || {
        let (given, taken) = (arguments.len(), parameters.len());
        format!("`{}` takes {taken} arguments, not {given}", called.name)
    })?;
    for (index, (argument, parameter)) in arguments.iter().zip(parameters).enumerate() {
        let fits = match argument {
            Argument::Value(value) => types.scalar(parameter.ty) == Some(value.ty),
            Argument::Record(place) => same(types, place.ty, parameter.ty),
        };
        ensure(fits, || {
            let (index, name) = (index + 1, &called.name);
            format!("argument {index} of `{name}` has the wrong type")
        })?;
    }
    match (result, called.result_type) {
        (None, _) => Ok(()),
        (Some(place), Some(ty)) if same(types, place.ty, ty) => Ok(()),
        _ => Err(format!("the result of `{}` has another type", called.name)),
    }
}
