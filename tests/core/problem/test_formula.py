"""Formulas: what they mean, what is refused and where, and that nothing in a link can hurt."""

import ast
import gc
import operator
import pickle
import random
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import core.portable.functions as portable
import core.problem.formula
from core.limits import Limits
from core.problem.formula import CONSTANTS, FUNCTIONS, parse
from core.types import FloatArray
from tests.effort import cases

X = np.linspace(-2.0, 2.0, 81)

_OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: np.divide,
    ast.Pow: portable.power,
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
}


def reference(node: ast.AST, x: FloatArray) -> Any:
    """The same formula read by Python's own parser: precedence and grouping by another hand."""
    match node:
        case ast.Expression(body=body):
            return reference(body, x)
        case ast.Constant(value=float() | int() as value):
            return np.float64(value)
        case ast.Name(id=name):
            return x if name == "x" else np.float64(CONSTANTS[name])
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -reference(inner, x)
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return np.logical_not(reference(inner, x))
        case ast.UnaryOp(op=ast.UAdd(), operand=inner):
            return reference(inner, x)
        case ast.BinOp(left=left, op=op, right=right):
            return _OPERATORS[type(op)](reference(left, x), reference(right, x))
        case ast.BoolOp(op=op, values=values):
            joined = np.logical_and if isinstance(op, ast.And) else np.logical_or
            return joined.reduce(np.broadcast_arrays(*(reference(value, x) for value in values)))
        case ast.Compare(left=left, ops=ops, comparators=others):
            sides = [reference(side, x) for side in (left, *others)]
            links = [_OPERATORS[type(op)](a, b) for op, a, b in zip(ops, sides[:-1], sides[1:], strict=True)]
            return np.logical_and.reduce(np.broadcast_arrays(*links))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return FUNCTIONS[name][0](*(reference(argument, x) for argument in arguments))
    raise AssertionError(ast.dump(node))


def calls(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    comparison = st.tuples(inner, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), inner).map("".join)
    chain = st.tuples(comparison, st.sampled_from(["<", ">="]), inner).map("".join)
    condition = st.one_of(
        comparison,
        chain,
        st.tuples(comparison, st.sampled_from([" and ", " or ", " and not "]), comparison).map("".join),
    )
    return st.one_of(
        st.tuples(inner, st.sampled_from([" + ", "-", "*", "/", "**"]), inner).map("".join),
        inner.map(lambda f: f"({f})"),
        inner.map(lambda f: f"-{f}"),
        st.tuples(st.sampled_from(["sin", "exp", "sqrt", "relu"]), inner).map("{0[0]}({0[1]})".format),
        st.tuples(st.sampled_from(["min", "max", "mod"]), inner, inner).map("{0[0]}({0[1]}, {0[2]})".format),
        st.tuples(condition, inner, inner).map("where({0[0]},{0[1]},{0[2]})".format),
    )


leaves = st.sampled_from(["x", "pi", "e", "2", "0.5", ".25", "1e-3", "3.0"])
formulas = st.recursive(leaves, calls, max_leaves=8)


@given(formulas)
def test_agrees_with_pythons_own_reading(text: str) -> None:
    try:
        expression = parse(text, Limits(formula_length=2_000, formula_nodes=500))
    except ValueError as error:
        assert "nested" in str(error)
        return
    with np.errstate(all="ignore"):
        expected = np.broadcast_to(reference(ast.parse(text, mode="eval"), X), X.shape)
    np.testing.assert_array_equal(expression(X), expected)


@given(formulas)
def test_canonical_text_is_a_fixed_point_with_the_same_values(text: str) -> None:
    try:
        expression = parse(text)
    except ValueError:
        return
    again = parse(expression.text)
    assert again == expression
    assert again.text == expression.text
    np.testing.assert_array_equal(again(X), expression(X))


def test_spelling_does_not_matter() -> None:
    assert parse(" SIN( Pi *X ) + 1.50 ") == parse("sin(pi*x)+1.5")
    assert parse("sin(pi*x)").text == "sin(pi*x)"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("x^2", "x**2"),
        ("2x", "2*x"),
        ("2 sin(3x)", "2*sin(3*x)"),
        ("πx", "pi*x"),
        ("|x|", "abs(x)"),
        ("sin x", "sin(x)"),
        ("e^x", "e**x"),
        ("√x", "sqrt(x)"),
        ("2√(x+1)", "2*sqrt(x+1)"),
        ("√2x", "sqrt(2)*x"),
        ("2 sin 3x cos x", "2*sin(3*x)*cos(x)"),
        ("sin 2πx", "sin(2*pi*x)"),
        ("sin²x+cos^2 x", "sin(x)**2+cos(x)**2"),
        ("sin |x-1|", "sin(abs(x-1))"),
        ("sin √x", "sin(sqrt(x))"),
        ("||x|-1|", "abs(abs(x)-1)"),
        ("x|x|+1", "x*abs(x)+1"),
        ("x³−2x", "x**3-2*x"),
        ("π²x", "pi**2*x"),
        ("x^2 sin(x)", "x**2*sin(x)"),
        ("x^2(x+1)", "x**2*(x+1)"),
        ("(x+1)(x-1)", "(x+1)*(x-1)"),
        ("1/2 x", "1/2*x"),
        ("sinx", "sin(x)"),
        ("xsin(x)", "x*sin(x)"),
        ("arctan[5·x]", "atan(5*x)"),
        ("where(x≤0, −x, 2x)", "where(x<=0,-x,2*x)"),
        ("x\u00a0+ 1", "x+1"),
    ],
)
def test_formulas_as_people_write_them(text: str, meant: str) -> None:
    assert parse(text).text == meant
    assert parse(meant).text == meant


