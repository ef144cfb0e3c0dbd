"""A machine that runs PTX, the assembly language of NVIDIA's cards, one block of threads after another.

It knows the integer instructions that foogo's kernels are compiled to, and raises on any other. Of the threads of a
block those that stand lowest go on together, up to the next label or branch, as a card's warp does.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

HEAP = 1 << 22
THREADS_OF_A_WARP = 32
_FILES = {"p": np.bool_, "rs": np.uint16, "r": np.uint32, "rd": np.uint64}
_SIGNED = {16: np.int16, 32: np.int32, 64: np.int64}
_UNSIGNED = {8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}
_ALL = 2**64 - 1

Array = Any
"""An array with a number for each thread, or the bytes of a memory."""

Instruction = tuple[str, str, list[str]]
"""The guard ("", "%p3" or "!%p3"), the name and the operands."""


class Machine:
    """A kernel in PTX, ready to run.

    Attributes
    ----------
    runs
        Runs of instructions without a label or a branch between them.
    visits
        How often threads of a block went through each run, together or only some of them.
    """

    def __init__(self, ptx: str) -> None:
        head, _, rest = ptx.partition(".entry")
        assert ".func" not in head, "a call into another function was left"
        signature, _, body = rest.partition("{")
        self.parameters = re.findall(r"\.param \.\w+ (?:\.ptr )?(?:\.align \d+ )?(\w+)", signature)
        self.shared = sum(int(size) for size in re.findall(r"\.shared[^;]*\[(\d+)\];", ptx))
        self.runs, self.labels = _split(body.rpartition("}")[0])
        self.visits = np.zeros(len(self.runs), np.int64)
        self.registers = {kind: 1 + max(map(int, re.findall(rf"%{kind}(\d+)\b", body)), default=0) for kind in _FILES}

    @property
    def executed(self) -> int:
        """Instructions executed so far, of all threads of a block at once."""
        return int(self.visits @ [len(run) for run in self.runs])

    def launch(self, blocks: int, threads: int, arguments: list[Any]) -> None:
        """Run the kernel. Arrays among the arguments are read, and written back."""
        heap, values, end = np.zeros(HEAP, np.uint8), [], 4096
        places: list[tuple[Array, int]] = []
        for argument in arguments:
            if not isinstance(argument, np.ndarray):
                values.append(int(argument))
                continue
            heap[end : end + argument.nbytes] = argument.view(np.uint8)
            places.append((argument, end))
            values += [0, 0, argument.size, argument.itemsize, end, argument.size, argument.itemsize]
            end += (argument.nbytes // 256 + 1) * 256
        assert end < HEAP
        named = dict(zip(self.parameters, values, strict=True))
        for block in range(blocks):
            _Block(self, heap, named, block, blocks, threads).run()
        for argument, place in places:
            argument.view(np.uint8)[:] = heap[place : place + argument.nbytes]


class _Block:
    """One block of threads."""

    def __init__(
        self, machine: Machine, heap: Array, named: dict[str, int], block: int, blocks: int, threads: int
    ) -> None:
        self.machine, self.named, self.threads = machine, named, threads
        self.memory = {"global": heap, "shared": np.full(machine.shared // 8 * 8 + 8, 0xAB, np.uint8)}
        self.special = {
            "%tid.x": np.arange(threads, dtype=np.uint32),
            "%ntid.x": np.full(threads, threads, np.uint32),
            "%ctaid.x": np.full(threads, block, np.uint32),
            "%nctaid.x": np.full(threads, blocks, np.uint32),
        }
        self.files: dict[str, Array] = {
            kind: np.zeros((machine.registers[kind], threads), dtype) for kind, dtype in _FILES.items()
        }
        self.carry = np.zeros(threads, np.uint64)
        self.at, self.waiting = np.zeros(threads, np.int64), np.zeros(threads, bool)
        self.end = len(machine.runs)
        self.compiled: dict[int, list[Callable[[Array], None]]] = {}

    def run(self) -> None:
        while True:
            ready = (self.at < self.end) & ~self.waiting
            if ready.any():
                here = int(self.at[ready].min())
                self.step(here, ready & (self.at == here))
            elif self.waiting.any():
                self.waiting[:] = False  # every thread has come to the barrier, or ended
            else:
                return

    def step(self, here: int, active: Array) -> None:
        """Take the active threads through one run of instructions."""
        if here not in self.compiled:
            self.compiled[here] = [self.compile(instruction) for instruction in self.machine.runs[here]]
        self.machine.visits[here] += 1
        self.at[active] = here + 1
        for action in self.compiled[here]:
            action(active)

    def compile(self, instruction: Instruction) -> Callable[[Array], None]:
        guard, name, operands = instruction
        action = self.action(name, operands)
        if not guard:
            return action
        kept, negated = self.read(guard.lstrip("!"), "pred"), guard.startswith("!")
        return lambda active: action(active & (~kept() if negated else kept()))

    def action(self, name: str, operands: list[str]) -> Callable[[Array], None]:
        """What an instruction does to the active threads."""
        op, *suffixes = name.split(".")
        kind = suffixes[-1] if suffixes else ""
        if op == "bra":
            return lambda active: _store(self.at, self.machine.labels[operands[0]], active)
        if op == "ret":
            return lambda active: _store(self.at, self.end, active)
        if op == "bar":
            return lambda active: _store(self.waiting, True, active)
        if op in ("st", "atom") or (op == "ld" and "param" not in suffixes):
            return self.access(op, suffixes, operands)
        if op == "ld":
            return self.put(operands[0], _constant(self.named[operands[1].strip("[]")], "u64", self.threads))
        if op in ("activemask", "vote"):
            return self.vote(suffixes[1] if op == "vote" else "ballot", operands)
        if op in ("add", "addc") and ("cc" in suffixes or op == "addc"):
            return self.add_with_carry(op == "addc", operands)
        reads = [self.read(x, kind) for x in operands[1:]]
        if op == "selp":
            chosen = self.read(operands[3], "pred")
            return self.put(operands[0], lambda: np.where(chosen(), reads[0](), reads[1]()))
        if op in ("shl", "shr", "shf"):
            amount = self.read(operands[-1], "u32")
            shift: Callable[..., Array] = {"shl": _shift_left, "shr": _shift_right}.get(op, _funnel)
            assert op != "shf" or suffixes == ["l", "wrap", "b32"]
            return self.put(operands[0], lambda: shift(*(read() for read in reads[:-1]), amount()))
        if op == "bfi":
            assert kind == "b32"
            place, width = int(operands[3]), int(operands[4])
            field = np.uint32(((1 << width) - 1) << place)
            part, whole = reads[:2]
            return self.put(operands[0], lambda: (whole() & ~field) | (part() << np.uint32(place) & field))
        if op == "setp":
            function = _COMPARE[suffixes[0]]
        elif op == "mul" and suffixes[0] in ("wide", "hi"):
            function = _multiply_wide if suffixes[0] == "wide" else _multiply_high
        elif op in _PLAIN:
            function = _PLAIN[op]
        else:
            raise NotImplementedError(f"the PTX machine does not know {name} {', '.join(operands)}")
        if len(reads) == 1:
            one = reads[0]
            return self.put(operands[0], lambda: function(one()))
        return self.put(operands[0], lambda: function(*(read() for read in reads)))

    def vote(self, what: str, operands: list[str]) -> Callable[[Array], None]:
        """What the active threads of a warp say together; without an operand, which they are."""
        said = self.read(operands[1], "pred") if len(operands) > 1 else lambda: np.ones(self.threads, bool)

        def act(active: Array) -> None:
            for warp in range(0, self.threads, THREADS_OF_A_WARP):
                here = slice(warp, warp + THREADS_OF_A_WARP)
                yes = said()[here] & active[here]
                result = yes.any() if what == "any" else int(yes @ (1 << np.arange(len(yes))))
                self.put(operands[0], lambda result=result: np.array(result))(  # type: ignore[misc]
                    active & (np.arange(self.threads) // THREADS_OF_A_WARP == warp // THREADS_OF_A_WARP)
                )

        assert what in ("any", "ballot")
        return act

    def add_with_carry(self, with_carry: bool, operands: list[str]) -> Callable[[Array], None]:
        """An addition that sets the carry, and adds the carry from before if asked for."""
        a, b = (self.read(x, "u32") for x in operands[1:3])
        put, total = None, np.zeros(self.threads, np.uint64)
        put = self.put(operands[0], lambda: total)

        def act(active: Array) -> None:
            np.add(a().astype(np.uint64), b(), out=total)
            if with_carry:
                np.add(total, self.carry, out=total)
            put(active)
            np.copyto(self.carry, total >> np.uint64(32), where=active)

        return act

    def access(self, op: str, suffixes: list[str], operands: list[str]) -> Callable[[Array], None]:
        """A load, a store or an atomic addition."""
        memory = self.memory[next(s for s in suffixes if s in ("global", "shared"))]
        kind = suffixes[-1]
        width = _bits(kind)
        cells = memory.view(_UNSIGNED[width])
        match = re.fullmatch(r"\[([^+\]]+)(?:\+(-?\d+))?\]", operands[0] if op == "st" else operands[1])
        assert match
        base, offset = self.read(match[1], "u64"), int(match[2] or 0)

        def places(active: Array) -> Array:
            address = base().astype(np.int64)[active] + offset
            assert not (address % (width // 8)).any()
            assert (address >= 0).all()
            assert (address + width // 8 <= memory.size).all()
            return address // (width // 8)

        if op == "ld":
            loaded = np.zeros(self.threads, _SIGNED[width] if kind[0] == "s" else _UNSIGNED[width])
            put = self.put(operands[0], lambda: loaded)

            def load(active: Array) -> None:
                loaded[active] = cells[places(active)].view(loaded.dtype)
                put(active)

            return load
        if op == "st":
            value = self.read(operands[1], kind)

            def store(active: Array) -> None:
                cells[places(active)] = value()[active].astype(cells.dtype)

            return store
        assert "add" in suffixes
        amount, old = self.read(operands[2], kind), np.zeros(self.threads, cells.dtype)
        put_old = self.put(operands[0], lambda: old)

        def add(active: Array) -> None:
            values = amount()
            for thread, place in zip(np.flatnonzero(active), places(active), strict=True):
                old[thread] = cells[place]
                cells[place] = old[thread] + values[thread].astype(cells.dtype)
            put_old(active)

        return add

    def read(self, operand: str, kind: str) -> Callable[[], Array]:
        """An operand in all threads, as the kind of number that the instruction names."""
        if operand in self.special:
            found = self.special[operand]
        elif match := re.fullmatch(r"%(p|rs|rd|r)(\d+)", operand):
            found = self.files[match[1]][int(match[2])]
        elif re.fullmatch(r"-?\d+", operand):
            return _constant(int(operand), kind, self.threads)
        else:  # the address of shared memory: a kernel has one piece of it
            assert "smem" in operand, operand
            return _constant(0, "u64", self.threads)
        if kind == "pred":
            return lambda: found
        dtype = _SIGNED[_bits(kind)] if kind[0] == "s" else _UNSIGNED[_bits(kind)]
        if found.itemsize == np.dtype(dtype).itemsize:
            view = found.view(dtype)
            return lambda: view
        return lambda: found.astype(dtype)

    def put(self, operand: str, result: Callable[[], Array]) -> Callable[[Array], None]:
        """Write a result to a register, of the active threads."""
        match = re.fullmatch(r"%(p|rs|rd|r)(\d+)", operand)
        assert match, operand
        row = self.files[match[1]][int(match[2])]
        return lambda active: np.copyto(row, result().astype(row.dtype, copy=False), where=active)


def _store(array: Array, value: Any, active: Array) -> None:
    array[active] = value


def _bits(kind: str) -> int:
    return int(kind[1:])


def _constant(value: int, kind: str, threads: int) -> Callable[[], Array]:
    if kind == "pred":
        array = np.full(threads, bool(value))
    else:
        whole = np.full(threads, value & _ALL, np.uint64).astype(_UNSIGNED[_bits(kind)])
        array = whole.view(_SIGNED[_bits(kind)]) if kind[0] == "s" else whole
    return lambda: array


def _shift_left(a: Array, amount: Array) -> Array:
    bits = 8 * a.itemsize
    return np.where(amount < bits, np.left_shift(a, np.minimum(amount, bits - 1).astype(a.dtype)), a.dtype.type(0))


def _shift_right(a: Array, amount: Array) -> Array:
    """Signed numbers keep their sign; a shift too far is as far as there is to go."""
    bits = 8 * a.itemsize
    shifted = np.right_shift(a, np.minimum(amount, bits - 1).astype(a.dtype))
    return shifted if a.dtype.kind == "i" else np.where(amount < bits, shifted, a.dtype.type(0))


def _funnel(low: Array, high: Array, amount: Array) -> Array:
    both = (high.astype(np.uint64) << np.uint64(32)) | low
    return (both << (amount & 31).astype(np.uint64)) >> np.uint64(32)


def _multiply_wide(a: Array, b: Array) -> Array:
    return a.astype(f"{a.dtype.kind}{2 * a.itemsize}") * b


def _multiply_high(a: Array, b: Array) -> Array:
    return _multiply_wide(a, b) >> (8 * a.itemsize)


def _population(a: Array) -> Array:
    return np.unpackbits(a.view(np.uint8).reshape(len(a), -1), axis=1).sum(axis=1)


_COMPARE: dict[str, Callable[..., Any]] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}
_PLAIN: dict[str, Callable[..., Any]] = {
    "mov": lambda a: a,
    "cvt": lambda a: a,
    "cvta": lambda a: a,
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": lambda a, b: np.trunc(a / np.where(b == 0, 1, b)).astype(a.dtype),
    "mad": lambda a, b, c: a * b + c,
    "neg": np.negative,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "not": np.invert,
    "min": np.minimum,
    "max": np.maximum,
    "popc": _population,
}


def _split(body: str) -> tuple[list[list[Instruction]], dict[str, int]]:
    """The runs of instructions, and the number of the run at each label."""
    runs: list[list[Instruction]] = [[]]
    labels: dict[str, int] = {}
    for statement in re.split(r"[;\n]", re.sub(r"//[^\n]*", "", body)):
        line = statement.strip()
        while match := re.match(r"(\$[\w$]+):", line):
            if runs[-1]:
                runs.append([])
            labels[match[1]] = len(runs) - 1
            line = line[match.end() :].strip()
        if not line or line.startswith("."):
            continue
        guard = ""
        if line.startswith("@"):
            guard, line = line[1:].split(None, 1)
        name, *rest = line.split(None, 1)
        operands = [operand.strip() for operand in rest[0].split(",")] if rest else []
        runs[-1].append((guard, name, operands))
        if name.startswith(("bra", "ret", "bar")):
            runs.append([])
    return runs, labels
