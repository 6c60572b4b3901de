//! Every operator against Rust's own arithmetic, on random values and on those at the ends.

mod build;

use build::*;
use recurva_cir::interpret::{Machine, Options, Outcome, Replay};
use recurva_cir::*;

/// Expressions over two unknown values `a` and `b` of some type, and what they are.
struct Table {
    build: Build,
    body: Body,
    first: Place,
    second: Place,
    results: Vec<Place>,
}

impl Table {
    fn new(ty: Type) -> Self {
        let mut build = Build::new(8);
        let ty = build.ty(ty);
        let first = Place::whole(build.global("a", ty, &[]), ty);
        let second = Place::whole(build.global("b", ty, &[]), ty);
        let mut body = Body::new("main");
        for place in [&first, &second] {
            let why = Unknown::Nondet("any".into());
            body.then(Operation::Havoc(place.clone(), why));
        }
        Table {
            build,
            body,
            first,
            second,
            results: Vec::new(),
        }
    }

    /// Computes one more expression.
    fn compute(&mut self, value: Expr) {
        let (value, ty) = match value.ty {
            Scalar::Bool => (convert(value, Scalar::Int(U8)), Type::Int(U8)),
            Scalar::Int(int) => (value, Type::Int(int)),
            Scalar::Float(float) => (value, Type::Float(float)),
            Scalar::Pointer => unreachable!(),
        };
        let ty = self.build.ty(ty);
        let name = format!("r{}", self.results.len());
        let place = Place::whole(self.build.global(&name, ty, &[]), ty);
        self.body.assign(&place, value);
        self.results.push(place);
    }

    fn finish(mut self) -> (Module, Vec<Place>) {
        self.build.module.entry = self.build.add(self.body.finish());
        validate(&self.build.module).unwrap();
        (self.build.module, self.results)
    }
}

/// Runs with two values; the results, extended with zeros.
fn run(table: &(Module, Vec<Place>), first: &[u8], second: &[u8]) -> Vec<u64> {
    let choices = [first, second].map(|bytes| Choice {
        bytes: bytes.to_vec(),
    });
    let mut world = Replay::new(choices.to_vec());
    let mut machine = Machine::new(&table.0, &mut world, Options::default());
    assert_eq!(machine.run(), Outcome::Exited(0));
    let view = machine.view();
    let results = table.1.iter().map(|place| {
        let mut word = [0; 8];
        let bytes = view.bytes(0, place).unwrap();
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    });
    results.collect()
}

fn next(state: &mut u64) -> u64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1);
    *state ^ *state >> 29
}

/// Numbers at the ends and random ones of all lengths.
fn samples() -> Vec<u64> {
    let mut numbers = vec![0, 1, 2, 3, 7, u64::MAX, u64::MAX - 1];
    for bits in [7, 8, 15, 16, 31, 32, 63] {
        numbers.extend([(1 << bits) - 1, 1 << bits, (1 << bits) + 1]);
    }
    let mut state = 1;
    numbers.extend((0..40).map(|_| {
        let length = next(&mut state) % 64;
        next(&mut state) >> length
    }));
    numbers
}