@given(formulas)
def test_signs_that_are_spelled_out_may_be_left_out(text: str) -> None:
    """Numbers before x, and signs of products between brackets."""
    loose = re.sub(r"(?<![/*\w.])(\d)\*x", r"\1x", text).replace(")*(", ")(").replace("**", "^")
    try:
        plain = parse(text)
    except ValueError:
        return
    assert parse(loose).text == plain.text


@pytest.mark.parametrize(
    ("text", "at", "expected"),
    [
        ("-x**2", 3.0, -9.0),
        ("2**-1", 0.0, 0.5),
        ("2**3**2", 0.0, 512.0),
        ("-2**2", 0.0, -4.0),
        ("8/4/2", 0.0, 1.0),
        ("1-2-3", 0.0, -4.0),
        ("step(x)", 0.0, 0.0),
        ("heaviside(x)", 1e-9, 1.0),
        ("relu(x)", -1.0, 0.0),
        ("where(-1<x<=1, 5, 7)", 1.0, 5.0),
        ("where(-1<x<=1, 5, 7)", -1.0, 7.0),
        ("where(x<0 or x>1 and not x==2, 1, 0)", 2.0, 0.0),
        ("min(x, 2)*max(x, 2)", 3.0, 6.0),
        ("ln(e)", 0.0, 1.0),
    ],
)
def test_values(text: str, at: float, expected: float) -> None:
    assert parse(text)(np.array([at]))[0] == expected


def test_constant_formula_fills_the_array() -> None:
    values = parse("3")(X)
    assert values.shape == X.shape
    assert (values == 3.0).all()


def test_result_is_a_new_writable_array() -> None:
    values = parse("x")(X)
    assert not np.shares_memory(values, X)
    values[0] = 7.0


def test_survives_pickling() -> None:
    expression = parse("where(x>0,x**2,1)")
    again = pickle.loads(pickle.dumps(expression))
    assert again == expression
    np.testing.assert_array_equal(again(X), expression(X))


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("", 1, "empty"),
        ("(x", 3, r"expected '\)'"),
        ("x)", 2, r"without a '\('"),
        ("x+", 3, "ends too early"),
        ("x*/2", 3, "found '/'"),
        ("sin(x,2)", 1, "one argument, not 2"),
        ("min(x)", 1, "2 arguments, not 1"),
        ("where(x,1,2)", 7, "condition such as"),
        ("x>0", 2, "only inside where"),
        ("1+(x>0)", 5, "only inside where"),
        ("where(x>0,x>1,2)", 12, "only inside where"),
        ("where(x=0,1,2)", 8, "== to compare"),
        ("foo(x)", 1, "unknown name 'foo'"),
        ("x.real", 2, "no meaning"),
        ("1e999", 1, "too large"),
        ("x\x00", 2, "no meaning"),
        ("x if x else x", 3, "unknown name 'if'"),
        ("é", 1, "no meaning in a formula"),
        ("x 2", 3, "operator is missing before '2'"),
        ("sin", 1, r"brackets: sin\(…\)"),
        ("sin sin x", 1, r"brackets: sin\(…\)"),
        ("sin x (2)", 7, "belongs to sin"),
        ("1/2x", 4, r"two ways: write /\(2\*x\) or /2\*x"),
        ("e^2x", 4, r"two ways: write \^\(2\*x\) or \^2\*x"),
        ("1+|x", 3, "not closed"),
        ("sin |x", 5, "not closed"),
        ("where(x>0|x<1,1,2)", 10, "joined by 'or'"),
        ("sine(x)", 1, "did you mean sin"),
        ("__import__('os')", 12, "no meaning"),
        ("x* *2", 4, r"found '\*'"),
        ("x//2", 3, "found '/'"),
        ("x<<2", 3, "found '<'"),
        ("x<>2", 3, "found '>'"),
        ("sin()", 1, "one argument, not 0"),
        ("sin(x,)", 7, "nothing behind the comma"),
        ("sin(*x)", 5, "cannot be read"),
        ("sin(x,**x)", 1, "cannot be read"),
        ("(x,1)", 1, "cannot be read"),
        ("x,1", 1, "cannot be read"),
        ("()", 1, "cannot be read"),
        ("1+not x>0", 3, "found 'not'"),
        ("not x>0", 1, "only inside where"),
        ("lambda", 1, "unknown name"),
        ("None", 1, "unknown name"),
        ("x is x", 3, "unknown name"),
    ],
)
def test_errors_say_what_and_where(text: str, where: int, what: str) -> None:
    with pytest.raises(ValueError, match=rf"^at character {where}: .*{what}"):
        parse(text)


