//! Names and types of a random program.

/// The type of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Bool,
    Unsigned(u8),
    Signed(u8),
}

impl Kind {
    pub(super) fn bits(self) -> usize {
        match self {
            Kind::Bool => 1,
            Kind::Unsigned(bits) | Kind::Signed(bits) => usize::from(bits),
        }
    }

    /// The type as it stands before a variable's name; a bool needs none.
    fn prefix(self) -> String {
        match self {
            Kind::Bool => String::new(),
            Kind::Unsigned(bits) => format!("int({bits}) "),
            Kind::Signed(bits) => format!("sint({bits}) "),
        }
    }

    /// The largest number that can be written as a literal of the type.
    pub(super) fn largest(self) -> usize {
        match self {
            Kind::Bool => 1,
            Kind::Unsigned(bits) => (1 << bits) - 1,
            Kind::Signed(bits) => (1 << (bits - 1)) - 1,
        }
    }
}

/// A variable.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// The number of elements of an array.
    pub(super) len: Option<usize>,
}

impl Name {
    pub(super) fn bits(&self) -> usize {
        self.kind.bits() * self.len.unwrap_or(1)
    }

    pub(super) fn declaration(&self) -> String {
        let len = self.len.map_or(String::new(), |len| format!("[{len}]"));
        format!("{}{}{len}", self.kind.prefix(), self.name)
    }
}

/// What a caller knows of a procedure.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub(super) name: String,
    pub(super) parameters: Vec<Name>,
    pub(super) results: Vec<Kind>,
}

impl Signature {
    pub(super) fn head(&self) -> String {
        let parameters: Vec<String> = self.parameters.iter().map(Name::declaration).collect();
        let results = match &self.results[..] {
            [] => "void".to_owned(),
            [Kind::Bool] => "bool".to_owned(),
            kinds if kinds.iter().all(|&kind| kind == Kind::Bool) => {
                format!("bool<{}>", kinds.len())
            }
            kinds => {
                let each = kinds.iter().map(|kind| match kind {
                    Kind::Bool => "bool".to_owned(),
                    _ => kind.prefix().trim_end().to_owned(),
                });
                each.collect::<Vec<_>>().join(", ")
            }
        };
        format!("{results} {}({})", self.name, parameters.join(", "))
    }
}

/// The variables that can be named at a place.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    pub(super) names: Vec<Name>,
    /// Whether steps may fault.
    pub(super) faults: bool,
}

impl Scope {
    /// The scalars of a type.
    pub(super) fn scalars(&self, kind: Kind) -> Vec<&Name> {
        self.names
            .iter()
            .filter(|name| name.len.is_none() && name.kind == kind)
            .collect()
    }

    /// All integer scalars.
    pub(super) fn integers(&self) -> Vec<&Name> {
        let integer = |name: &&Name| name.len.is_none() && name.kind != Kind::Bool;
        self.names.iter().filter(integer).collect()
    }

    /// All arrays with elements of a type.
    pub(super) fn arrays(&self, kind: Kind) -> Vec<&Name> {
        self.names
            .iter()
            .filter(|name| name.len.is_some() && name.kind == kind)
            .collect()
    }
}
