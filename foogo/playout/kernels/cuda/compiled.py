"""The operations in numba-cuda: the types of one game in one thread, and code for them.

===============  ============================================
type             value
===============  ============================================
`SetType`        a set of points in ``layout.words`` 32-bit words
`IntegerType`    an unsigned integer of 32 bits
`TruthType`      true or false
`StripType`      a `Strip`: no data, all in the type
===============  ============================================
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.cuda import types
from numba.cuda.core.imputils import lower_constant
from numba.cuda.extending import core_models, intrinsic, lower_builtin, register_model, typeof_impl
from numba.cuda.typing.templates import AbstractTemplate, infer_global, signature

from foogo.playout.kernels.cuda.arithmetic import (
    ARRAY,
    BITS,
    INTS,
    LAYOUT,
    LITERAL,
    MASK,
    SAME,
    SCALAR,
    UNSIGNED,
    VOID,
    Operation,
)
from foogo.playout.kernels.cuda.strip import WORD_BITS, Strip

_WORD = ir.IntType(WORD_BITS)
_TRUTH = ir.IntType(1)
_WIDE = ir.IntType(64)


class StripType(types.Type):  # type: ignore[misc]
    """A `Strip` as an argument."""

    def __init__(self, layout: Strip) -> None:
        self.layout = layout
        super().__init__(name=str(layout))


class SetType(types.Type):  # type: ignore[misc]
    """A set of points."""

    def __init__(self, layout: Strip) -> None:
        self.layout = layout
        super().__init__(name=f"Set({layout})")


class IntegerType(types.Type):  # type: ignore[misc]
    """An unsigned integer of 32 bits."""

    def __init__(self) -> None:
        super().__init__(name="Word")


class TruthType(types.Type):  # type: ignore[misc]
    """True or false."""

    def __init__(self) -> None:
        super().__init__(name="Truth")


INTEGER, TRUTH = IntegerType(), TruthType()
_RESULTS = {INTS: INTEGER, MASK: TRUTH, SCALAR: types.int64, UNSIGNED: types.uint64, VOID: types.void}


@register_model(StripType)
class _StripModel(core_models.OpaqueModel):  # type: ignore[misc]
    pass


@register_model(SetType)
class _SetModel(core_models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, dmm: Any, fe_type: SetType) -> None:
        super().__init__(dmm, fe_type, ir.LiteralStructType([_WORD] * fe_type.layout.words))


@register_model(IntegerType)
class _IntegerModel(core_models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, dmm: Any, fe_type: IntegerType) -> None:
        super().__init__(dmm, fe_type, _WORD)


@register_model(TruthType)
class _TruthModel(core_models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, dmm: Any, fe_type: TruthType) -> None:
        super().__init__(dmm, fe_type, _TRUTH)


@typeof_impl.register(Strip)
def _typeof_strip(value: Strip, _context: Any) -> StripType:
    return StripType(value)


@lower_constant(StripType)
def _strip_constant(context: Any, builder: Any, typ: Any, value: Any) -> Any:
    return context.get_dummy_value()


class _LlvmArithmetic:
    """32-bit words as LLVM values: every method adds an instruction or two."""

    def __init__(self, builder: Any, target: Any = None) -> None:
        self.b, self.target = builder, target

    def constant(self, value: int) -> Any:
        return ir.Constant(_WORD, value)

    def scalar(self, value: int) -> Any:
        return ir.Constant(_WIDE, value)

    def low_word(self, value: Any) -> Any:
        return self.b.trunc(value, _WORD)

    def wide(self, word: Any) -> Any:
        return self.b.zext(word, _WIDE)

    def and_(self, a: Any, b: Any) -> Any:
        return self.b.and_(a, b)

    def or_(self, a: Any, b: Any) -> Any:
        return self.b.or_(a, b)

    def exclusive_or(self, a: Any, b: Any) -> Any:
        return self.b.xor(a, b)

    def not_(self, a: Any) -> Any:
        return self.b.not_(a)

    def add(self, a: Any, b: Any) -> Any:
        return self.b.add(a, b)

    def subtract(self, a: Any, b: Any) -> Any:
        return self.b.sub(a, b)

    def add_long(self, first: list[Any], second: list[Any]) -> list[Any]:
        """The carry goes from word to word in the GPU's carry flag."""
        if len(first) == 1:
            return [self.b.add(first[0], second[0])]
        n, last = len(first), len(first) - 1
        names = ["add.cc.u32", *["addc.cc.u32"] * (n - 2), "addc.u32"]
        lines = [f"{name} ${w}, ${n + w}, ${2 * n + w};" for w, name in enumerate(names)]
        constraints = ",".join(["=&r"] * last + ["=r"] + ["r"] * (2 * n))
        result = ir.LiteralStructType([_WORD] * n)
        total = self._assemble(" ".join(lines), constraints, result, [*first, *second])
        return [self.b.extract_value(total, w) for w in range(n)]

    def multiply(self, a: Any, b: Any) -> Any:
        return self.b.mul(a, b)

    def multiply_high(self, a: Any, b: Any) -> Any:
        product = self.b.mul(self.b.zext(a, _WIDE), self.b.zext(b, _WIDE))
        return self.b.trunc(self.b.lshr(product, ir.Constant(_WIDE, WORD_BITS)), _WORD)

    def shift_left(self, a: Any, bits: Any) -> Any:
        return self.b.shl(a, self.constant(bits) if isinstance(bits, int) else bits)

    def shift_right(self, a: Any, bits: Any) -> Any:
        return self.b.lshr(a, self.constant(bits) if isinstance(bits, int) else bits)

    def funnel(self, high: Any, low: Any, bits: Any) -> Any:
        """One instruction, which LLVM does not generate by itself."""
        if isinstance(bits, int):
            return self._assemble(f"shf.l.wrap.b32 $0, $1, $2, {bits};", "=r,r,r", _WORD, [low, high])
        return self._assemble("shf.l.wrap.b32 $0, $1, $2, $3;", "=r,r,r,r", _WORD, [low, high, bits])

    def population(self, a: Any) -> Any:
        return self._call("llvm.ctpop.i32", _WORD, [a])

    def is_true(self, a: Any) -> Any:
        return self.b.icmp_unsigned("!=", a, ir.Constant(a.type, 0))

    def is_less(self, a: Any, b: Any) -> Any:
        return self.b.icmp_unsigned("<", a, b)

    def select(self, mask: Any, yes: Any, no: Any) -> Any:
        return self.b.select(mask, yes, no)

    def word_of(self, mask: Any) -> Any:
        return self.b.zext(mask, _WORD)

    def read(self, array: tuple[Any, Any], at: Any, word: int) -> Any:
        return self.b.load(self._place(array, at, word))

    def write(self, array: tuple[Any, Any], at: Any, word: int, value: Any) -> None:
        self.b.store(value, self._place(array, at, word))

    def _place(self, array: tuple[Any, Any], at: Any, word: int) -> Any:
        typ, value = array
        data = self.target.make_array(typ)(self.target, self.b, value).data
        return self.b.gep(data, [self.b.add(at, ir.Constant(_WIDE, word))])

    def _assemble(self, code: str, constraints: str, result: ir.Type, arguments: list[Any]) -> Any:
        """PTX without side effects, so that LLVM may move it out of a loop."""
        kind = ir.FunctionType(result, [_WORD] * len(arguments))
        return self.b.call(ir.InlineAsm(kind, code, constraints), arguments, attrs=("readnone", "nounwind"))

    def _call(self, name: str, result: ir.Type, arguments: list[Any]) -> Any:
        module, kind = self.b.module, ir.FunctionType(result, [argument.type for argument in arguments])
        function = module.globals.get(name) or ir.Function(module, kind, name)
        return self.b.call(function, arguments)


