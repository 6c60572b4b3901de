//! Variables of the model and places in the source.

use recurva_model::{Origin, Type, Variable};
use recurva_syntax::Span;

/// A place as the model keeps it.
pub(crate) fn origin(span: Span) -> Origin {
    Origin {
        start: span.start,
        end: span.end,
    }
}

/// A place back from the model.
pub(crate) fn span(origin: Origin) -> Span {
    Span::new(origin.start, origin.end)
}

/// A hidden local scalar.
pub(crate) fn hidden(name: String, ty: Type) -> Variable {
    Variable {
        hidden: true,
        ..Variable::scalar(name, ty)
    }
}

/// Hidden locals of a procedure that results pass through on their way to places that no
/// call can write to.
#[derive(Debug, Default)]
pub(crate) struct Temporaries {
    list: Vec<(Type, u32)>,
}

impl Temporaries {
    /// A hidden local of a type that is not in use, made if there is none.
    pub(crate) fn take(
        &mut self,
        ty: Type,
        in_use: impl Fn(u32) -> bool,
        locals: &mut Vec<Variable>,
    ) -> u32 {
        let free = self.list.iter().find(|&&(t, l)| t == ty && !in_use(l));
        if let Some(&(_, local)) = free {
            return local;
        }
        let local = locals.len() as u32;
        locals.push(hidden(format!("#{}", self.list.len() + 1), ty));
        self.list.push((ty, local));
        local
    }
}
