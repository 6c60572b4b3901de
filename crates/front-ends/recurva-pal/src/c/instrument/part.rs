//! The code of an event's part: its guard and its action.

use super::{
    emit::{Emitter, Names},
    guard::{GuardKind, GuardSite, Moment, Purpose, calling},
    matching::{Bound, Found},
    prelude::value,
    site::Site,
};
use crate::{
    c::prepare::{PreparedPart, quoted, variable},
    lang::{Event, Fragment, Part, Threads},
};

impl Emitter<'_, '_> {
    /// What an event says to do before or after a site.
    pub(super) fn part(&mut self, moment: Moment, site: Site, found: &Found, names: &Names) {
        let weaving = self.weaving;
        let event = &weaving.monitor.events[found.event];
        let prepared = &weaving.prepared.events[found.event];
        let (part, prepared) = match moment {
            Moment::Before => (&event.before, &prepared.before),
            Moment::After => (&event.after, &prepared.after),
        };
        if part.is_empty() {
            return;
        }
        let is_run = weaving.purpose == Purpose::Run;
        let is_locked = is_run && weaving.monitor.threads == Threads::Locked;
        if is_locked {
            self.writer.glue("recurva_pal_lock(); ");
        }
        self.guarded(moment, part, prepared, site, event, found, names);
        if is_locked {
            self.writer.glue("recurva_pal_unlock(); ");
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "all that is known of one part of one site"
    )]
    fn guarded(
        &mut self,
        moment: Moment,
        part: &Part,
        prepared: &PreparedPart,
        site: Site,
        event: &Event,
        found: &Found,
        names: &Names,
    ) {
        let back = self.view.span(site.expr).start;
        let fill = |number: u32| match found.bound.get(&number) {
            Some(bound) => names.of(bound, moment),
            None => String::new(),
        };
        if let (Some(guard), Some(text)) = (&part.guard, &prepared.guard) {
            self.writer.glue("if (!(");
            self.writer.fragment(text, back, fill);
            let report = match self.weaving.purpose {
                Purpose::Run => self.report(moment, guard, site, event, found, names),
                Purpose::Check => self.failing(moment, GuardKind::Guard, found),
            };
            self.writer.glue(&format!(")) {{ {report} }}"));
            if prepared.action.is_some() {
                self.writer.glue(" else ");
            }
        }
        if let Some(action) = &prepared.action {
            self.writer.glue("{ ");
            match self.weaving.purpose {
                Purpose::Run => self.writer.fragment(action, back, fill),
                Purpose::Check => {
                    let action = self.checked(moment, action, found);
                    self.writer.fragment(&action, back, fill);
                }
            }
            self.writer.glue(" }");
        }
        self.writer.glue(" ");
    }

    /// Statements that report a guard that does not hold.
    fn report(
        &self,
        moment: Moment,
        guard: &Fragment,
        site: Site,
        event: &Event,
        found: &Found,
        names: &Names,
    ) -> String {
        let mut report = format!(
            "if (recurva_pal_violated({}, {})) {{ ",
            self.describe(site, found),
            self.describe_guard(moment, guard)
        );
        for (number, bound) in &found.bound {
            // Before a call, its result is not there, and its target may never have been.
            let is_later = matches!(bound, Bound::Target | Bound::Result);
            if is_later && moment == Moment::Before {
                continue;
            }
            report.push_str(&value(&format!("${number}"), &names.of(bound, moment)));
        }
        let locals = event.locals.iter().flat_map(|local| &local.variables);
        for declared in locals {
            let name = &declared.name.text;
            report.push_str(&value(name, &variable(name)));
        }
        report.push_str("recurva_pal_show(); recurva_pal_report(); }");
        report
    }

    /// A statement that says that something does not hold.
    fn failing(&self, moment: Moment, kind: GuardKind, found: &Found) -> String {
        let function = self.failure(moment, kind, found);
        function.map_or_else(String::new, |function| format!("{function}();"))
    }

    /// The function to call where something does not hold.
    fn failure(&self, moment: Moment, kind: GuardKind, found: &Found) -> Option<String> {
        let mut guards = self.guards.iter();
        let number =
            guards.position(|it| it.event == found.event && it.moment == moment && it.kind == kind);
        number.map(GuardSite::function)
    }

    /// An action whose assertions can be told from those of the program.
    fn checked(&self, moment: Moment, action: &[u8], found: &Found) -> Vec<u8> {
        match self.failure(moment, GuardKind::Assertion, found) {
            Some(function) => calling(action, &function),
            None => action.to_vec(),
        }
    }

    fn describe_guard(&self, moment: Moment, guard: &Fragment) -> String {
        let source = self.weaving.source;
        let (line, _) = source.line_column(guard.span.start);
        let moment = moment.name();
        let words: Vec<String> = guard.text().split_whitespace().map(Into::into).collect();
        let guard = words.join(" ");
        quoted(&format!("{moment}\n{}:{line}\n{guard}", source.name()))
    }
}
