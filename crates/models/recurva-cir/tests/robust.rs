//! Random programs that make little sense: whatever they do, a run ends with an outcome, the same
//! one each time.

mod build;

use build::*;
use recurva_cir::interpret::{Checks, Leaks, Machine, Options, Outcome, Random, Replay};
use recurva_cir::*;

struct Maker {
    state: u64,
    build: Build,
    /// The places that there are, and their types.
    places: Vec<Place>,
    pointers: Vec<TypeId>,
    functions: Vec<FunctionId>,
}

const INTS: [Int; 8] = [I8, U8, I16, U16, I32, U32, I64, U64];
const FLOATS: [Float; 3] = [Float::Single, Float::Double, Float::Extended];

impl Maker {
    fn number(&mut self, below: u64) -> u64 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005);
        self.state = self.state.wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % below
    }

    fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.number(list.len() as u64) as usize].clone()
    }

    fn variable(&mut self) -> Place {
        let index = self.number(self.places.len() as u64);
        self.places[index as usize].clone()
    }

    fn scalar(&mut self) -> Scalar {
        match self.number(8) {
            0 => Scalar::Bool,
            1 | 2 => Scalar::Pointer,
            3 => Scalar::Float(self.pick(&FLOATS)),
            _ => Scalar::Int(self.pick(&INTS)),
        }
    }

    fn int(&mut self, depth: u32) -> Expr {
        let int = self.pick(&INTS);
        self.expr(Scalar::Int(int), depth)
    }

    fn pointer(&mut self, depth: u32) -> Box<Expr> {
        Box::new(self.expr(Scalar::Pointer, depth))
    }

    /// A place of any type: a variable, a part of one, or where a pointer points to.
    fn place(&mut self, depth: u32) -> Place {
        let mut place = self.variable();
        if depth > 0 && self.number(4) == 0 {
            let ty = self.pick(&self.pointers.clone());
            place = deref(*self.pointer(depth - 1), ty);
        }
        while self.number(2) == 0 {
            let types = &self.build.module.types;
            match *types.get(place.ty) {
                Type::Record(id) => {
                    let fields = types.record(id).fields.clone();
                    let index = self.number(fields.len() as u64) as u32;
                    let chosen = &fields[index as usize];
                    place = field(&place, id, index, chosen.ty);
                    place.bits = chosen.bits;
                }
                Type::Array(ty, _) => {
                    let index = match depth {
                        0 => num(self.number(3) as i64, I32),
                        _ => self.int(depth - 1),
                    };
                    place = element(&place, index, ty);
                }
                _ => break,
            }
        }
        place
    }

    /// A place that holds a scalar of a type, if one is found soon.
    fn place_of(&mut self, ty: Scalar, depth: u32) -> Option<Place> {
        (0..20).find_map(|_| {
            let place = self.place(depth);
            (self.build.module.types.scalar(place.ty) == Some(ty)).then_some(place)
        })
    }

    fn leaf(&mut self, ty: Scalar) -> Expr {
        if self.number(2) == 0
            && let Some(place) = self.place_of(ty, 0)
        {
            return load(&place, ty);
        }
        match ty {
            Scalar::Float(_) => {
                let value = self.pick(&[0.0, -1.5, 1e300, f64::NAN, 3.0]);
                expr(ExprKind::Float(value), ty)
            }
            Scalar::Int(int) => {
                let small = self.number(5) as i64 - 1;
                let value = self.pick(&[small, small, i64::MIN, i64::MAX, 1 << 31]);
                num(value, int)
            }
            Scalar::Bool => Expr::constant(self.number(2), ty),
            Scalar::Pointer => {
                let place = self.variable();
                match self.number(6) {
                    0 => null(),
                    1 => Expr::constant(self.number(1 << 31), ty),
                    2 => expr(ExprKind::Function(self.pick(&self.functions.clone())), ty),
                    _ => address(place),
                }
            }
        }
    }

    fn expr(&mut self, ty: Scalar, depth: u32) -> Expr {
        if depth == 0 || self.number(4) == 0 {
            return self.leaf(ty);
        }
        let next = depth - 1;
        let kind = match (self.number(5), ty) {
            (0, _) => {
                let condition = Box::new(self.expr(Scalar::Bool, next));
                let yes = Box::new(self.expr(ty, next));
                ExprKind::If(condition, yes, Box::new(self.expr(ty, next)))
            }
            (1, _) => {
                let from = self.scalar();
                let is_wrong = matches!(
                    (from, ty),
                    (Scalar::Float(_), Scalar::Pointer) | (Scalar::Pointer, Scalar::Float(_))
                );
                let from = if is_wrong { ty } else { from };
                ExprKind::Convert(Box::new(self.expr(from, next)))
            }
            (_, Scalar::Bool) => return self.condition(next),
            (2, Scalar::Pointer) => match self.place(next) {
                place if place.bits.is_none() => ExprKind::Address(Box::new(place)),
                _ => return null(),
            },
            (_, Scalar::Pointer) => ExprKind::Offset {
                pointer: self.pointer(next),
                index: Box::new(self.int(next)),
                size: self.number(9),
            },
            (2, Scalar::Int(_)) => {
                let all = [
                    Unary::Negate,
                    Unary::Not,
                    Unary::LeadingZeros,
                    Unary::TrailingZeros,
                    Unary::CountOnes,
                    Unary::SwapBytes,
                ];
                ExprKind::Unary(self.pick(&all), Box::new(self.expr(ty, next)))
            }
            (3, Scalar::Int(_)) => ExprKind::Distance {
                left: self.pointer(next),
                right: self.pointer(next),
                size: 1 + self.number(8),
            },
            (_, Scalar::Int(_)) => {
                let all = [
                    Binary::Add,
                    Binary::Subtract,
                    Binary::Multiply,
                    Binary::Divide,
                    Binary::Remainder,
                    Binary::And,
                    Binary::Or,
                    Binary::Xor,
                    Binary::ShiftLeft,
                    Binary::ShiftRight,
                ];
                let operator = self.pick(&all);
                let right = match operator {
                    Binary::ShiftLeft | Binary::ShiftRight => self.int(next),
                    _ => self.expr(ty, next),
                };
                return binary(operator, self.expr(ty, next), right);
            }
            (2, Scalar::Float(_)) => ExprKind::Unary(Unary::Negate, Box::new(self.expr(ty, next))),
            (_, Scalar::Float(_)) => {
                let all = [
                    Binary::Add,
                    Binary::Subtract,
                    Binary::Multiply,
                    Binary::Divide,
                ];
                let operator = self.pick(&all);
                let left = self.expr(ty, next);
                return binary(operator, left, self.expr(ty, next));
            }
        };
        expr(kind, ty)
    }

    fn condition(&mut self, depth: u32) -> Expr {
        let kind = match self.number(9) {
            0 => ExprKind::IsValid(self.pointer(depth), self.number(20)),
            1 => ExprKind::IsAlive(self.pointer(depth)),
            2 => ExprKind::IsFreeable(self.pointer(depth)),
            3 => ExprKind::IsFunction(self.pointer(depth)),
            4 => ExprKind::IsInitialised(Box::new(self.place(depth))),
            5 => {
                let float = Scalar::Float(self.pick(&FLOATS));
                ExprKind::OutOfRange(Box::new(self.expr(float, depth)), self.pick(&INTS))
            }
            6 => {
                let all = [
                    Binary::Add,
                    Binary::Subtract,
                    Binary::Multiply,
                    Binary::Divide,
                    Binary::ShiftLeft,
                ];
                let ty = Scalar::Int(self.pick(&INTS));
                let left = Box::new(self.expr(ty, depth));
                ExprKind::Overflows(self.pick(&all), left, Box::new(self.expr(ty, depth)))
            }
            _ => {
                let all = [
                    Binary::Equal,
                    Binary::NotEqual,
                    Binary::Less,
                    Binary::LessEqual,
                    Binary::Greater,
                    Binary::GreaterEqual,
                ];
                let ty = self.scalar();
                let left = self.expr(ty, depth);
                return binary(self.pick(&all), left, self.expr(ty, depth));
            }
        };
        expr(kind, Scalar::Bool)
    }

    fn operation(&mut self) -> Operation {
        let place = self.place(2);
        let scalar = self.build.module.types.scalar(place.ty);
        match (self.number(14), scalar) {
            (0, _) => Operation::Havoc(place, Unknown::Input),
            (1, _) => Operation::Havoc(place, Unknown::Uninitialised),
            (2, _) if place.bits.is_none() => Operation::Zero(place),
            (3, _) if place.bits.is_none() => {
                let found = (0..20).find_map(|_| {
                    let other = self.place(1);
                    (other.ty == place.ty && other.bits.is_none()).then_some(other)
                });
                Operation::Copy(found.unwrap_or_else(|| place.clone()), place)
            }
            (4, _) => Operation::CopyBytes {
                to: *self.pointer(2),
                from: *self.pointer(2),
                count: num(self.number(20) as i64, U64),
            },
            (5, _) => Operation::FillBytes {
                to: *self.pointer(2),
                value: self.int(2),
                count: num(self.number(20) as i64, U64),
            },
            (6, _) => Operation::Free(*self.pointer(2)),
            (7 | 8, Some(Scalar::Pointer)) => Operation::Allocate {
                result: place,
                size: match self.number(4) {
                    0 => self.int(2),
                    _ => num(self.number(40) as i64, U64),
                },
                storage: self.pick(&[Storage::Heap, Storage::Stack]),
                is_zeroed: self.number(2) == 0,
            },
            (9, _) => {
                let callee = match self.number(3) {
                    0 => Callee::Pointer(*self.pointer(2)),
                    _ => Callee::Function(self.pick(&self.functions.clone())),
                };
                let first = self.expr(Scalar::Int(I32), 2);
                let second = self.expr(Scalar::Pointer, 2);
                Operation::Call {
                    callee,
                    arguments: [first, second].map(Argument::Value).to_vec(),
                    result: (scalar == Some(Scalar::Int(I32))).then_some(place),
                }
            }
            (10, _) => Operation::Check(Check::Bounds, self.expr(Scalar::Bool, 3)),
            (_, Some(ty)) => Operation::Assign(place, self.expr(ty, 3)),
            (_, None) => Operation::Skip,
        }
    }
}

