//! Functions of the library that a compiler knows without their declaration.

use recurva_syntax::Span;

use super::{Checker, scope::Symbol};
use crate::{
    FunctionType, IntKind, Qualified, Type, TypeId,
    typed::{Function, FunctionId, Linkage},
};

/// Functions with their types, the result first: `v` is `void`, `i` is `int`, `u` is `unsigned`,
/// `l` is `long`, `x` is `long long`, `z` is `size_t`, `f`, `d` and `D` are the floating-point
/// numbers, `a` is `va_list`, `p` and `P` are pointers to `void` and to constant `void`, `s` and
/// `S` are pointers to constant `char` and to `char`, and `.` stands for more arguments.
const FUNCTIONS: &[(&str, &str)] = &[
    ("_Exit", "vi"),
    ("_exit", "vi"),
    ("abort", "v"),
    ("abs", "ii"),
    ("aligned_alloc", "pzz"),
    ("alloca", "pz"),
    ("bcmp", "iPPz"),
    ("bcopy", "vPpz"),
    ("bzero", "vpz"),
    ("calloc", "pzz"),
    ("exit", "vi"),
    ("ffs", "ii"),
    ("ffsl", "il"),
    ("ffsll", "ix"),
    ("fprintf", "ips."),
    ("fputc", "iip"),
    ("fputs", "isp"),
    ("free", "vp"),
    ("fscanf", "ips."),
    ("fwrite", "zPzzp"),
    ("imaxabs", "ll"),
    ("index", "Ssi"),
    ("isalnum", "ii"),
    ("isalpha", "ii"),
    ("isblank", "ii"),
    ("iscntrl", "ii"),
    ("isdigit", "ii"),
    ("isfinite", "id"),
    ("isgraph", "ii"),
    ("isinf", "id"),
    ("isinf_sign", "id"),
    ("islessgreater", "idd"),
    ("islower", "ii"),
    ("isnan", "id"),
    ("isnormal", "id"),
    ("isprint", "ii"),
    ("ispunct", "ii"),
    ("isspace", "ii"),
    ("isunordered", "idd"),
    ("isupper", "ii"),
    ("isxdigit", "ii"),
    ("labs", "ll"),
    ("llabs", "xx"),
    ("malloc", "pz"),
    ("memchr", "pPiz"),
    ("memcmp", "iPPz"),
    ("memcpy", "ppPz"),
    ("memmove", "ppPz"),
    ("mempcpy", "ppPz"),
    ("memset", "ppiz"),
    ("printf", "is."),
    ("putchar", "ii"),
    ("puts", "is"),
    ("realloc", "ppz"),
    ("rindex", "Ssi"),
    ("scanf", "is."),
    ("signbit", "id"),
    ("snprintf", "iSzs."),
    ("sprintf", "iSs."),
    ("sscanf", "iss."),
    ("stpcpy", "SSs"),
    ("stpncpy", "SSsz"),
    ("strcasecmp", "iss"),
    ("strcat", "SSs"),
    ("strchr", "Ssi"),
    ("strcmp", "iss"),
    ("strcpy", "SSs"),
    ("strcspn", "zss"),
    ("strdup", "Ss"),
    ("strlen", "zs"),
    ("strncasecmp", "issz"),
    ("strncat", "SSsz"),
    ("strncmp", "issz"),
    ("strncpy", "SSsz"),
    ("strndup", "Ssz"),
    ("strnlen", "zsz"),
    ("strpbrk", "Sss"),
    ("strrchr", "Ssi"),
    ("strspn", "zss"),
    ("strstr", "Sss"),
    ("tolower", "ii"),
    ("toupper", "ii"),
    ("vfprintf", "ipsa"),
    ("vprintf", "isa"),
    ("vscanf", "isa"),
    ("vsnprintf", "iSzsa"),
    ("vsprintf", "iSsa"),
    ("vsscanf", "issa"),
];

/// Functions on `double` that have a form for `float` and one for `long double`, by how many
/// numbers they take.
const NUMERIC: [&[&str]; 4] = [
    &[],
    &[
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atanh",
        "cbrt",
        "ceil",
        "cos",
        "cosh",
        "erf",
        "erfc",
        "exp",
        "exp2",
        "expm1",
        "fabs",
        "floor",
        "gamma",
        "lgamma",
        "log",
        "log10",
        "log1p",
        "log2",
        "logb",
        "nearbyint",
        "rint",
        "round",
        "roundeven",
        "sin",
        "sinh",
        "sqrt",
        "tan",
        "tanh",
        "tgamma",
        "trunc",
    ],
    &[
        "atan2",
        "copysign",
        "drem",
        "fdim",
        "fmax",
        "fmin",
        "fmod",
        "hypot",
        "nextafter",
        "pow",
        "remainder",
    ],
    &["fma"],
];

