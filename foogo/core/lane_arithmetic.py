"""Arithmetic that mixes sixteen float32 with one number, for formulas that users write.

Between two `foogo.core.vectors.float32x16`, or one and a number, the operators ``+ - * /`` and the comparisons work as
in Python; comparisons return a mask. The number is rounded to float32 first. `square_root`, `logarithm`, `minimum`,
`maximum` and `where` take numbers too.
"""

from __future__ import annotations

import operator

from llvmlite import ir
from numba.core import types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin

from foogo.core.simd import MaskType, broadcast, infer_same_type
from foogo.core.vectors import LANES, call_llvm, float32x16

_ARITHMETIC = {
    operator.add: ir.IRBuilder.fadd,
    operator.sub: ir.IRBuilder.fsub,
    operator.mul: ir.IRBuilder.fmul,
    operator.truediv: ir.IRBuilder.fdiv,
}
_COMPARISONS = {
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
    operator.eq: "==",
    operator.ne: "!=",
}


def _in_every_lane(builder, value):
    """A float32 in every lane; sixteen as they are."""
    return value if isinstance(value.type, ir.VectorType) else broadcast(builder, float32x16.llvm, value)


def _compare(builder, symbol, a, b):
    # != is true of a NaN, as in Python
    compare = builder.fcmp_unordered if symbol == "!=" else builder.fcmp_ordered
    return compare(symbol, a, b)


def _mixed(types_of_arguments):
    """The types to which one vector and one number are converted; None if it is anything else."""
    kinds = [float32x16 if kind == float32x16 else types.float32 for kind in types_of_arguments]
    numbers = [kind for kind in types_of_arguments if isinstance(kind, types.Number)]
    return kinds if len(kinds) == 2 and len(numbers) == 1 and float32x16 in kinds else None


def _define(op, result, build):
    @infer_global(op)
    class _Template(AbstractTemplate):
        def generic(self, args, kws):
            kinds = _mixed(args)
            return signature(result, *kinds) if kinds else None

    def lower(context, builder, sig, args):
        return build(builder, *(_in_every_lane(builder, arg) for arg in args))

    lower_builtin(op, type(float32x16), types.float32)(lower)
    lower_builtin(op, types.float32, type(float32x16))(lower)


def _lower_same(op, symbol):
    @lower_builtin(op, type(float32x16), type(float32x16))
    def _lower(context, builder, sig, args):
        return _compare(builder, symbol, *args)


for _op, _instruction in _ARITHMETIC.items():
    _define(_op, float32x16, _instruction)
for _op, _symbol in _COMPARISONS.items():
    _define(_op, MaskType(LANES), lambda builder, a, b, symbol=_symbol: _compare(builder, symbol, a, b))
    if _op is not operator.gt:  # `foogo.core.vectors` has it
        infer_same_type(_op, lambda vector: MaskType(LANES) if vector == float32x16 else None, type(float32x16))
        _lower_same(_op, _symbol)


@infer_global(operator.neg)
class _Negation(AbstractTemplate):
    def generic(self, args, kws):
        return signature(float32x16, float32x16) if args[0] == float32x16 else None


@lower_builtin(operator.neg, type(float32x16))
def _lower_negation(context, builder, sig, args):
    return builder.fneg(args[0])


# --- functions --------------------------------------------------------------------------------------


def _kind_of(*arguments):
    """Of vectors and numbers together: a vector if one of them is; None of anything else."""
    if not all(kind == float32x16 or isinstance(kind, types.Number) for kind in arguments):
        return None
    return float32x16 if float32x16 in arguments else types.float64


def _as_kind(result, argument):
    """The type to which an argument is converted for a result of type `result`."""
    return types.float64 if result == types.float64 else argument if argument == float32x16 else types.float32


@intrinsic
def square_root(typingctx, x):
    """The square root, correctly rounded, of a number or of each lane."""
    kind = _kind_of(x)

    def codegen(context, builder, sig, args):
        name = "llvm.sqrt.v16f32" if kind == float32x16 else "llvm.sqrt.f64"
        return call_llvm(builder, name, args[0].type, args[0])

    return (kind(kind), codegen) if kind else None


@intrinsic
def logarithm(typingctx, x):
    """The natural logarithm of a number."""

    def codegen(context, builder, sig, args):
        return call_llvm(builder, "llvm.log.f64", args[0].type, args[0])

    return (types.float64(types.float64), codegen) if isinstance(x, types.Number) else None


def _extreme(symbol, summary):
    def extreme(typingctx, x, y):
        kind = _kind_of(x, y)

        def codegen(context, builder, sig, args):
            a, b = (_in_every_lane(builder, arg) for arg in args) if kind == float32x16 else args
            return builder.select(builder.fcmp_ordered(symbol, b, a), b, a)

        return (kind(_as_kind(kind, x), _as_kind(kind, y)), codegen) if kind else None

    extreme.__doc__ = summary
    return intrinsic(extreme)


minimum = _extreme("<", "The smaller of two, of numbers or lane by lane.")
maximum = _extreme(">", "The larger of two, of numbers or lane by lane.")


@intrinsic
def where(typingctx, mask, yes, no):
    """Lane by lane `yes` where `mask` is true, else `no`; both are vectors or numbers."""

    def codegen(context, builder, sig, args):
        return builder.select(args[0], *(_in_every_lane(builder, arg) for arg in args[1:]))

    if not isinstance(mask, MaskType) or _kind_of(yes, no) is None:
        return None
    return float32x16(mask, *(_as_kind(float32x16, kind) for kind in (yes, no))), codegen
