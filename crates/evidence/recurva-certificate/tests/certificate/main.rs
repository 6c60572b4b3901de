//! Proofs, their checker and their files, against enumeration of all states.

mod by_hand;
mod damage;
mod encoding;
mod files;
mod inductive;
mod make;
mod oracle;
mod random;
mod reach;
mod states;
mod texts;