@pytest.mark.parametrize(
    ("largest", "beyond", "what"),
    [
        ("x" + " " * 199, "x" + " " * 200, "201 characters, at most 200"),
        ("x" + "+x" * 31, "x" + "+x" * 32, "more than 64 parts"),
        ("(" * 19 + "x" + ")" * 19, "(" * 20 + "x" + ")" * 20, "more than 20 deep"),
        ("-" * 19 + "x", "-" * 20 + "x", "more than 20 deep"),
        ("2**" * 19 + "x", "2**" * 20 + "x", "more than 20 deep"),
    ],
)
def test_limits(largest: str, beyond: str, what: str) -> None:
    parse(largest)
    with pytest.raises(ValueError, match=what):
        parse(beyond)


def test_canonical_spelling_keeps_the_length_limit() -> None:
    with pytest.raises(ValueError, match="canonical spelling has 2"):
        parse(".1" + "+.1" * 6, Limits(formula_length=20))


def test_towers_of_powers_are_floats_at_once() -> None:
    assert np.isinf(parse("9**9**9**9")(np.array([0.0]))[0])


def test_nothing_is_ever_run_as_code() -> None:
    for module in ("formula", "lexer", "natural_notation"):
        tree = ast.parse(Path(core.problem.formula.__file__).with_name(f"{module}.py").read_text())
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        assert not names & {"eval", "exec", "compile", "__import__", "getattr"}


def random_formula(source: random.Random, depth: int) -> str:
    if depth == 0:
        return source.choice(["x", "x", "pi", "e", "2", ".5", "1e308", "7.25"])
    inner = [random_formula(source, source.randrange(depth)) for _ in range(4)]
    shapes = ["{0}+{1}", "{0}*{1}", "{0}/{1}", "({0})**{1}", "-{0}", "sin({0})", "exp({0})", "log({0})"]
    shapes += ["max({0},{1})", "where({0}<{1}<={2},{3},0)", "where({0}!={1} or not {2}>0,{3},1)", "({0})"]
    return source.choice(shapes).format(*inner)


def random_text(source: random.Random) -> str:
    """Noise, formulas, and formulas with a few characters replaced."""
    words = [*FUNCTIONS, *CONSTANTS, *"x()+-*/<>=!,. 0123456789eE^&|√π²%_'\"\\\n", "**", "1e308", " and "]
    kind = source.randrange(4)
    if kind == 0:
        return "".join(map(chr, source.choices(range(source.choice([128, 0x2FFF])), k=source.randrange(240))))
    if kind == 1:
        return "".join(source.choices(words, k=source.randrange(1, 60)))
    text = list(random_formula(source, 5))
    for _ in range(source.randrange(3) if kind == 2 else 0):
        text[source.randrange(len(text))] = source.choice(words)
    return "".join(text)


def calls_of(work: Callable[[], object]) -> int:
    """How many calls and returns the interpreter sees while it works: the same number on every machine.

    Not those of the garbage collector, which tidies up after other tests when it likes.
    """
    events = 0

    def count(*_: object) -> None:
        nonlocal events
        events += 1

    gc.disable()
    sys.setprofile(count)
    try:
        work()
    except ValueError:
        pass
    finally:
        sys.setprofile(None)
        gc.enable()
    return events


@pytest.mark.slow
def test_fuzz_only_value_errors_and_work_in_proportion() -> None:
    """A link must not be able to occupy the server: what a text costs grows no faster than its length."""
    source = random.Random(20)
    x = np.linspace(-1.0, 1.0, 100)
    for name, (_, count) in FUNCTIONS.items():  # compiled once for all, before anybody's link
        parse(f"{name}({', '.join(['x'] * count)})" if name != "where" else "where(x>0,x**x,1)")(x)
    parsed: list[FloatArray] = []
    for _ in range(cases(5_000, of=100_000)):
        text = random_text(source)
        calls = calls_of(lambda text=text: parsed.append(parse(text)(x)))  # type: ignore[misc]
        assert calls <= 2_000 + 50 * len(text), text
    assert len(parsed) > cases(500, of=10_000)
    assert all(values.shape == x.shape and values.dtype == np.float64 for values in parsed)
