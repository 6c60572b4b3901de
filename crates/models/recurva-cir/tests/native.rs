//! The world that does what the C library does.

mod build;

use build::*;
use recurva_cir::interpret::{Machine, Native, Options, Outcome};
use recurva_cir::*;

const DOUBLE: Scalar = Scalar::Float(Float::Double);

fn double(value: f64) -> Expr {
    expr(ExprKind::Float(value), DOUBLE)
}

/// Lines of a format, the kind of its argument, the argument, and what glibc prints.
#[test]
fn printf_like_glibc() {
    let cases: Vec<Vec<&str>> = include_str!("printf.txt")
        .lines()
        .map(|line| line.splitn(4, '\t').collect())
        .collect();
    let mut build = Build::new(8);
    let int = build.int(I32);
    let printf = build.external("printf", Some(int));
    let mut body = Body::new("main");
    for case in &cases {
        let format = build.string(&format!("{}|\n", case[0]));
        let is_long = case[0].contains(['l', 'z', 't', 'j']);
        let argument = match case[1] {
            "i" if is_long => num(case[2].parse::<i128>().unwrap() as i64, I64),
            "i" => num(case[2].parse::<i128>().unwrap() as i64, I32),
            "d" => double(case[2].parse().unwrap()),
            _ => build.string(case[2]),
        };
        body.call(printf, vec![format, argument], None);
    }
    let (outcome, output) = build.run_with(body, Options::default());
    assert_eq!(outcome, Outcome::Exited(0));
    let pairs = cases.iter().zip(output.lines());
    let wrong: Vec<_> = pairs.filter(|(case, found)| *found != case[3]).collect();
    assert_eq!(wrong, vec![]);
    assert_eq!(output.lines().count(), cases.len());
}