macro_rules! integers {
    ($name:ident, $type:ty, $int:expr) => {
        #[test]
        fn $name() {
            let int: Int = $int;
            let ty = Scalar::Int(int);
            let mut table = Table::new(Type::Int(int));
            let (a, b) = (load(&table.first, ty), load(&table.second, ty));
            let zero = || num(0, int);
            let amount = binary(Binary::And, b.clone(), num(i64::from(int.bits) - 1, int));
            for operator in [Binary::Add, Binary::Subtract, Binary::Multiply] {
                table.compute(binary(operator, a.clone(), b.clone()));
                let kind = ExprKind::Overflows(operator, Box::new(a.clone()), Box::new(b.clone()));
                table.compute(expr(kind, Scalar::Bool));
            }
            for operator in [Binary::Divide, Binary::Remainder] {
                let kind = ExprKind::If(
                    Box::new(equal(b.clone(), zero())),
                    Box::new(zero()),
                    Box::new(binary(operator, a.clone(), b.clone())),
                );
                table.compute(expr(kind, ty));
            }
            let overflows = |operator, right: &Expr| {
                let (left, right) = (Box::new(a.clone()), Box::new(right.clone()));
                expr(ExprKind::Overflows(operator, left, right), Scalar::Bool)
            };
            table.compute(overflows(Binary::Divide, &b));
            table.compute(overflows(Binary::ShiftLeft, &amount));
            table.compute(binary(Binary::ShiftLeft, a.clone(), amount.clone()));
            table.compute(binary(Binary::ShiftRight, a.clone(), amount.clone()));
            let rest = [
                Binary::And,
                Binary::Or,
                Binary::Xor,
                Binary::Equal,
                Binary::NotEqual,
                Binary::Less,
                Binary::LessEqual,
                Binary::Greater,
                Binary::GreaterEqual,
            ];
            for operator in rest {
                table.compute(binary(operator, a.clone(), b.clone()));
            }
            let unary = [
                Unary::Negate,
                Unary::Not,
                Unary::LeadingZeros,
                Unary::TrailingZeros,
                Unary::CountOnes,
                Unary::SwapBytes,
            ];
            for operator in unary {
                table.compute(expr(ExprKind::Unary(operator, Box::new(a.clone())), ty));
            }
            for to in [I8, U8, I16, U16, I32, U32, I64, U64] {
                table.compute(convert(a.clone(), Scalar::Int(to)));
            }
            table.compute(convert(a.clone(), Scalar::Bool));
            table.compute(convert(a.clone(), Scalar::Float(Float::Single)));
            table.compute(convert(a.clone(), Scalar::Float(Float::Double)));
            let table = table.finish();

            // Results as bits without a sign.
            let bits = |value: $type| value as u64 & u64::MAX >> (64 - <$type>::BITS);
            for a in samples() {
                for b in samples() {
                    let (a, b) = (a as $type, b as $type);
                    let amount = b as u32 & (<$type>::BITS - 1);
                    let exact = (a as i128) << amount;
                    let is_outside = exact < <$type>::MIN as i128 || exact > <$type>::MAX as i128;
                    let expected = vec![
                        bits(a.wrapping_add(b)),
                        u64::from(a.checked_add(b).is_none()),
                        bits(a.wrapping_sub(b)),
                        u64::from(a.checked_sub(b).is_none()),
                        bits(a.wrapping_mul(b)),
                        u64::from(a.checked_mul(b).is_none()),
                        bits(if b == 0 { 0 } else { a.wrapping_div(b) }),
                        bits(if b == 0 { 0 } else { a.wrapping_rem(b) }),
                        u64::from(b != 0 && a.checked_div(b).is_none()),
                        u64::from(is_outside),
                        bits(a.wrapping_shl(amount)),
                        bits(a.wrapping_shr(amount)),
                        bits(a & b),
                        bits(a | b),
                        bits(a ^ b),
                        u64::from(a == b),
                        u64::from(a != b),
                        u64::from(a < b),
                        u64::from(a <= b),
                        u64::from(a > b),
                        u64::from(a >= b),
                        bits(a.wrapping_neg()),
                        bits(!a),
                        u64::from(a.leading_zeros()),
                        u64::from(a.trailing_zeros()),
                        u64::from(a.count_ones()),
                        bits(a.swap_bytes()),
                        u64::from(a as i8 as u8),
                        u64::from(a as u8),
                        u64::from(a as i16 as u16),
                        u64::from(a as u16),
                        u64::from(a as i32 as u32),
                        u64::from(a as u32),
                        a as i64 as u64,
                        a as u64,
                        u64::from(a != 0),
                        u64::from((a as f32).to_bits()),
                        (a as f64).to_bits(),
                    ];
                    let found = run(&table, &a.to_le_bytes(), &b.to_le_bytes());
                    assert_eq!(found, expected, "{a} and {b}");
                }
            }
        }
    };
}

integers!(i8_as_rust, i8, I8);
integers!(u8_as_rust, u8, U8);
integers!(i16_as_rust, i16, I16);
integers!(u16_as_rust, u16, U16);
integers!(i32_as_rust, i32, I32);
integers!(u32_as_rust, u32, U32);
integers!(i64_as_rust, i64, I64);
integers!(u64_as_rust, u64, U64);

