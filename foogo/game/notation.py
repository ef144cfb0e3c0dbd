"""Numbers and results as text that other programs read: exact, and without exponents."""

from __future__ import annotations

from decimal import Decimal


def number_text(number: float) -> str:
    """The shortest decimal text of a finite number, without an exponent.

    Examples
    --------
    >>> number_text(60.0), number_text(90.5), number_text(1e6), number_text(6.123456)
    ('60', '90.5', '1000000', '6.123456')
    """
    return f"{Decimal(repr(float(number))):f}".removesuffix(".0")


def signed(number: float, digits: int = 1) -> str:
    """A number with its sign; what rounds to zero is +0.

    Examples
    --------
    >>> signed(1.26), signed(-0.04), signed(-7.5, 0)
    ('+1.3', '+0.0', '-8')
    """
    return f"{round(number, digits) + 0.0:+.{digits}f}"


def counted(count: int, noun: str) -> str:
    """A number of things.

    Examples
    --------
    >>> counted(1, "move"), counted(2, "move")
    ('1 move', '2 moves')
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"


def result_text(lead: float) -> str:
    """Black's lead in points as the result of a game, as GTP and SGF write it.

    It has ten significant digits, which hide rounding errors such as those of 9 - 6.1.

    Examples
    --------
    >>> result_text(3.5), result_text(-2), result_text(0), result_text(9 - 6.1)
    ('B+3.5', 'W+2', '0', 'B+2.9')
    """
    return f"{'B' if lead > 0 else 'W'}+{number_text(float(f'{abs(lead):.10g}'))}" if lead else "0"
