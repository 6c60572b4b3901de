//! Systems of any size, behind the façade.

mod ask;

use std::ops::ControlFlow;

use recurva_draw::{Drawing, machines};
use recurva_regular::{
    Meter, Parsed as ParsedSystem, Progress as Working, Stop, express::expression, system::System,
};
use recurva_syntax::{Index, Source, Span, SymbolKind};
use recurva_trace::Question as SavedQuestion;

use crate::{
    Asked, Format, Limit, Model, Options, Question, QuestionKind, Refused, Said, Watch, Work,
    asked::Sort,
    content::{Content, Converted, Offer, Picture},
    formats::Parsed,
    watch::Clock,
    words::suggestion,
};
use ask::{SystemProperty, SystemQuestion};

/// A system of any size.
#[derive(Debug)]
pub(crate) struct SystemContent {
    system: System,
}

/// How a text becomes a system, for as long as the meter lets it.
type Compile = fn(&Source, &mut Meter<'_>) -> Result<ParsedSystem<System>, Stop>;

/// Reads a system.
pub(crate) fn read(
    source: &Source,
    clock: &mut Clock<'_>,
    compile: Compile,
) -> Result<Parsed, Limit> {
    let memory = clock.left().memory;
    let compiled = {
        let mut look = |now: &Working| working(clock, now);
        let mut meter = Meter::watched(&mut look);
        if let Some(memory) = memory {
            meter = meter.with_memory(memory);
        }
        compile(source, &mut meter)
    };
    let ParsedSystem { value, diagnostics } = compiled.map_err(|stop| limit(stop, clock))?;
    let content = value.map(|system| Box::new(SystemContent { system }) as Box<dyn Content>);
    Ok(Parsed {
        content,
        diagnostics,
        said: Vec::new(),
    })
}

/// Tells those who wait how far the work is.
fn working(clock: &mut Clock<'_>, now: &Working) -> ControlFlow<()> {
    let (what, unit) = match now.technique {
        "finite" => ("the first sizes one by one", "words"),
        name => (name, "states"),
    };
    let work = Work {
        what,
        round: now.round,
        number: now.states,
        unit,
        bytes: now.bytes,
    };
    clock.tick(&work.into())
}

fn limit(stop: Stop, clock: &Clock<'_>) -> Limit {
    match stop {
        Stop::Watch => clock.hit(),
        Stop::Memory(most) => Limit::Memory(most),
        Stop::Work(most) => Limit::Work(most),
        Stop::Letters(most) => Limit::Letters(most),
    }
}

impl SystemContent {
    fn properties(&self) -> impl Iterator<Item = (&str, SystemProperty<'_>)> {
        let bad = self.system.bad.iter();
        let bad = bad.map(|it| (it.name.as_str(), SystemProperty::Safe(it)));
        let live = self.system.live.iter();
        let live = live.map(|it| (it.name.as_str(), SystemProperty::Live(it)));
        bad.chain(live)
    }
}

/// Where the properties of a system are in its text.
struct Places<'m> {
    source: &'m Source,
    index: Index,
}

impl<'m> Places<'m> {
    fn of(model: &'m Model) -> Self {
        Places {
            source: model.source(),
            index: model.format().index(model.source(), model.options()),
        }
    }

    fn find(&self, name: &str) -> Span {
        let mut symbols = self.index.symbols().map(|(_, symbol)| symbol);
        let found = symbols.find(|it| it.kind == SymbolKind::Property && it.name == name);
        found.map_or_else(|| self.quoted(name), |it| it.place)
    }

    /// In a text without an index the first place where the name is a text of JSON.
    fn quoted(&self, name: &str) -> Span {
        let quoted = format!("\"{name}\"");
        let found = self.source.text().find(&quoted);
        found.map_or_else(Span::default, |at| {
            let start = at as u32 + 1;
            Span::new(start, start + name.len() as u32)
        })
    }
}

impl Content for SystemContent {
    fn sort(&self) -> Sort {
        Sort::System
    }

    fn questions<'m>(
        &'m self,
        model: &'m Model,
        asked: &Asked,
        _: &mut Vec<Said>,
        _: &mut Clock<'_>,
    ) -> Result<Vec<Question<'m>>, Refused> {
        let wanted = asked.property.as_deref();
        let found = self.properties();
        let found = found.filter(|(name, _)| wanted.is_none_or(|wanted| wanted == *name));
        let places = Places::of(model);
        let list: Vec<Question<'m>> = found
            .map(|(name, property)| Question {
                model,
                name: name.to_owned(),
                kind: QuestionKind::Own,
                asked: SavedQuestion::System {
                    name: name.to_owned(),
                },
                declared: Some(places.find(name)),
                ask: Box::new(SystemQuestion::new(&self.system, property)),
            })
            .collect();
        match (list.is_empty(), wanted) {
            (false, _) => Ok(list),
            (true, None) => Err(Refused::error(
                "the system has no property",
                "add one to the file: `bad …` or `live …`",
            )),
            (true, Some(wanted)) => {
                let names = self.properties().map(|(name, _)| name);
                let near = suggestion(wanted, names, "properties");
                Err(Refused::error(
                    format!("there is no property `{wanted}`"),
                    near,
                ))
            }
        }
    }

    fn offers(&self, model: &Model) -> Vec<Offer> {
        let places = Places::of(model);
        let offer = |(name, property): (&str, SystemProperty<'_>)| Offer {
            place: places.find(name),
            title: "check this property",
            asked: Asked {
                property: Some(name.to_owned()),
                ..Asked::default()
            },
            name: Some(name.to_owned()),
            detail: match property {
                SystemProperty::Safe(bad) => {
                    format!("an automaton with {} states", bad.words.states())
                }
                SystemProperty::Live(_) => String::new(),
            },
            entry: None,
        };
        let mut offers: Vec<Offer> = self.properties().map(offer).collect();
        offers.sort_by_key(|offer| offer.place.start);
        offers
    }

    fn drawing(&self, model: &Model, picture: Picture) -> Result<Option<Drawing>, Refused> {
        match picture {
            Picture::Whole => Ok(Some(machines::system(&self.system, model.name()))),
            Picture::Resources => Err(Refused::Said(vec![Said::error_if(
                "--r-graph is for machines (.pds, .rsm and .nsm)",
                None,
            )])),
        }
    }

    fn drawings(&self, _: &Model) -> Vec<Drawing> {
        let drawing = |name: String, about: Option<String>, graph| Drawing {
            title: name,
            description: about.unwrap_or_default(),
            graphs: vec![graph],
        };
        let parts = machines::parts(&self.system).into_iter();
        let drawn = parts.map(|(name, dfa, alphabet)| {
            let graph = machines::words(dfa, alphabet, "");
            drawing(name, expression(dfa, alphabet), graph)
        });
        drawn.collect()
    }

    fn expressions(&self) -> Option<Vec<(String, String)>> {
        let parts = machines::parts(&self.system).into_iter();
        let shown = parts.map(|(name, dfa, alphabet)| {
            let shown = expression(dfa, alphabet);
            let states = || format!("{} states", dfa.states());
            (name, shown.unwrap_or_else(states))
        });
        Some(shown.collect())
    }

    fn converted(
        &self,
        _: &Model,
        _: &Format,
        _: &Options,
        _: &mut dyn Watch,
    ) -> Option<Converted> {
        None
    }
}