macro_rules! floats {
    ($name:ident, $type:ty, $float:expr) => {
        #[test]
        fn $name() {
            let float: Float = $float;
            let ty = Scalar::Float(float);
            let mut table = Table::new(Type::Float(float));
            let (a, b) = (load(&table.first, ty), load(&table.second, ty));
            let operators = [
                Binary::Add,
                Binary::Subtract,
                Binary::Multiply,
                Binary::Divide,
                Binary::Equal,
                Binary::NotEqual,
                Binary::Less,
                Binary::LessEqual,
                Binary::Greater,
                Binary::GreaterEqual,
            ];
            for operator in operators {
                table.compute(binary(operator, a.clone(), b.clone()));
            }
            let negated = ExprKind::Unary(Unary::Negate, Box::new(a.clone()));
            table.compute(expr(negated, ty));
            table.compute(convert(a.clone(), Scalar::Bool));
            table.compute(convert(a.clone(), Scalar::Float(Float::Single)));
            table.compute(convert(a.clone(), Scalar::Float(Float::Double)));
            table.compute(convert(a.clone(), Scalar::Int(I64)));
            for int in [I8, U8, I32, U32, I64, U64] {
                let kind = ExprKind::OutOfRange(Box::new(a.clone()), int);
                table.compute(expr(kind, Scalar::Bool));
            }
            let table = table.finish();
            let mut numbers: Vec<$type> = vec![0.0, -0.0, 1.0, -1.0, 0.1, 1e30, -1e30, 127.9];
            numbers.extend([128.0, -128.9, -129.0, 255.5, 256.0, -0.9, 2147483648.0]);
            numbers.extend([9223372036854775808.0, 18446744073709551616.0]);
            numbers.extend([<$type>::INFINITY, <$type>::NAN, <$type>::MIN_POSITIVE]);
            numbers.extend(samples().iter().map(|&it| it as i64 as $type / 3.0));
            // Which of a NaN's bits an operation keeps is not fixed.
            let bits = |value: $type| match value.is_nan() {
                true => 0,
                false => u64::from_le_bytes({
                    let mut word = [0; 8];
                    word[..size_of::<$type>()].copy_from_slice(&value.to_le_bytes());
                    word
                }),
            };
            let out = |value: $type, low: i128, high: i128| {
                let is_huge = !value.is_finite() || value.abs() as f64 > 1e25;
                u64::from(is_huge || (value as i128) < low || value as i128 > high)
            };
            for &a in &numbers {
                for &b in &numbers {
                    let computed = [a + b, a - b, a * b, a / b];
                    let mut expected: Vec<u64> = computed.map(bits).to_vec();
                    expected.extend([a == b, a != b, a < b, a <= b, a > b, a >= b].map(u64::from));
                    expected.push(bits(-a));
                    expected.push(u64::from(a != 0.0));
                    let is_nan = a.is_nan();
                    expected.push(if is_nan {
                        0
                    } else {
                        u64::from((a as f32).to_bits())
                    });
                    expected.push(if is_nan { 0 } else { (a as f64).to_bits() });
                    expected.push(a as i64 as u64);
                    expected.push(out(a, i128::from(i8::MIN), i128::from(i8::MAX)));
                    expected.push(out(a, 0, i128::from(u8::MAX)));
                    expected.push(out(a, i128::from(i32::MIN), i128::from(i32::MAX)));
                    expected.push(out(a, 0, i128::from(u32::MAX)));
                    expected.push(out(a, i128::from(i64::MIN), i128::from(i64::MAX)));
                    expected.push(out(a, 0, i128::from(u64::MAX)));
                    let mut found = run(&table, &a.to_le_bytes(), &b.to_le_bytes());
                    for (index, value) in computed.into_iter().enumerate() {
                        if value.is_nan() {
                            found[index] = 0;
                        }
                    }
                    if is_nan {
                        (found[10], found[12], found[13]) = (0, 0, 0);
                    }
                    assert_eq!(found, expected, "{a} and {b}");
                }
            }
        }
    };
}

floats!(f32_as_rust, f32, Float::Single);
floats!(f64_as_rust, f64, Float::Double);

/// `&&` and `||` of truth values do not look at what cannot matter.
#[test]
fn truth_values() {
    let mut build = Build::new(8);
    let mut body = Body::new("main");
    let truth = |value| Expr::constant(value, Scalar::Bool);
    let broken = || {
        equal(
            binary(Binary::Divide, num(1, I32), num(0, I32)),
            num(1, I32),
        )
    };
    body.expect(not(binary(Binary::And, truth(0), broken())));
    body.expect(binary(Binary::Or, truth(1), broken()));
    for (left, right) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let both = [
            (Binary::And, left & right),
            (Binary::Or, left | right),
            (Binary::Xor, left ^ right),
            (Binary::Equal, u64::from(left == right)),
        ];
        for (operator, value) in both {
            let computed = binary(operator, truth(left), truth(right));
            body.expect(binary(Binary::Equal, computed, truth(value)));
        }
    }
    assert_eq!(build.run(body), Outcome::Exited(0));
}

/// What has no value ends the run, even if no check came before.
#[test]
fn no_value() {
    for (operator, right, check) in [
        (Binary::Divide, 0, Check::Division),
        (Binary::Remainder, 0, Check::Division),
        (Binary::ShiftLeft, 32, Check::Shift),
        (Binary::ShiftRight, -1, Check::Shift),
    ] {
        let mut build = Build::new(8);
        let int = build.int(I32);
        let mut body = Body::new("main");
        let place = body.local("x", int);
        body.assign(&place, binary(operator, num(1, I32), num(right, I32)));
        let outcome = build.run(body);
        assert!(matches!(outcome, Outcome::Undefined(found, _) if found == check));
    }
}
