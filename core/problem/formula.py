"""Own formulas in x, parsed by a small whitelist into closures over array functions.

A formula arrives in a link that anybody may have written, so nothing of it is
ever evaluated as code. The grammar, loosest binding first,

    or | and | not | < <= > >= == != | + - | * / | unary - + | ** (from the right)

is read by precedence climbing: an operand, then operators as long as they bind
at least as tightly as the caller demands. Comparisons, `and`, `or` and `not`
make *conditions*, which only `where(condition, a, b)` takes; everything else is
a number. Numbers become floats at once, so that 9**9**9 is an infinity and not
a computation. What people write instead, such as 2x or |x|, is spelled out before by
core.problem.natural_notation; the canonical text is in the plain grammar. Length, node count and
nesting are bounded before they can cost.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import reduce
from typing import Any, Literal

import numpy as np

from ..limits import LIMITS, Limits
from ..portable import functions as portable
from ..spelling import shorten
from ..types import FloatArray
from .lexer import WORDS, Token, tokenize
from .natural_notation import in_plain_grammar

Kind = Literal["number", "condition"]
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

_COMPARISONS = {
    "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal,
    "==": np.equal, "!=": np.not_equal,
}  # fmt: skip
_LOGIC = {"or": np.logical_or, "and": np.logical_and}
_ARITHMETIC: dict[str, Callable[..., Any]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "**": portable.power,
}

_POWER = {"or": 1, "and": 2} | dict.fromkeys(_COMPARISONS, 4) | {"+": 5, "-": 5, "*": 6, "/": 6, "**": 8}
_NOT_POWER, _COMPARED_POWER, _SIGN_POWER = 3, 5, 7


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


@dataclass(frozen=True)
class _Node:
    kind: Kind
    evaluate: Evaluate
    position: int


def parse(text: str, limits: Limits = LIMITS) -> Expression:
    """Read a formula in x; a ValueError says what is wrong with it, and where."""
    _check_length("the formula", text, limits)
    tokens = in_plain_grammar(tokenize(text), FUNCTIONS, CONSTANTS)
    node = _Parser(tokens, limits).whole()
    words = "".join(f" {token.text} " if token.text in WORDS else token.text for token in tokens)
    canonical = " ".join(words.split())
    _check_length("the formula in its canonical spelling", canonical, limits)
    return Expression(canonical, node.evaluate)


def _check_length(what: str, text: str, limits: Limits) -> None:
    if len(text) > limits.formula_length:
        raise ValueError(f"{what} has {len(text)} characters, at most {limits.formula_length} are allowed")


class _Parser:
    """Precedence climbing over the tokens; every method leaves `index` behind what it has read."""

    def __init__(self, tokens: list[Token], limits: Limits) -> None:
        self.tokens = tokens
        self.limits = limits
        self.index = 0
        self.nodes = 0

    def whole(self) -> _Node:
        node = self.expression(0, 1)
        if self.token.text == ")":
            raise self.error("')' without a '(' before it")
        if self.token.kind != "end":
            raise self.error(f"unexpected {self.token.text!r}")
        return self.number(node)

    @property
    def token(self) -> Token:
        return self.tokens[self.index]

    def take(self) -> Token:
        token = self.token
        self.index += 1
        return token

    def expect(self, text: str, purpose: str) -> None:
        if self.token.text != text:
            found = repr(self.token.text) if self.token.kind != "end" else "the end"
            raise self.error(f"expected {text!r} {purpose}, found {found}")
        self.index += 1

    def error(self, reason: str, position: int | None = None) -> ValueError:
        place = self.token.position if position is None else position
        return ValueError(f"at character {place + 1}: {reason}")

    def node(self, kind: Kind, evaluate: Evaluate, position: int) -> _Node:
        self.nodes += 1
        if self.nodes > self.limits.formula_nodes:
            raise ValueError(f"the formula has more than {self.limits.formula_nodes} parts")
        return _Node(kind, evaluate, position)

    def number(self, node: _Node) -> _Node:
        if node.kind != "number":
            raise self.error("a condition fits only inside where(condition, a, b)", node.position)
        return node

    def condition(self, node: _Node) -> _Node:
        if node.kind != "condition":
            raise self.error("expected a condition such as x > 0", node.position)
        return node

    def expression(self, tightness: int, depth: int) -> _Node:
        """An operand and every operator behind it that binds at least so tightly."""
        if depth > self.limits.formula_depth:
            raise self.error(f"the formula is nested more than {self.limits.formula_depth} deep")
        left = self.operand(depth)
        while True:
            token = self.token
            power = _POWER.get(token.text, -1)
            if token.kind != "operator" or power < tightness:
                return left
            if token.text in _COMPARISONS:
                left = self.comparison(left, depth)
            else:
                self.index += 1
                # ** groups from the right, everything else from the left
                right = self.expression(power if token.text == "**" else power + 1, depth + 1)
                left = self.combine(token, left, right)

    def combine(self, token: Token, left: _Node, right: _Node) -> _Node:
        if token.text in _LOGIC:
            f, g = self.condition(left).evaluate, self.condition(right).evaluate
            logic = _LOGIC[token.text]
            return self.node("condition", lambda x: logic(f(x), g(x)), token.position)
        f, g = self.number(left).evaluate, self.number(right).evaluate
        operation = _ARITHMETIC[token.text]
        return self.node("number", lambda x: operation(f(x), g(x)), token.position)

    def comparison(self, first: _Node, depth: int) -> _Node:
        """a < b, and chains: a < b < c means a < b and b < c, with b evaluated once."""
        operands = [self.number(first).evaluate]
        relations = []
        position = self.token.position
        while self.token.text in _COMPARISONS:
            relations.append(_COMPARISONS[self.take().text])
            operands.append(self.number(self.expression(_COMPARED_POWER, depth + 1)).evaluate)

        def holds(x: FloatArray) -> Any:
            values = [f(x) for f in operands]
            pairs = zip(relations, values[:-1], values[1:], strict=True)
            return reduce(np.logical_and, (relation(a, b) for relation, a, b in pairs))

        return self.node("condition", holds, position)

    def operand(self, depth: int) -> _Node:
        token = self.token
        if token.kind == "end":
            raise self.error("the formula ends too early" if self.index else "the formula is empty")
        self.index += 1
        if token.kind == "number":
            value = np.float64(token.text)
            return self.node("number", lambda _: value, token.position)
        if token.kind == "name":
            return self.named(token, depth)
        if token.text == "(":
            inner = self.expression(0, depth + 1)
            self.expect(")", "to close the bracket")
            return _Node(inner.kind, inner.evaluate, token.position)
        if token.text == "not":
            f = self.condition(self.expression(_NOT_POWER, depth + 1)).evaluate
            return self.node("condition", lambda x: np.logical_not(f(x)), token.position)
        if token.text in ("+", "-"):
            f = self.number(self.expression(_SIGN_POWER, depth + 1)).evaluate
            sign: Callable[[Any], Any] = np.negative if token.text == "-" else np.positive
            return self.node("number", lambda x: sign(f(x)), token.position)
        raise self.error(f"expected a number, x or a function, found {token.text!r}", token.position)

    def named(self, token: Token, depth: int) -> _Node:
        name = token.text
        if name in FUNCTIONS:
            return self.call(token, depth)
        if name != "x" and name not in CONSTANTS:
            names = ["x", *CONSTANTS, *FUNCTIONS]
            close = get_close_matches(name[:20], names, 1)
            advice = f"did you mean {close[0]}?" if close else f"known are {', '.join(names)}"
            raise self.error(f"unknown name {shorten(name, 20)!r}; {advice}", token.position)
        if name == "x":
            return self.node("number", lambda x: x, token.position)
        value = np.float64(CONSTANTS[name])
        return self.node("number", lambda _: value, token.position)

    def call(self, token: Token, depth: int) -> _Node:
        function, count = FUNCTIONS[token.text]
        self.index += 1
        arguments = [self.expression(0, depth + 1)]
        while self.token.text == ",":
            self.index += 1
            arguments.append(self.expression(0, depth + 1))
        self.expect(")", f"to close {token.text}(")
        if len(arguments) != count:
            takes = "one argument" if count == 1 else f"{count} arguments"
            raise self.error(f"{token.text} takes {takes}, not {len(arguments)}", token.position)
        first = self.condition if token.text == "where" else self.number
        inner = [first(arguments[0]).evaluate, *(self.number(node).evaluate for node in arguments[1:])]
        return self.node("number", lambda x: function(*(f(x) for f in inner)), token.position)