/// Functions on `double` with another result or another second argument.
const MIXED: &[(&str, &str)] = &[
    ("ilogb", "id"),
    ("ldexp", "ddi"),
    ("scalbn", "ddi"),
    ("scalbln", "ddl"),
    ("lrint", "ld"),
    ("lround", "ld"),
    ("llrint", "xd"),
    ("llround", "xd"),
];

/// What a function of the library takes and returns, as letters.
fn signature(name: &str) -> Option<String> {
    if let Ok(found) = FUNCTIONS.binary_search_by_key(&name, |it| it.0) {
        return Some(FUNCTIONS[found].1.to_string());
    }
    let forms = [(name, 'd')]
        .into_iter()
        .chain(name.strip_suffix('f').map(|it| (it, 'f')))
        .chain(name.strip_suffix('l').map(|it| (it, 'D')));
    for (name, letter) in forms {
        for (count, names) in NUMERIC.iter().enumerate() {
            if names.contains(&name) {
                return Some(std::iter::repeat_n(letter, count + 1).collect());
            }
        }
        if let Some((_, letters)) = MIXED.iter().find(|it| it.0 == name) {
            return Some(letters.replace('d', &letter.to_string()));
        }
    }
    None
}

impl Checker<'_> {
    /// The type of a function of the library.
    pub(super) fn library_type(&mut self, name: &str) -> Option<TypeId> {
        let letters = signature(name)?;
        let mut types = Vec::new();
        let mut is_variadic = false;
        for letter in letters.chars() {
            match letter {
                '.' => is_variadic = true,
                letter => types.push(Qualified::plain(self.letter(letter))),
            }
        }
        let parameters = types.split_off(1);
        Some(self.out.types.number(Type::Function(FunctionType {
            result: types[0],
            parameters,
            is_variadic,
            is_old_style: false,
        })))
    }

    fn letter(&mut self, letter: char) -> TypeId {
        let known = self.known;
        let constant = |ty| Qualified {
            ty,
            is_const: true,
            is_volatile: false,
        };
        let char = known.integer(IntKind::Char);
        match letter {
            'v' => known.void,
            'u' => known.integer(IntKind::UnsignedInt),
            'l' => known.integer(IntKind::Long),
            'x' => known.integer(IntKind::LongLong),
            'z' => known.size,
            'f' => known.float,
            'd' => known.double,
            'D' => known.long_double,
            'a' => known.va_list,
            'p' => known.void_pointer,
            'P' => self.pointer_to(constant(known.void)),
            's' => self.pointer_to(constant(char)),
            'S' => self.pointer_to(Qualified::plain(char)),
            _ => known.int(),
        }
    }

    /// A function of the library, declared if it is not yet.
    pub(super) fn library_function(&mut self, name: &str, span: Span) -> Option<FunctionId> {
        if let Some(known) = self.unit.find_name(name) {
            if let Some(Symbol::Function(function)) = self.linked.get(&known) {
                return Some(*function);
            }
            let ty = self.library_type(name)?;
            let ident = recurva_c::ast::Ident { name: known, span };
            return Some(self.add_implicit(ident, ty));
        }
        if let Some(&function) = self.library.get(name) {
            return Some(function);
        }
        let ty = self.library_type(name)?;
        let function = self.add_function(name.into(), ty, span);
        self.library.insert(name.into(), function);
        Some(function)
    }

    /// A function that nobody declares.
    pub(super) fn add_implicit(&mut self, ident: recurva_c::ast::Ident, ty: TypeId) -> FunctionId {
        let function = self.add_function(self.name(ident.name).into(), ty, ident.span);
        self.linked.insert(ident.name, Symbol::Function(function));
        function
    }

    fn add_function(&mut self, name: Box<str>, ty: TypeId, span: Span) -> FunctionId {
        let is_noreturn = matches!(&*name, "abort" | "exit" | "_exit" | "_Exit");
        let id = FunctionId(self.out.functions.len() as u32);
        self.out.functions.push(Function {
            name,
            link_name: None,
            is_alias: false,
            ty: Qualified::plain(ty),
            linkage: Linkage::External,
            is_inline: false,
            is_noreturn,
            is_constructor: false,
            is_weak: false,
            body: None,
            span,
        });
        self.functions.push(super::function::Known {
            is_implicit: true,
            ..Default::default()
        });
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_be_searched() {
        assert!(FUNCTIONS.is_sorted_by_key(|it| it.0));
        assert_eq!(signature("fabsf").as_deref(), Some("ff"));
        assert_eq!(signature("ldexpl").as_deref(), Some("DDi"));
        assert_eq!(signature("memcpy").as_deref(), Some("ppPz"));
        assert_eq!(signature("frobnicate"), None);
    }
}
