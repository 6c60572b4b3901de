//! What a step has changed.

use recurva_cir::{
    Module, Place, Type, Var,
    interpret::{Change, Owner, View},
};

use super::{Frame, Recorder, is_written};
use crate::c::run::{CChange, COwner, CValue};

/// A statement that changes more parts of one variable than this is said to change it as a whole.
const PARTS: usize = 4;

impl Recorder<'_, '_> {
    pub(super) fn freed(&mut self, view: &View<'_, '_>, depth: usize, pointer: &recurva_cir::Expr) {
        let to = (0..).zip(&self.module.types.list);
        let mut to = to.filter(|(_, ty)| matches!(ty, Type::Pointer(_)));
        let Some((ty, _)) = to.next() else { return };
        let address = view.value(depth, pointer).filter(|&it| it != 0);
        let text = address.and_then(|it| view.show_value(depth, recurva_cir::TypeId(ty), it));
        let object = text.as_deref().and_then(|it| it.strip_prefix("freed "));
        let note = object.map(|it| format!("{it} is freed"));
        if let (Some(note), Some(step)) = (note, self.told()) {
            step.notes.push(note);
        }
    }

    /// Notes what changed, as part of the statement that is being executed.
    pub(super) fn change(
        &mut self,
        changes: &[Change],
        view: &View<'_, '_>,
        frame: usize,
        is_open: bool,
    ) {
        if !self.is_loud() {
            return;
        }
        for change in changes {
            let owner = view.owner(change);
            if let Owner::Local(depth, local) = owner {
                let function = self.module.function(view.position(depth).function);
                if function.result == Some(local) && depth == frame {
                    let place =
                        Place::whole(Var::Local(local), function.locals[local.0 as usize].ty);
                    let value = view.show(depth, &place).map(|it| self.text(it));
                    if let Some(frame) = self.frames.get_mut(depth) {
                        frame.result = value;
                    }
                }
            }
            let is_users = match owner {
                Owner::Global(id) => self.variables[id.0 as usize],
                Owner::Local(depth, local) => {
                    let function = view.position(depth).function;
                    let local = &self.module.function(function).locals[local.0 as usize];
                    self.is_shown(function) && is_written(local)
                }
                Owner::Allocated => true,
            };
            if is_users && !(is_open && matches!(owner, Owner::Allocated)) {
                self.note(owner, change, view);
            }
        }
    }

    pub(super) fn note(&mut self, owner: Owner, change: &Change, view: &View<'_, '_>) {
        let seen_from = self.open.as_ref().map_or(view.depth(), |it| it.frame);
        let Some(open) = &mut self.open else { return };
        if !open.is_told {
            return;
        }
        open.changed.push((owner, *change));
        let of_same = open.changed.iter().filter(|it| it.0 == owner).count();
        let whole = whole(self.module, &self.frames, owner, view);
        let (who, whole) = match whole {
            Some((who, mut value)) => {
                value.value = self.text(value.value);
                (who, Some(value))
            }
            None => (COwner::Program, None),
        };
        let shown = view.show_change(seen_from, change);
        let part = CValue {
            name: self.text(shown.name),
            value: self.text(shown.value),
        };
        let Some(step) = self.steps.last_mut() else {
            return;
        };
        let is_part = |it: &CChange| {
            let name = |it: &Option<CValue>| it.as_ref().map(|it| it.name.clone());
            it.owner == who && name(&it.whole) == name(&whole)
        };
        let named = whole.as_ref().map(|it| &it.name);
        let mut changes = step.changes.iter();
        let is_told = changes.any(|it| is_part(it) && Some(&it.part.name) == named);
        if let (true, Some(whole)) = (of_same > PARTS || is_told, &whole) {
            step.changes.retain(|it| !is_part(it));
            step.changes.push(CChange {
                part: whole.clone(),
                whole: Some(whole.clone()),
                owner: who,
            });
            return;
        }
        for change in step
            .changes
            .iter_mut()
            .filter(|it| whole.is_some() && is_part(it))
        {
            change.whole.clone_from(&whole);
        }
        let change = CChange {
            part,
            whole,
            owner: who,
        };
        match step
            .changes
            .iter_mut()
            .find(|it| it.part.name == change.part.name)
        {
            Some(old) => *old = change,
            None => step.changes.push(change),
        }
    }
}

/// The whole variable that something is part of.
fn whole(
    module: &Module,
    frames: &[Frame],
    owner: Owner,
    view: &View<'_, '_>,
) -> Option<(COwner, CValue)> {
    let (who, name, depth, place) = match owner {
        Owner::Global(id) => {
            let global = module.global(id);
            let place = Place::whole(Var::Global(id), global.ty);
            (COwner::Program, &global.name, view.depth(), place)
        }
        Owner::Local(depth, id) => {
            let function = module.function(view.position(depth).function);
            let local = &function.locals[id.0 as usize];
            let place = Place::whole(Var::Local(id), local.ty);
            let who = COwner::Call(frames.get(depth)?.depth);
            (who, &local.name, depth, place)
        }
        Owner::Allocated => return None,
    };
    let value = view.show(depth, &place)?;
    let name = name.to_string();
    Some((who, CValue { name, value }))
}
