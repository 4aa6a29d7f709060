"""Own formulas in x: grouped by Python's parser, allowed by a whitelist, made into closures over arrays.

A formula arrives in a link that anybody may have written, so nothing of it is ever evaluated as code.
What people write, such as 2x or |x|, is spelled out by core.problem.natural_notation. The result, the
canonical text, has a subset of Python's grammar: numbers, x, constants and functions by name, and operators.
Words that are none of these are refused before Python sees the text, `ast.parse` only groups the others, and
a node that is not named here is refused.

Comparisons, `and`, `or` and `not` make *conditions*, which only `where(condition, a, b)` takes; everything
else is a number. Numbers become floats at once, so that 9**9**9 is an infinity and not a computation.
Length, node count and nesting are bounded before they can cost.
"""

import ast
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import reduce
from itertools import accumulate
from typing import Any

import numpy as np

from ..limits import LIMITS, Limits
from ..portable import functions as portable
from ..spelling import shorten
from ..types import FloatArray
from .lexer import WORD_OPERATORS, Token, tokenize
from .natural_notation import in_plain_grammar

Evaluate = Callable[[FloatArray], Any]

CONSTANTS: dict[str, float] = {"pi": float(np.pi), "e": float(np.e)}


def _relu(z: FloatArray) -> FloatArray:
    return np.maximum(z, 0.0)


def _step(z: FloatArray) -> FloatArray:
    """0 at 0: a neuron whose bias stands on a datum does not see it either."""
    return np.heaviside(z, 0.0)


FUNCTIONS: dict[str, tuple[Callable[..., Any], int]] = {
    "sin": (portable.sin, 1), "cos": (portable.cos, 1), "tan": (portable.tan, 1),
    "asin": (portable.asin, 1), "acos": (portable.acos, 1), "atan": (portable.atan, 1),
    "sinh": (portable.sinh, 1), "cosh": (portable.cosh, 1), "tanh": (portable.tanh, 1),
    "exp": (portable.exp, 1), "log": (portable.log, 1), "ln": (portable.log, 1),
    "log2": (portable.log2, 1), "log10": (portable.log10, 1),
    "sqrt": (np.sqrt, 1), "cbrt": (portable.cbrt, 1), "abs": (np.abs, 1), "sign": (np.sign, 1),
    "floor": (np.floor, 1), "ceil": (np.ceil, 1), "round": (np.rint, 1),
    "relu": (_relu, 1), "step": (_step, 1), "heaviside": (_step, 1),
    "min": (np.minimum, 2), "max": (np.maximum, 2), "mod": (portable.mod, 2), "where": (np.where, 3),
}  # fmt: skip
"""NumPy's own only where IEEE 754 leaves one answer; the others are those of core.portable."""

_OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.Div: np.divide, ast.Pow: portable.power,
    ast.UAdd: np.positive, ast.USub: np.negative,
    ast.Lt: np.less, ast.LtE: np.less_equal, ast.Gt: np.greater, ast.GtE: np.greater_equal,
    ast.Eq: np.equal, ast.NotEq: np.not_equal,
    ast.And: np.logical_and, ast.Or: np.logical_or,
}  # fmt: skip


@dataclass(frozen=True)
class Expression:
    """A formula: callable on arrays, equal when its canonical text is."""

    text: str
    _evaluate: Evaluate = field(compare=False, repr=False)

    def __reduce__(self) -> tuple[Callable[[str], "Expression"], tuple[str]]:
        """Closures cannot cross to another process, the text can."""
        return parse, (self.text,)

    def __call__(self, x: FloatArray) -> FloatArray:
        """The values at x; nan and inf where the formula has none, without a warning."""
        x = np.asarray(x, dtype=np.float64)
        with np.errstate(all="ignore"):
            values = np.asarray(self._evaluate(x), dtype=np.float64)
        return np.array(np.broadcast_to(values, x.shape))


def parse(text: str, limits: Limits = LIMITS) -> Expression:
    """Read a formula in x.

    Parameters
    ----------
    text
        The formula, as people write it.
    limits
        Largest length, number of parts and depth.

    Returns
    -------
    Expression
        Callable on arrays; its `text` is the canonical spelling.

    Raises
    ------
    ValueError
        Says what is wrong with the formula, and at which character.

    Examples
    --------
    >>> from core.problem import parse
    >>> parse("2 sin(3x) + x^2").text
    '2*sin(3*x)+x**2'
    >>> parse("|x|")([-1.0, 2.0]).tolist()
    [1.0, 2.0]
    >>> parse("x.real")
    Traceback (most recent call last):
    ValueError: at character 2: '.': it has no meaning in a formula
    """
    _check_length("the formula", text, limits)
    tokens = in_plain_grammar(tokenize(text), FUNCTIONS, CONSTANTS)
    _check_words(tokens, limits)
    evaluate = _Reader(tokens, limits).whole()
    words = "".join(f" {token.text} " if token.text in WORD_OPERATORS else token.text for token in tokens)
    canonical = " ".join(words.split())
    _check_length("the formula in its canonical spelling", canonical, limits)
    return Expression(canonical, evaluate)


def _check_length(what: str, text: str, limits: Limits) -> None:
    if len(text) > limits.formula_length:
        raise ValueError(f"{what} has {len(text)} characters, at most {limits.formula_length} are allowed")


def _error(place: int, reason: str) -> ValueError:
    return ValueError(f"at character {place + 1}: {reason}")