/// Runs a program of calls, each with its arguments, whose results are printed.
fn outputs(calls: &[(&str, Vec<Given<'_>>)]) -> Vec<String> {
    let mut build = Build::new(8);
    let (int, long) = (build.int(I32), build.int(I64));
    let float = build.ty(Type::Float(Float::Double));
    let printf = build.external("printf", Some(int));
    let mut body = Body::new("main");
    for (name, arguments) in calls {
        let (result, format, scalar) = match name.strip_prefix("f:") {
            Some(_) => (float, "%g\n", DOUBLE),
            None => (long, "%ld\n", Scalar::Int(I64)),
        };
        let name = name.strip_prefix("f:").unwrap_or(name);
        let callee = build.external(name, Some(result));
        let arguments = arguments.iter().map(|argument| match argument {
            Given::Text(text) => build.string(text),
            Given::Whole(value) => num(*value, I64),
            Given::Float(value) => double(*value),
        });
        let arguments: Vec<Expr> = arguments.collect();
        let place = body.local("r", result);
        body.call(callee, arguments, Some(&place));
        let format = build.string(format);
        body.call(printf, vec![format, load(&place, scalar)], None);
    }
    let (outcome, output) = build.run_with(body, Options::default());
    assert_eq!(outcome, Outcome::Exited(0));
    output.lines().map(str::to_owned).collect()
}

enum Given<'a> {
    Text(&'a str),
    Whole(i64),
    Float(f64),
}

use Given::{Float as F, Text as T, Whole as W};

#[test]
fn library_functions() {
    let cases: Vec<(&str, Vec<Given<'_>>, &str)> = vec![
        ("strlen", vec![T("hello")], "5"),
        ("strcmp", vec![T("abc"), T("abd")], "-1"),
        ("strcmp", vec![T("abc"), T("abc")], "0"),
        ("strcmp", vec![T("b"), T("abc")], "1"),
        ("strncmp", vec![T("abc"), T("abd"), W(2)], "0"),
        ("memcmp", vec![T("abc"), T("abd"), W(3)], "-1"),
        ("strspn", vec![T("aabc"), T("ab")], "3"),
        ("strcspn", vec![T("aabc"), T("c")], "3"),
        ("atoi", vec![T("  -17x")], "-17"),
        ("atol", vec![T("+9000000000")], "9000000000"),
        ("strtol", vec![T("  -0x1fz"), W(0), W(0)], "-31"),
        ("strtol", vec![T("0777"), W(0), W(0)], "511"),
        ("strtol", vec![T("zz"), W(0), W(36)], "1295"),
        (
            "strtol",
            vec![T("99999999999999999999"), W(0), W(10)],
            "9223372036854775807",
        ),
        ("strtoul", vec![T("-5"), W(0), W(10)], "-5"),
        ("f:strtod", vec![T("1.5e3x"), W(0)], "1500"),
        ("f:strtod", vec![T("1e+"), W(0)], "1"),
        ("f:strtod", vec![T("0x1.8p3"), W(0)], "12"),
        ("f:strtod", vec![T(" -inf"), W(0)], "-inf"),
        ("f:strtod", vec![T("."), W(0)], "0"),
        ("abs", vec![W(-3)], "3"),
        ("labs", vec![W(-3_000_000_000)], "3000000000"),
        ("isalpha", vec![W(b'q'.into())], "1"),
        ("isalpha", vec![W(b'1'.into())], "0"),
        ("isspace", vec![W(0x0b)], "1"),
        ("toupper", vec![W(b'q'.into())], "81"),
        ("tolower", vec![W(-1)], "-1"),
        ("rand", vec![], "1804289383"),
        ("rand", vec![], "846930886"),
        ("srand", vec![W(42)], "0"),
        ("rand", vec![], "71876166"),
        ("rand", vec![], "708592740"),
        ("f:sqrt", vec![F(2.25)], "1.5"),
        ("f:pow", vec![F(2.0), F(10.0)], "1024"),
        ("f:floor", vec![F(-1.5)], "-2"),
        ("f:fabs", vec![F(-1.5)], "1.5"),
        ("f:fmod", vec![F(7.5), F(2.0)], "1.5"),
        ("f:ldexp", vec![F(0.75), W(4)], "12"),
        ("lround", vec![F(-2.5)], "-3"),
        ("getchar", vec![], "-1"),
    ];
    let (calls, expected): (Vec<_>, Vec<_>) = cases
        .into_iter()
        .map(|(name, arguments, result)| ((name, arguments), result))
        .unzip();
    assert_eq!(outputs(&calls), expected);
}

/// Texts are made in the program's memory, and read from the input.
#[test]
fn buffers() {
    let mut build = Build::new(8);
    let int = build.int(I32);
    let char = build.ty(Type::Char(I8));
    let array = build.ty(Type::Array(char, 16));
    let pointer = build.pointer(char);
    let [sprintf, snprintf, puts] =
        ["sprintf", "snprintf", "puts"].map(|name| build.external(name, Some(int)));
    let [strcat, strchr, fgets] =
        ["strcat", "strchr", "fgets"].map(|name| build.external(name, Some(pointer)));
    let texts = ["%d-%s", "abc", "!", "%08.3f|%s"].map(|text| build.string(text));
    let [format, text, mark, long] = texts;
    let mut body = Body::new("main");
    let buffer = body.local("buffer", array);
    let start = address(element(&buffer, num(0, I32), char));
    let (count, found) = (body.local("n", int), body.local("p", pointer));
    let arguments = vec![start.clone(), format, num(12, I32), text.clone()];
    body.call(sprintf, arguments, None);
    body.call(strcat, vec![start.clone(), mark], None);
    body.call(puts, vec![start.clone()], None);
    let arguments = vec![start.clone(), num(6, U64), long, double(3.14259), text];
    body.call(snprintf, arguments, Some(&count));
    body.expect(equal(load_int(&count, I32), num(12, I32)));
    body.call(puts, vec![start.clone()], None);
    body.call(
        strchr,
        vec![start.clone(), num(b'3'.into(), I32)],
        Some(&found),
    );
    body.expect(equal(
        load_pointer(&found),
        address(element(&buffer, num(3, I32), char)),
    ));
    body.call(fgets, vec![start.clone(), num(16, I32), null()], None);
    body.call(puts, vec![start.clone()], None);
    body.call(fgets, vec![start.clone(), num(3, I32), null()], None);
    body.call(puts, vec![start], None);
    build.module.entry = build.add(body.finish());
    let mut world = Native::with_input("one\ntwo\n");
    let outcome = Machine::new(&build.module, &mut world, Options::default()).run();
    assert_eq!(outcome, Outcome::Exited(0));
    let output = String::from_utf8(world.output).unwrap();
    assert_eq!(output, "12-abc!\n0003.\none\n\ntw\n");
}

/// `vprintf` takes a list from a function of the program.
#[test]
fn lists() {
    for by_pointer in [false, true] {
        let mut build = Build::new(8);
        let int = build.int(I32);
        let char = build.ty(Type::Char(I8));
        let pointer = build.pointer(char);
        let list_type = build.ty(Type::VaList);
        let vprintf = build.external("vprintf", Some(int));
        let mut inner = Body::new("say");
        inner.function.is_variadic = true;
        let format = inner.parameter("format", pointer);
        let list = inner.local("list", list_type);
        inner.then(Operation::VaStart(list.clone()));
        let list = match by_pointer {
            true => Argument::Value(address(list)),
            false => Argument::Record(list),
        };
        inner.then(Operation::Call {
            callee: Callee::Function(vprintf),
            arguments: vec![Argument::Value(load_pointer(&format)), list],
            result: None,
        });
        let inner = build.add(inner.finish());
        let (format, text) = (build.string("%d %s %.1f %lld\n"), build.string("text"));
        let mut body = Body::new("main");
        let arguments = vec![format, num(-1, I32), text, double(0.5), num(1 << 40, I64)];
        body.call(inner, arguments, None);
        let (outcome, output) = build.run_with(body, Options::default());
        assert_eq!(outcome, Outcome::Exited(0));
        assert_eq!(output, "-1 text 0.5 1099511627776\n");
    }
}

/// Streams are told apart, and bad pointers are found.
#[test]
fn streams_and_mistakes() {
    let mut build = Build::new(8);
    let int = build.int(I32);
    let void = build.ty(Type::Void);
    let pointer = build.pointer(void);
    let stderr = Place::whole(build.global("stderr", pointer, &[]), pointer);
    let stdout = Place::whole(build.global("stdout", pointer, &[]), pointer);
    let fputs = build.external("fputs", Some(int));
    let strlen = build.external("strlen", Some(int));
    let nonsense = build.external("nonsense", Some(int));
    let (first, second) = (build.string("out"), build.string("err"));
    let mut body = Body::new("main");
    body.call(fputs, vec![first, load_pointer(&stdout)], None);
    body.call(fputs, vec![second, load_pointer(&stderr)], None);
    body.call(strlen, vec![null()], None);
    build.module.entry = build.add(body.finish());
    let mut world = Native::new();
    let outcome = Machine::new(&build.module, &mut world, Options::default()).run();
    assert!(matches!(outcome, Outcome::Undefined(Check::Null, _)));
    assert_eq!((&*world.output, &*world.errors), (&b"out"[..], &b"err"[..]));

    let mut body = Body::new("main");
    body.call(nonsense, vec![], None);
    let outcome = build.run(body);
    assert!(matches!(outcome, Outcome::Unsupported(text, _) if text.contains("nonsense")));
}
