//! The JSON of a trace. `docs/src/reference/trace.schema.json` describes it: change both.

use std::marker::PhantomData;

use recurva_evidence::{Body, Step, Via};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser::SerializeMap};

use crate::{
    StrategyReason,
    recording::{Name, Recording},
};

/// Numbers above this one are written as strings: many readers round them.
const SAFE: u64 = (1 << 53) - 1;

/// A value.
struct Value(u64);

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            0..=SAFE => serializer.serialize_u64(self.0),
            large => serializer.serialize_str(&large.to_string()),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl de::Visitor<'_> for Visitor {
            type Value = u64;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a value: a number up to 2^53 - 1, or a larger one as a string")
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<u64, E> {
                match value {
                    0..=SAFE => Ok(value),
                    large => Err(E::invalid_value(de::Unexpected::Unsigned(large), &self)),
                }
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<u64, E> {
                let canonical = text == "0" || !text.starts_with(['0', '+']);
                let value = text.parse().ok().filter(|_| canonical);
                value.ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }

        deserializer.deserialize_any(Visitor).map(Value)
    }
}

/// A list of values.
#[derive(Deserialize)]
pub(crate) struct Values(Vec<Value>);

impl Values {
    pub(crate) fn into_values(self) -> Box<[u64]> {
        self.0.into_iter().map(|value| value.0).collect()
    }
}

struct Given<'a>(&'a [u64]);

impl Serialize for Given<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|&value| Value(value)))
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl de::Visitor<'_> for Visitor {
            type Value = Name;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("the name or the number of a procedure")
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Name, E> {
                let wrong = |_| E::invalid_value(de::Unexpected::Unsigned(number), &self);
                u32::try_from(number).map(Name::Number).map_err(wrong)
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<Name, E> {
                Ok(Name::Name(name.into()))
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Name::Name(name) => serializer.serialize_str(name),
            Name::Number(number) => serializer.serialize_u32(*number),
        }
    }
}

/// A trace as it is read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TraceShape {
    pub(crate) globals: Values,
    pub(crate) locals: Values,
    #[serde(deserialize_with = "objects")]
    pub(crate) bodies: Vec<BodyShape>,
    #[serde(deserialize_with = "objects")]
    pub(crate) stem: Vec<StepShape>,
    #[serde(default, deserialize_with = "present_objects")]
    pub(crate) turn: Option<Vec<StepShape>>,
}

/// A body as it is read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BodyShape {
    pub(crate) procedure: Name,
    #[serde(deserialize_with = "objects")]
    pub(crate) steps: Vec<StepShape>,
}

/// A step as it is read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StepShape {
    pub(crate) edge: u32,
    #[serde(default, deserialize_with = "present")]
    pub(crate) choices: Option<Values>,
    #[serde(default)]
    pub(crate) into: bool,
    #[serde(default, deserialize_with = "present")]
    pub(crate) through: Option<u32>,
}

/// A reason that is a list, as it is read.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum ReasonShape {
    Claims(Vec<u32>),
    Returns(Vec<u32>),
    Calls(Vec<(u32, Vec<(u32, u32)>)>),
}

/// Not derived: that would take `{"seen": null}` for `"seen"`.
impl<'de> Deserialize<'de> for StrategyReason {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl<'de> de::Visitor<'de> for Visitor {
            type Value = StrategyReason;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("\"seen\", or a list of claims, returns or calls")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<StrategyReason, E> {
                match text {
                    "seen" => Ok(StrategyReason::Seen),
                    other => Err(E::invalid_value(de::Unexpected::Str(other), &self)),
                }
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<StrategyReason, A::Error> {
                let map = de::value::MapAccessDeserializer::new(map);
                Ok(match ReasonShape::deserialize(map)? {
                    ReasonShape::Claims(list) => StrategyReason::Claims(list),
                    ReasonShape::Returns(list) => StrategyReason::Returns(list),
                    ReasonShape::Calls(list) => StrategyReason::Calls(list),
                })
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

/// Something that is an object. What is derived takes a list of its fields for one, too.
pub(crate) struct Object<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> de::Visitor<'de> for Visitor<T> {
            type Value = T;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
                T::deserialize(de::value::MapAccessDeserializer::new(map))
            }
        }

        deserializer
            .deserialize_map(Visitor(PhantomData))
            .map(Object)
    }
}

/// A field that is an object.
pub(crate) fn object<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Object::deserialize(deserializer).map(|object| object.0)
}

/// A field that is a list of objects.
pub(crate) fn objects<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    let list = Vec::<Object<T>>::deserialize(deserializer)?;
    Ok(list.into_iter().map(|object| object.0).collect())
}

/// A field that may be missing, but is not `null`.
pub(crate) fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// The same for an object.
pub(crate) fn present_object<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    object(deserializer).map(Some)
}

/// The same for a list of objects.
pub(crate) fn present_objects<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<T>>, D::Error> {
    objects(deserializer).map(Some)
}

/// A trace as it is written: made one item at a time, for it may be long.
impl Serialize for Recording {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Recording { procedures, trace } = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("globals", &Given(&trace.globals))?;
        map.serialize_entry("locals", &Given(&trace.locals))?;
        map.serialize_entry("bodies", &Bodies(procedures, &trace.bodies))?;
        map.serialize_entry("stem", &Steps(&trace.stem))?;
        if let Some(turn) = &trace.turn {
            map.serialize_entry("turn", &Steps(turn))?;
        }
        map.end()
    }
}

struct Bodies<'a>(&'a [Name], &'a [Body]);

impl Serialize for Bodies<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.1.iter().map(|body| Written {
            procedure: &self.0[body.procedure.index()],
            steps: Steps(&body.steps),
        }))
    }
}

#[derive(Serialize)]
struct Written<'a> {
    procedure: &'a Name,
    steps: Steps<'a>,
}

struct Steps<'a>(&'a [Step]);

impl Serialize for Steps<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(Taken))
    }
}

struct Taken<'a>(&'a Step);

impl Serialize for Taken<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Step { edge, choices, via } = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("edge", &edge.0)?;
        if !choices.is_empty() {
            map.serialize_entry("choices", &Given(choices))?;
        }
        match via {
            Via::Internal => {}
            Via::Into => map.serialize_entry("into", &true)?,
            Via::Through(body) => map.serialize_entry("through", &body.0)?,
        }
        map.end()
    }
}