def _check_words(tokens: Sequence[Token], limits: Limits) -> None:
    """Refuse unknown names, brackets that do not match or are too many, and a comma before a bracket."""
    names = ("x", *CONSTANTS, *FUNCTIONS)
    opened: list[str] = []
    before = ""
    for token in tokens:
        word, place = token.text, token.position
        if token.kind == "name" and word not in names:
            close = get_close_matches(word[:20], names, 1)
            advice = f"did you mean {close[0]}?" if close else f"known are {', '.join(names)}"
            raise _error(place, f"unknown name {shorten(word, 20)!r}; {advice}")
        if word == "(":
            opened.append(before + word if before in FUNCTIONS else "the bracket")
            if len(opened) >= limits.formula_depth:
                raise _error(place, f"the formula is nested more than {limits.formula_depth} deep")
        elif word == ")" and (not opened or before == ","):
            raise _error(place, "')' without a '(' before it" if not opened else "nothing behind the comma")
        elif word == ")":
            opened.pop()
        before = word
    if opened:
        raise _error(tokens[-1].position, f"expected ')' to close {opened[-1]}, found the end")


class _Reader:
    """From words to closures: `number` and `condition` take a node of the parsed formula and its depth."""

    def __init__(self, tokens: Sequence[Token], limits: Limits) -> None:
        self.tokens, self.limits = tokens, limits
        self.text = " ".join(token.text for token in tokens)  # apart: * * is no power
        self.starts = list(accumulate((len(token.text) + 1 for token in tokens), initial=0))[:-1]
        self.nodes = 0

    def whole(self) -> Evaluate:
        try:
            return self.number(ast.parse(self.text, mode="eval").body, 1)
        except SyntaxError as error:
            token = self.token_at(error.offset - 1 if error.offset else len(self.text))
            if token.kind != "end":
                found = f"expected a number, x or a function, found {token.text!r}"
                raise _error(token.position, found) from None
            empty = len(self.tokens) == 1
            reason = "the formula is empty" if empty else "the formula ends too early"
            raise _error(token.position, reason) from None
        except (MemoryError, RecursionError):
            raise ValueError(f"the formula is nested more than {self.limits.formula_depth} deep") from None

    def token_at(self, offset: int) -> Token:
        return self.tokens[bisect_right(self.starts, offset) - 1]

    def error(self, node: ast.expr, reason: str) -> ValueError:
        """What is wrong with a node; the place of a condition is the operator behind its first operand."""
        offset = node.col_offset
        if isinstance(node, ast.Compare | ast.BoolOp):
            first = node.left if isinstance(node, ast.Compare) else node.values[0]
            offset = first.end_col_offset or 0
            while self.text[offset] in ") ":
                offset += 1
        return _error(self.token_at(offset).position, reason)

    def count(self, node: ast.expr, depth: int, parts: int = 1) -> None:
        """Hold the formula to its limits."""
        self.nodes += parts
        if self.nodes > self.limits.formula_nodes:
            raise ValueError(f"the formula has more than {self.limits.formula_nodes} parts")
        if depth > self.limits.formula_depth:
            raise self.error(node, f"the formula is nested more than {self.limits.formula_depth} deep")

    def number(self, node: ast.expr, depth: int) -> Evaluate:
        """What has a value at every x."""
        self.count(node, depth)
        match node:
            case ast.Constant(value=int() | float() as value):
                constant = np.float64(value)
                return lambda _: constant
            case ast.Name(id="x"):
                return lambda x: x
            case ast.Name(id=name) if name in CONSTANTS:
                constant = np.float64(CONSTANTS[name])
                return lambda _: constant
            case ast.UnaryOp(op=ast.UAdd() | ast.USub() as sign, operand=operand):
                operation, inner = _OPERATORS[type(sign)], self.number(operand, depth + 1)
                return lambda x: operation(inner(x))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                operation = _OPERATORS[type(op)]
                f, g = self.number(left, depth), self.number(right, depth + 1)
                return lambda x: operation(f(x), g(x))
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in FUNCTIONS:
                return self.call(node, name, arguments, depth)
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp():
                raise self.error(node, "a condition fits only inside where(condition, a, b)")
        raise self.error(node, "it cannot be read here")

    def call(self, node: ast.expr, name: str, arguments: list[ast.expr], depth: int) -> Evaluate:
        function, count = FUNCTIONS[name]
        if len(arguments) != count:
            takes = "one argument" if count == 1 else f"{count} arguments"
            raise self.error(node, f"{name} takes {takes}, not {len(arguments)}")
        first = self.condition if name == "where" else self.number
        inner = [first(arguments[0], depth + 1), *(self.number(a, depth + 1) for a in arguments[1:])]
        return lambda x: function(*(f(x) for f in inner))

    def condition(self, node: ast.expr, depth: int) -> Evaluate:
        """What is true or false at every x."""
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self.count(node, depth)
                inner = self.condition(operand, depth + 1)
                return lambda x: np.logical_not(inner(x))
            case ast.BoolOp(op=op, values=values):
                self.count(node, depth, len(values) - 1)
                parts, joined = [self.condition(v, depth + 1) for v in values], _OPERATORS[type(op)]
                return lambda x: reduce(joined, (part(x) for part in parts))
            case ast.Compare(left=left, ops=ops, comparators=others):
                self.count(node, depth)
                operands = [self.number(left, depth), *(self.number(o, depth + 1) for o in others)]
                return _chain([_OPERATORS[type(op)] for op in ops], operands)
        raise self.error(node, "expected a condition such as x > 0")


def _chain(relations: list[Callable[..., Any]], operands: list[Evaluate]) -> Evaluate:
    """a < b, and chains: a < b < c means a < b and b < c, with b evaluated once."""

    def holds(x: FloatArray) -> Any:
        values = [f(x) for f in operands]
        pairs = zip(relations, values[:-1], values[1:], strict=True)
        return reduce(np.logical_and, (relation(a, b) for relation, a, b in pairs))

    return holds
