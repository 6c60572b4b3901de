//! Terms back to formulas: random terms have the value of their formulas.

use recurva_certificate::formula::{Values, When};
use recurva_encode::{Meaning, Meanings, back};
use recurva_model::{Type, VarRef};
use recurva_smt::{ArrayValue, Op, Scalar, Sort, Term, Terms, Value};
use recurva_testkit::rng::Rng;
use std::collections::BTreeMap;

/// What numbers are.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Bits,
    Integers,
}

/// The number of elements of the array.
const LEN: u64 = 4;

/// Variables: scalars of these types at both times, then an array kept element by element, then one kept
/// whole. Each has a number.
struct World {
    types: Vec<Type>,
    mode: Mode,
    terms: Terms,
    meanings: Meanings,
    /// What is read, with its term.
    places: Vec<(Term, Meaning)>,
}

impl World {
    fn new(mode: Mode, types: &[Type], element: Type) -> Self {
        let mut world = World {
            types: types.to_vec(),
            mode,
            terms: Terms::default(),
            meanings: Meanings::default(),
            places: Vec::new(),
        };
        for (number, &ty) in (0..).zip(types) {
            for when in [When::Entry, When::Now] {
                world.add(Meaning::Value(VarRef::Local(number), when, ty), ty);
            }
        }
        world.types.push(element);
        world.types.push(element);
        let elements = VarRef::Local(types.len() as u32);
        for number in 0..LEN as u32 {
            let meaning = Meaning::Element(elements, When::Now, number, element);
            world.add(meaning, element);
        }
        let whole = VarRef::Local(types.len() as u32 + 1);
        let sort = match mode {
            Mode::Bits => Sort::Array(Scalar::Bits(2), Scalar::Bits(u32::from(element.bits()))),
            Mode::Integers => Sort::Array(Scalar::Int, Scalar::Int),
        };
        let term = world.terms.variable("whole", sort);
        let meaning = Meaning::Array(whole, When::Now, element);
        world.meanings.insert(term, meaning);
        world.places.push((term, meaning));
        world
    }

    fn add(&mut self, meaning: Meaning, ty: Type) {
        let sort = match (ty, self.mode) {
            (Type::Bool, _) => Sort::Bool,
            (_, Mode::Bits) => Sort::Bits(u32::from(ty.bits())),
            (_, Mode::Integers) => Sort::Int,
        };
        let name = format!("v{}", self.places.len());
        let term = self.terms.variable(&name, sort);
        self.meanings.insert(term, meaning);
        self.places.push((term, meaning));
    }

    /// The term's value and the formula's, for some values.
    fn compare(&self, term: Term, numbers: &Numbers) {
        let formula = back(&self.terms, term, &self.meanings).expect("it can be said");
        let value = self.terms.evaluate(term, &|it| self.value(it, numbers));
        let Some(Value::Bool(expected)) = value else {
            // An integer divided by zero, or one that is too large.
            return;
        };
        // The formula may need larger numbers.
        let Some(holds) = formula.holds(numbers) else {
            assert!(self.mode == Mode::Integers, "{formula:?}");
            return;
        };
        assert_eq!(holds, expected, "{formula:?} for {numbers:?}");
    }

    fn value(&self, term: Term, numbers: &Numbers) -> Option<Value> {
        let sorted = |ty: Type, raw: u64| match (ty, self.mode) {
            (Type::Bool, _) => Value::Bool(raw != 0),
            (_, Mode::Bits) => Value::Bits(u128::from(raw)),
            (_, Mode::Integers) => Value::Int(ty.to_number(raw)),
        };
        Some(match *self.meanings.get(&term)? {
            Meaning::Value(variable, when, ty) => sorted(ty, numbers.raw(variable, when, 0)),
            Meaning::Element(array, when, number, ty) => {
                sorted(ty, numbers.raw(array, when, u64::from(number)))
            }
            Meaning::Array(array, when, ty) => {
                let number = |index: u64| {
                    let raw = numbers.raw(array, when, index);
                    match self.mode {
                        Mode::Bits => i128::from(raw),
                        Mode::Integers => ty.to_number(raw),
                    }
                };
                let mut value = ArrayValue {
                    otherwise: 0,
                    places: BTreeMap::new(),
                };
                (0..LEN).for_each(|it| value.set(i128::from(it), number(it)));
                Value::Array(value)
            }
        })
    }
}

/// Values of variables, as bits.
#[derive(Debug)]
struct Numbers {
    types: Vec<Type>,
    raw: Vec<[u64; 2 * LEN as usize]>,
}

