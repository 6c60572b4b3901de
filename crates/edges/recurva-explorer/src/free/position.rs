//! Positions in a run as the page counts them.

use recurva_evidence::{Next, Part, Replayed, Walk};

use crate::run::Cut;

/// A walk at a position as the page counts: the index among the stored steps of the stem and both
/// turns, then in each call that is open.
pub(super) fn walk_to<'a, 'p>(run: &'a Replayed<'p>, path: &[usize]) -> Option<Walk<'a, 'p>> {
    let (&first, inner) = path.split_first()?;
    let trace = run.trace();
    let (stem, turn) = (Cut::of(trace, Part::Stem), Cut::of(trace, Part::Turn));
    let mut walk = run.walk();
    let mut index = first;
    if first >= stem.stored() && turn.stored() > 0 {
        index = first - stem.stored();
        while walk.position().part == Part::Stem && walk.step_over() {}
        if index >= turn.stored() {
            index -= turn.stored();
            while walk.step_over() {}
            walk.turn_again();
        }
    }
    go_to(&mut walk, index)?;
    for &index in inner {
        let depth = walk.position().nesting;
        walk.step_in().then_some(())?;
        (walk.position().nesting > depth).then_some(())?;
        go_to(&mut walk, index)?;
    }
    Some(walk)
}

/// Goes on in the current list of steps.
fn go_to(walk: &mut Walk<'_, '_>, index: usize) -> Option<()> {
    let part = walk.position().part;
    let cut = Cut::of(walk.replayed().trace(), part);
    (index <= cut.stored()).then_some(())?;
    let wanted = cut.at_stored(index);
    while walk.position().step < wanted {
        // A turn follows the stem by itself.
        let moved = walk.next().is_some_and(|next| next != Next::Return) && walk.step_over();
        if !moved || walk.position().part != part {
            break;
        }
    }
    let at = walk.position();
    (at.step == wanted || (at.part == Part::Turn && part == Part::Stem && at.step == 0))
        .then_some(())
}
