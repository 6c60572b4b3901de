//! The operators of the model. Quantifiers are written out.

use recurva_model::{Binary, Op, Type, Unary};

use super::{
    Item, Quantifier, What,
    typing::{Note, WIDE},
};

/// How many operators may be written in all for the quantifiers of one expression.
const MOST: u64 = 1 << 20;

/// An operator, or the variable of a quantifier that has no value yet.
#[derive(Clone, Copy)]
enum Piece {
    Op(Op),
    Bound(u32),
}

/// A quantifier whose expression would become too large.
pub(super) struct TooLarge(pub(super) Quantifier);

/// The operators of a checked expression.
pub(super) fn emit(items: &[Item], notes: &[Note]) -> Result<Vec<Op>, TooLarge> {
    let mut pieces: Vec<Piece> = Vec::with_capacity(items.len());
    let mut open: Vec<(Quantifier, u32, usize)> = Vec::new();
    let mut quantifiers = 0;
    let mut written = 0;
    for (item, note) in items.iter().zip(notes) {
        let op = match item.what {
            What::Bind(quantifier) => {
                open.push((quantifier, quantifiers, pieces.len()));
                quantifiers += 1;
                continue;
            }
            What::Quantify => {
                let Some((quantifier, position, start)) = open.pop() else {
                    continue;
                };
                let size = (pieces.len() - start + 1) as u64;
                written = quantifier
                    .count()
                    .saturating_mul(size)
                    .saturating_add(written);
                if written > MOST {
                    return Err(TooLarge(quantifier));
                }
                expand(&mut pieces, start, quantifier, position);
                continue;
            }
            What::Truth(value) => Some(Op::Const(u64::from(value), Type::Bool)),
            What::Number(_) => constant(note),
            What::Leaf(_) if note.constant.is_some() => constant(note),
            What::Leaf(_) if note.bound.is_some() => {
                pieces.extend(note.bound.map(Piece::Bound));
                None
            }
            What::Leaf(_) => note.variable.map(Op::Read),
            What::Element(_) => note.variable.map(Op::Index),
            What::Not => Some(Op::Unary(Unary::Not, Type::Bool)),
            What::Negate => Some(Op::Unary(Unary::Negate, WIDE)),
            What::Logical(operator) => Some(Op::Binary(operator, Type::Bool)),
            What::Binary(operator) | What::Doubtful(operator) => {
                Some(Op::Binary(operator, note.ty))
            }
            What::Parenthesis => None,
        };
        let convert = note.convert.map(|(from, to)| Op::Convert(from, to));
        pieces.extend(op.into_iter().chain(convert).map(Piece::Op));
    }
    let op = |piece| match piece {
        Piece::Op(op) => Some(op),
        Piece::Bound(_) => None,
    };
    Ok(pieces.into_iter().filter_map(op).collect())
}

fn constant(note: &Note) -> Option<Op> {
    let value = note.constant?;
    Some(Op::Const(note.ty.wrap(value as u64), note.ty))
}

/// Puts the body from `start` on once for each value.
fn expand(pieces: &mut Vec<Piece>, start: usize, quantifier: Quantifier, position: u32) {
    let body = pieces.split_off(start);
    let operator = match quantifier.all {
        true => Binary::And,
        false => Binary::Or,
    };
    for value in quantifier.low..=quantifier.high {
        let number = Piece::Op(Op::Const(WIDE.wrap(value as u64), WIDE));
        pieces.extend(body.iter().map(|&piece| match piece {
            Piece::Bound(bound) if bound == position => number,
            piece => piece,
        }));
        if value > quantifier.low {
            pieces.push(Piece::Op(Op::Binary(operator, Type::Bool)));
        }
    }
}