impl Numbers {
    fn random(types: &[Type], rng: &mut Rng) -> Self {
        let number = |ty: &Type, rng: &mut Rng| {
            ty.wrap(match rng.below(5) {
                0 => rng.below(4) as u64,
                1 => (rng.below(4) as u64).wrapping_neg(),
                2 => (ty.mask() >> 1).wrapping_add(rng.below(3) as u64),
                _ => rng.bits(),
            })
        };
        let raw = types
            .iter()
            .map(|ty| std::array::from_fn(|_| number(ty, rng)));
        Numbers {
            types: types.to_vec(),
            raw: raw.collect(),
        }
    }

    fn raw(&self, variable: VarRef, when: When, element: u64) -> u64 {
        let (VarRef::Local(index) | VarRef::Global(index)) = variable;
        let half = match when {
            When::Entry => 0,
            When::Now => LEN,
        };
        self.raw[index as usize][(half + element) as usize]
    }
}

impl Values for Numbers {
    fn value(&self, variable: VarRef, when: When, element: u64) -> Option<i128> {
        let (VarRef::Local(index) | VarRef::Global(index)) = variable;
        let raw = (element < LEN).then(|| self.raw(variable, when, element))?;
        Some(self.types[index as usize].to_number(raw))
    }

    fn is_bool(&self, variable: VarRef) -> bool {
        let (VarRef::Local(index) | VarRef::Global(index)) = variable;
        self.types[index as usize] == Type::Bool
    }
}

/// Random terms, by their sorts.
struct Pool<'w> {
    world: &'w mut World,
    terms: Vec<Term>,
}

