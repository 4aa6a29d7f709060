"""Formulas as people write them, turned into the plain grammar of core.problem.formula.

    2x            2*x                 a product needs no sign: after a number, x, a constant or a bracket
    2 sin 3x      2*sin(3*x)          a function takes the product behind it
    sin^2 x       sin(x)**2           the power of a function is that of its value
    |x-1|         abs(x-1)            a bar opens where a value is expected, and closes where one has ended
    √x, √(x+1)    sqrt(x), sqrt(x+1)  a root takes the one value behind it
    πx, xsin(x)   pi*x, x*sin(x)      words grown together, where they part into known ones

What can be read in two ways is refused with both: 1/2x, e^2x. Only tokens are put in, so that the
result is a formula of the plain grammar, shown to whoever wrote it and held by the link.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

from ..spelling import shorten
from .lexer import Token


def in_plain_grammar(
    tokens: Sequence[Token], functions: Collection[str], constants: Collection[str]
) -> list[Token]:
    """The same formula with every product, bracket and function name spelled out."""
    return _Reader(tokens, functions, {"x", *constants}).whole()


class _Reader:
    """One pass over the tokens; `out` is what has been understood so far."""

    def __init__(self, tokens: Sequence[Token], functions: Collection[str], values: Collection[str]) -> None:
        self.functions, self.values = functions, values
        self.tokens = [part for token in tokens for part in self.parted(token)]
        self.index = 0
        self.out: list[Token] = []
        self.ended = False
        """Whether a value has just ended, so that a product or an operator may follow."""
        self.behind = ""
        """The last operator, as long as only one value has followed it."""

    def parted(self, token: Token) -> list[Token]:
        """A name as it is, or as the known names that it is made of."""
        if token.kind != "name" or token.text in self.functions or token.text in self.values:
            return [token]
        known = sorted({*self.functions, *self.values} - {"e"}, key=len, reverse=True)
        parts, position = [], token.position
        rest = token.text
        while rest:
            head = next((name for name in known if rest.startswith(name)), None)
            if head is None:
                return [token]
            parts.append(Token("name", head, position, position + len(head)))
            position, rest = position + len(head), rest[len(head) :]
        return parts

    @property
    def token(self) -> Token:
        return self.tokens[self.index]

    def whole(self) -> list[Token]:
        while self.token.kind != "end":
            self.level()
            if self.token.text == ")":  # one too many, which the grammar will say
                self.put(self.take())
        return [*self.out, self.token]

    def take(self) -> Token:
        self.index += 1
        return self.tokens[self.index - 1]

    def put(self, *tokens: Token) -> None:
        self.out.extend(tokens)

    def level(self) -> None:
        """Everything up to the bracket that closes this one, or to the end."""
        bars: list[Token] = []
        self.ended, self.behind = False, ""
        while self.token.kind != "end" and self.token.text != ")":
            token = self.take()
            if token.text == "|" and self.ended and bars:
                bars.pop()
                self.put(replace(token, kind="operator", text=")"))
            elif token.text == "|":
                bars.append(token)
                self.multiply(token)
                self.put(_name("abs", token), replace(token, kind="operator", text="("))
                self.ended, self.behind = False, ""
            elif token.kind in ("number", "name") or token.text in ("(", "√"):
                self.value(token)
            else:
                self.put(token)
                raised = token.position == self.token.position  # x²x is clear, e^2x is not
                self.ended, self.behind = False, "" if raised else token.text
        if bars:
            raise ValueError(
                f"at character {bars[-1].position + 1}: '|' is not closed; "
                "|a| is the absolute value, and conditions are joined by 'or'"
            )

    def multiply(self, token: Token) -> None:
        """Put in the sign of a product where the token follows a value."""
        if not self.ended:
            return
        if token.kind == "number":
            raise ValueError(
                f"at character {token.position + 1}: an operator is missing before "
                f"{shorten(token.text, 20)!r}, such as *"
            )
        before = self.tokens[self.index - 2]
        if before.stop == token.position and (
            self.behind == "/" or (self.behind == "**" and token.text in self.values)
        ):
            sign = self.behind.replace("**", "^")
            a, b = shorten(before.text, 20), shorten(token.text, 20)
            raise ValueError(
                f"at character {token.position + 1}: …{sign}{a}{b} can be read in two ways: "
                f"write {sign}({a}*{b}) or {sign}{a}*{b}"
            )
        self.put(Token("operator", "*", token.position, token.position))
        self.behind = ""

    def value(self, token: Token) -> None:
        """A number, a name, a bracket, a root or a function with its argument."""
        self.multiply(token)
        kept = self.behind
        if token.text == "(":
            self.bracket(token)
        elif token.text == "√":
            self.put(_name("sqrt", token))
            self.argument(token, one=True)
        elif token.kind == "name" and token.text in self.functions:
            self.function(token)
        else:
            self.put(token)
        self.ended, self.behind = True, kept

    def bracket(self, opening: Token) -> None:
        self.put(opening)
        self.level()
        if self.token.text == ")":
            self.put(self.take())

    def function(self, token: Token) -> None:
        """f(…), f x, f^2(…) or f^2 x; the power moves behind the value."""
        power: list[Token] = []
        if self.token.text == "**" and self.tokens[self.index + 1].kind == "number":
            power = [self.take(), self.take()]
        self.put(token)
        self.argument(token, one=False)
        self.put(*power)

    def argument(self, token: Token, *, one: bool) -> None:
        """What a function or a root takes: a bracket, or the values behind it up to an operator."""
        if self.token.text == "(":
            self.bracket(self.take())
            return
        if not (self.plain_value(self.token) or (self.token.text in ("-", "√", "|") and not one)):
            raise ValueError(
                f"at character {token.position + 1}: {token.text} needs its argument in brackets: "
                f"{token.text}(…)"
            )
        self.put(_sign("(", self.token))
        if self.token.text in ("√", "|"):
            self.enclosed(token)
        else:
            self.product(one)
        if self.token.text == "(":
            raise ValueError(
                f"at character {self.token.position + 1}: it is not clear whether this bracket belongs to "
                f"{token.text}: write {token.text}(…)"
            )
        self.put(_sign(")", self.token))

    def enclosed(self, token: Token) -> None:
        """A root or an absolute value as the argument of a function."""
        inner = self.take()
        self.ended = False
        if inner.text == "√":
            self.value(inner)
            return
        self.put(_name("abs", inner), _sign("(", inner))
        stop = next((i for i in range(self.index, len(self.tokens)) if self.tokens[i].text == "|"), None)
        if stop is None:
            raise ValueError(f"at character {inner.position + 1}: '|' is not closed")
        held = [*self.tokens[self.index : stop], Token("end", "", self.tokens[stop].position)]
        self.put(*_Reader(held, self.functions, self.values).whole()[:-1], _sign(")", token))
        self.index = stop + 1

    def product(self, one: bool) -> None:
        """-3x^2 and the like: numbers, x and constants side by side, with plain powers."""
        if self.token.text == "-":
            self.put(self.take())
        self.ended = False
        while self.plain_value(self.token):
            token = self.take()
            self.multiply(token)
            self.put(token)
            self.ended, self.behind = True, ""
            if one:
                return
            while self.token.text == "**" and self.plain_value(self.tokens[self.index + 1]):
                sign, exponent = self.take(), self.take()
                self.put(sign, exponent)
                self.behind = "" if sign.position == exponent.position else "**"

    def plain_value(self, token: Token) -> bool:
        return token.kind == "number" or (token.kind == "name" and token.text in self.values)


def _name(text: str, at: Token) -> Token:
    return Token("name", text, at.position, at.stop)


def _sign(text: str, at: Token) -> Token:
    return Token("operator", text, at.position, at.position)