# --- the operations as functions that kernels may call --------------------------------------------


def callable_of(operation: Operation, name: str) -> Any:
    """The operation as an intrinsic of numba-cuda."""

    def typed(_context: Any, *arguments: Any) -> Any:
        literals = (x for x, kind in zip(arguments, operation.takes, strict=True) if kind == LITERAL)
        if not all(isinstance(x, types.Literal) for x in literals):
            return None  # numba-cuda tries again, with the literals it knows
        layout: Any = next((x.layout for x in arguments if isinstance(x, StripType | SetType)), None)
        same = next((x for x, kind in zip(arguments, operation.takes, strict=True) if kind == SAME), None)
        result = {BITS: SetType(layout), SAME: same}.get(operation.gives) or _RESULTS[operation.gives]
        takes = [types.int64 if kind == SCALAR else x for x, kind in zip(arguments, operation.takes, strict=True)]

        def generate(target: Any, builder: Any, _signature: Any, values: Any) -> Any:
            opened = [
                _opened(builder, x, kind, value)
                for x, kind, value in zip(arguments, operation.takes, values, strict=True)
                if kind != LAYOUT
            ]
            built = operation.build(_LlvmArithmetic(builder, target), layout, *opened)
            return target.get_dummy_value() if built is None else _close(builder, built)

        return result(*takes), generate

    # numba-cuda takes the number of arguments from the function's own signature, so each is made with its own
    names = [f"x{i}" for i in range(len(operation.takes))]
    source = f"def {name}(context, {', '.join(names)}):\n    return typed(context, {', '.join(names)})\n"
    namespace: dict[str, Any] = {"typed": typed}
    exec(source, namespace)
    return intrinsic(namespace[name])