/// Types, globals and functions with random bodies.
fn make(seed: u64) -> Module {
    let mut build = Build::new(if seed.is_multiple_of(2) { 4 } else { 8 });
    let ints = INTS.map(|int| build.int(int));
    let floats = FLOATS.map(|float| build.ty(Type::Float(float)));
    let pointer = build.pointer(ints[4]);
    let (_, record) = build.record(
        "s",
        false,
        24,
        &[
            ("x", ints[4], 0),
            ("b", ints[5], 4),
            ("p", pointer, 8),
            ("c", ints[0], 16),
        ],
    );
    build.module.types.records[0].fields[1].bits = Some(Bits { start: 3, width: 7 });
    let (_, union) = build.record(
        "u",
        true,
        24,
        &[("s", record, 0), ("f", floats[1], 0), ("i", ints[6], 0)],
    );
    let row = build.ty(Type::Array(record, 3));
    let mut types = vec![pointer, record, union, row];
    types.extend(ints);
    types.extend(floats);
    let globals = types.iter().map(|&ty| {
        let var = build.global("g", ty, &[]);
        Place::whole(var, ty)
    });
    let globals: Vec<Place> = globals.collect();
    let outside = build.external("outside", Some(ints[4]));
    let mut maker = Maker {
        state: seed,
        build,
        places: Vec::new(),
        pointers: types.clone(),
        functions: vec![outside, FunctionId(1), FunctionId(2)],
    };
    for name in ["f", "main"] {
        let mut body = Body::new(name);
        let first = body.parameter("n", ints[4]);
        let second = body.parameter("q", pointer);
        let result = body.result(ints[4]);
        maker.places = globals.clone();
        maker.places.extend([first, second, result]);
        maker
            .places
            .extend(types.iter().map(|&ty| body.local("x", ty)));
        for _ in 0..30 {
            if maker.number(5) == 0 {
                let condition = maker.expr(Scalar::Bool, 3);
                let (head, far) = (body.here(), maker.number(body.here().0 as u64 + 1));
                let next = body.node();
                body.edge(
                    head,
                    NodeId(far as u32),
                    Operation::Assume(condition.clone()),
                );
                body.edge(head, next, Operation::Assume(not(condition)));
                body.go_to(next);
            } else {
                body.then(maker.operation());
            }
        }
        maker.build.module.entry = maker.build.add(body.finish());
    }
    maker.build.module
}

#[test]
fn random_programs() {
    let mut ended = 0u32;
    for seed in 0..1000 {
        let module = make(seed);
        validate(&module).unwrap();
        let options = Options {
            errors: Checks::ALL,
            steps: 2000,
            memory: 1 << 22,
            frames: 100,
            ..Options::default()
        };
        let mut world = Random::new(seed);
        let mut machine = Machine::new(&module, &mut world, options);
        let outcome = machine.run();
        machine.view().locals(0);
        machine.view().leaks(Leaks::Unreachable);
        ended += u32::from(matches!(outcome, Outcome::Exited(_) | Outcome::OutOfSteps));
        let mut again = Replay::new(world.choices).with_allocations(world.allocations);
        let repeated = Machine::new(&module, &mut again, options).run();
        let (first, second) = (format!("{outcome:?}"), format!("{repeated:?}"));
        assert_eq!(first, second, "seed {seed}");
        if seed.is_multiple_of(100) {
            assert!(module.to_string().len() > 1000);
        }
    }
    assert!(ended > 10, "{ended} ended");
}