impl Pool<'_> {
    fn of_sort(&self, sort: Sort, rng: &mut Rng) -> Option<Term> {
        let fitting = |&&it: &&Term| self.world.terms.sort(it) == sort;
        let fitting: Vec<Term> = self.terms.iter().filter(fitting).copied().collect();
        // Those made last are the deepest.
        match rng.chance(50) {
            true => fitting.last().copied(),
            false => rng.pick(&fitting).copied(),
        }
    }

    fn literal(&mut self, sort: Sort, rng: &mut Rng) -> Option<Term> {
        let small = rng.below(9) as i128 - 4;
        Some(match sort {
            Sort::Bits(width) if rng.chance(60) => self.world.terms.bits(small as u128, width),
            Sort::Bits(width) => self.world.terms.bits(u128::from(rng.bits()), width),
            Sort::Int if rng.chance(60) => self.world.terms.int(small),
            Sort::Int => self.world.terms.int(1 << rng.below(34)),
            _ => return None,
        })
    }

    fn operand(&mut self, sort: Sort, rng: &mut Rng) -> Option<Term> {
        match rng.chance(25) {
            true => self.literal(sort, rng),
            false => self.of_sort(sort, rng),
        }
    }

    fn grow(&mut self, rng: &mut Rng) -> Option<()> {
        let any = *rng.pick(&self.terms)?;
        let sort = self.world.terms.sort(any);
        let term = match (sort, rng.below(10)) {
            (Sort::Array(index, element), _) => {
                let index = self.operand(index.into(), rng)?;
                let index = self.in_range(index);
                let value = self.operand(element.into(), rng)?;
                match rng.chance(50) {
                    true => self.world.terms.store(any, index, value),
                    false => self.world.terms.select(any, index),
                }
            }
            (_, 0) => {
                let condition = self.of_sort(Sort::Bool, rng)?;
                let other = self.operand(sort, rng)?;
                self.world.terms.if_then_else(condition, any, other)
            }
            (_, 1) => {
                let other = self.operand(sort, rng)?;
                self.world.terms.equal(any, other)
            }
            (Sort::Bool, 2) => self.world.terms.not(any),
            (Sort::Bool, which) => {
                let other = self.of_sort(Sort::Bool, rng)?;
                let op = if which < 6 { Op::And } else { Op::Or };
                self.world.terms.apply(op, &[any, other])
            }
            (Sort::Int, _) => {
                let op = *rng.pick(&[
                    Op::Add,
                    Op::Subtract,
                    Op::Multiply,
                    Op::IntDivide,
                    Op::IntModulo,
                    Op::Less,
                    Op::LessEqual,
                ])?;
                let other = self.operand(sort, rng)?;
                self.world.terms.apply(op, &[any, other])
            }
            (Sort::Bits(width), 2 | 3) => self.resized(any, width, rng)?,
            (Sort::Bits(_), _) => {
                let op = *rng.pick(&[
                    Op::Add,
                    Op::Subtract,
                    Op::Multiply,
                    Op::BitAnd,
                    Op::BitOr,
                    Op::BitXor,
                    Op::UnsignedDivide,
                    Op::UnsignedRemainder,
                    Op::SignedDivide,
                    Op::SignedRemainder,
                    Op::ShiftLeft,
                    Op::LogicalShiftRight,
                    Op::ArithmeticShiftRight,
                    Op::Less,
                    Op::LessEqual,
                    Op::UnsignedLess,
                    Op::UnsignedLessEqual,
                ])?;
                let other = self.operand(sort, rng)?;
                self.world.terms.apply(op, &[any, other])
            }
        };
        self.terms.push(term);
        Some(())
    }

    fn resized(&mut self, term: Term, width: u32, rng: &mut Rng) -> Option<Term> {
        let to = 1 + rng.below(64) as u32;
        let terms = &mut self.world.terms;
        Some(match rng.below(6) {
            0 => terms.apply(Op::BitNot, &[term]),
            1 => terms.apply(Op::Negate, &[term]),
            2 => {
                let low = rng.below(width as usize) as u32;
                let high = low + rng.below((width - low) as usize) as u32;
                terms.extract(term, high, low)
            }
            3 if to > width => terms.zero_extend(term, to - width),
            4 if to > width => terms.sign_extend(term, to - width),
            5 => {
                let other = *rng.pick(&self.terms)?;
                match terms.sort(other) {
                    Sort::Bits(more) if width + more <= 64 => {
                        terms.apply(Op::Concat, &[term, other])
                    }
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    /// Integers as indices: the array has only so many elements.
    fn in_range(&mut self, index: Term) -> Term {
        match self.world.terms.sort(index) {
            Sort::Int => {
                let len = self.world.terms.int(i128::from(LEN));
                self.world.terms.apply(Op::IntModulo, &[index, len])
            }
            _ => index,
        }
    }
}

fn random_terms(mode: Mode, types: &[Type], element: Type, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut world = World::new(mode, types, element);
    let terms: Vec<Term> = world.places.iter().map(|it| it.0).collect();
    let mut pool = Pool {
        world: &mut world,
        terms,
    };
    for _ in 0..40 {
        pool.grow(&mut rng);
    }
    let all = pool.terms;
    let is_truth = |&it: &Term| world.terms.sort(it) == Sort::Bool;
    let truths: Vec<Term> = all.into_iter().filter(is_truth).collect();
    for _ in 0..8 {
        let numbers = Numbers::random(&world.types, &mut rng);
        for &term in &truths {
            world.compare(term, &numbers);
        }
    }
}

#[test]
fn random_terms_have_the_value_of_their_formulas() {
    let wide = [
        Type::Bool,
        Type::signed(32),
        Type::unsigned(32),
        Type::signed(8),
        Type::unsigned(64),
        Type::signed(64),
    ];
    let narrow = [
        Type::Bool,
        Type::unsigned(2),
        Type::signed(2),
        Type::signed(3),
        Type::unsigned(1),
    ];
    for seed in 0..400 {
        for mode in [Mode::Bits, Mode::Integers] {
            random_terms(mode, &wide, Type::signed(32), seed);
            random_terms(mode, &wide, Type::unsigned(8), seed + 10_000);
            random_terms(mode, &narrow, Type::Bool, seed + 20_000);
            random_terms(mode, &narrow, Type::signed(2), seed + 30_000);
        }
    }
}

#[test]
fn every_operator_on_all_small_values() {
    let comparisons = [
        Op::Equal,
        Op::Less,
        Op::LessEqual,
        Op::UnsignedLess,
        Op::UnsignedLessEqual,
    ];
    let operators = [
        Op::Add,
        Op::Subtract,
        Op::Multiply,
        Op::BitAnd,
        Op::BitOr,
        Op::BitXor,
        Op::UnsignedDivide,
        Op::UnsignedRemainder,
        Op::SignedDivide,
        Op::SignedRemainder,
        Op::ShiftLeft,
        Op::LogicalShiftRight,
        Op::ArithmeticShiftRight,
    ];
    let (signed, unsigned) = (Type::signed(3), Type::unsigned(3));
    for types in [[signed, unsigned, signed], [unsigned, signed, unsigned]] {
        let mut world = World::new(Mode::Bits, &types, Type::Bool);
        let [left, right, result] = [1, 3, 5].map(|it: usize| world.places[it].0);
        let mut all = Vec::new();
        for operator in operators {
            let term = world.terms.apply(operator, &[left, right]);
            all.extend(comparisons.map(|it| world.terms.apply(it, &[term, result])));
        }
        let mut numbers = Numbers::random(&world.types, &mut Rng::new(1));
        for code in 0..512_u64 {
            for (variable, shift) in [(0, 0), (1, 3), (2, 6)] {
                numbers.raw[variable][LEN as usize] = code >> shift & 7;
            }
            all.iter().for_each(|&it| world.compare(it, &numbers));
        }
    }
}

#[test]
fn what_is_not_known_is_not_said() {
    let mut terms = Terms::default();
    let x = terms.variable("x", Sort::Int);
    let y = terms.variable("y", Sort::Int);
    let equal = terms.equal(x, y);
    let meaning = Meaning::Value(VarRef::Local(0), When::Now, Type::signed(32));
    assert_eq!(
        back(&terms, equal, &[(x, meaning)].into_iter().collect()),
        None
    );
}