def _opened(builder: Any, typ: Any, kind: str, value: Any) -> Any:
    """An argument as a building function takes it."""
    if kind == LITERAL:
        return typ.literal_value
    return (typ, value) if kind == ARRAY else _open(builder, typ, value)


def _open(builder: Any, typ: Any, value: Any) -> Any:
    """A set as the list of its words, anything else as it is."""
    if not isinstance(typ, SetType):
        return value
    return [builder.extract_value(value, w) for w in range(typ.layout.words)]


def _close(builder: Any, value: Any) -> Any:
    if not isinstance(value, list):
        return value
    packed = ir.Constant(ir.LiteralStructType([_WORD] * len(value)), ir.Undefined)
    for w, word in enumerate(value):
        packed = builder.insert_value(packed, word, w)
    return packed


# --- operators ----------------------------------------------------------------------------------

_EACH: dict[Callable[..., Any], tuple[str, tuple[type, ...]]] = {
    operator.and_: ("and_", (SetType, IntegerType, TruthType)),
    operator.or_: ("or_", (SetType, IntegerType, TruthType)),
    operator.xor: ("exclusive_or", (SetType, IntegerType, TruthType)),
    operator.invert: ("not_", (SetType, IntegerType, TruthType)),
    operator.add: ("add", (IntegerType,)),
    operator.sub: ("subtract", (IntegerType,)),
}
"""Operators that work word by word."""


def _register_each(op: Callable[..., Any], method: str, accepted: tuple[type, ...]) -> None:
    count = 1 if op is operator.invert else 2

    @infer_global(op)
    class _Template(AbstractTemplate):  # type: ignore[misc]
        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) == count and isinstance(args[0], accepted) and len(set(args)) == 1:
                return signature(args[0], *args)
            return None

    def lower(_context: Any, builder: Any, sig: Any, values: Any) -> Any:
        build = getattr(_LlvmArithmetic(builder), method)
        opened = [_open(builder, typ, value) for typ, value in zip(sig.args, values, strict=True)]
        if isinstance(opened[0], list):
            return _close(builder, [build(*column) for column in zip(*opened, strict=True)])
        return build(*opened)

    for typ in accepted:
        lower_builtin(op, *[typ] * count)(lower)


def _register_comparison(op: Callable[..., Any], symbol: str) -> None:
    @infer_global(op)
    class _Template(AbstractTemplate):  # type: ignore[misc]
        def generic(self, args: Any, kws: Any) -> Any:
            return signature(TRUTH, *args) if tuple(args) == (INTEGER, INTEGER) else None

    @lower_builtin(op, IntegerType, IntegerType)
    def lower(_context: Any, builder: Any, _sig: Any, values: Any) -> Any:
        return builder.icmp_unsigned(symbol, *values)


for _op, (_method, _accepted) in _EACH.items():
    _register_each(_op, _method, _accepted)
for _op, _symbol in ((operator.lt, "<"), (operator.ge, ">=")):
    _register_comparison(_op, _symbol)
