//! What a proof consists of.

use std::collections::BTreeMap;

use recurva_model::Point;

use crate::Formula;

/// Formulas at nodes of a program that together show that some nodes, the targets, are never reached.
///
/// A node's formula relates the values when the invocation that is running was entered to those of now.
/// It has to hold whenever control is at the node. So:
///
/// - The entry of the main procedure: for any values.
/// - A step from a node to the next: what holds before it implies what holds after it.
/// - A call: what holds before it implies the formula at the callee's entry, with the arguments. What the
///   callee's exit says about its entry and its end is what is known of the call afterwards.
/// - A target: never.
///
/// There is a formula at each node where two or more edges lead, at each exit that is reached and at the
/// entry of each procedure that is called. Between those the program is a forest, in which everything
/// follows from the formulas above. A procedure without a formula at its entry is never called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// What holds at each node that has a formula.
    pub formulas: BTreeMap<Point, Formula>,
}
