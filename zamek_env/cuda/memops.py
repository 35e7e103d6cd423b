"""Sets and copies blocks of memory fast in a GPU thread: 16 bytes at once where aligned, else 4, else 1.

LLVM goes byte by byte where it does not know the alignment.
"""

import re
from typing import Any

from llvmlite import ir

NAMES = {"memset": False, "memcpy": True, "memmove": True}  # what LLVM calls them, and whether they read memory
UNITS = (16, 4)  # bytes

_LONG, _WORD, _BYTE = ir.IntType(64), ir.IntType(32), ir.IntType(8)
_POINTER = _BYTE.as_pointer()
_CALL = re.compile(r"@llvm\.(memset|memcpy|memmove)\.(?:p0\.)+i64")
_DECLARATION = re.compile(r"^declare void @memop_\w+\(.*\n", re.MULTILINE)


def call_memops(code: str) -> str:
    """Return LLVM's code with calls of the functions of `define_memops` in place of LLVM's own."""
    declared = [f"declare void @memop_{name}(ptr, {'ptr' if NAMES[name] else 'i8'}, i64, i1)\n" for name in NAMES]
    return _DECLARATION.sub("", _CALL.sub(r"@memop_\1", code)) + "".join(declared)


def define_memops() -> str:
    """Return LLVM's code of functions that set or copy blocks of memory."""
    module = ir.Module()
    for name, copies in NAMES.items():
        _define_memop(module, f"memop_{name}", copies)
    return str(module)


def _define_memop(module, name, copies):
    """Define one: (target, source or a byte, count, an ignored bit)."""
    arguments = [_POINTER, _POINTER if copies else _BYTE, _LONG, ir.IntType(1)]
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), arguments), name)
    function.attributes.add("noinline")
    target, source, count, _ = function.args
    start, head, end = (function.append_basic_block(block) for block in ("start", "head", "end"))
    builder = ir.IRBuilder(start)
    addresses = [builder.ptrtoint(pointer, _LONG) for pointer in (target, source)[: 1 + copies]]
    is_backward: Any = ir.IntType(1)(0)
    if copies:  # from the end on, where what is still to be read would be overwritten
        is_backward = builder.icmp_unsigned("<", builder.sub(*addresses), count)
    builder.branch(head)
    builder.position_at_end(head)
    done = builder.phi(_LONG)
    done.add_incoming(_LONG(0), start)
    left = builder.sub(count, done)
    builder.cbranch(builder.icmp_unsigned("==", left, _LONG(0)), end, function.append_basic_block())
    for unit in (*UNITS, 1):
        builder.position_at_end(function.blocks[-1])
        at = builder.select(is_backward, builder.sub(left, _LONG(unit)), done)
        places = [builder.add(address, at) for address in addresses]
        if unit > 1:
            fits = builder.icmp_unsigned(">=", left, _LONG(unit))
            for place in places:
                low = builder.and_(place, _LONG(unit - 1))
                fits = builder.and_(fits, builder.icmp_unsigned("==", low, _LONG(0)))
            move, after = function.append_basic_block(), function.append_basic_block()
            builder.cbranch(fits, move, after)
            builder.position_at_end(move)
        done.add_incoming(_move_block(builder, places, None if copies else source, unit, done), builder.block)
        builder.branch(head)
    builder.position_at_end(end)
    builder.ret_void()


def _move_block(builder, places, byte, unit, done):
    """Move `unit` bytes, and return how many are moved then."""
    kind = _BYTE if unit == 1 else ir.VectorType(_WORD, unit // 4)
    target, *source = [builder.inttoptr(place, kind.as_pointer()) for place in places]
    if source:
        value = builder.load(source[0])
    elif unit == 1:
        value = byte
    else:
        word = builder.mul(builder.zext(byte, _WORD), _WORD(0x01010101))
        value = kind(ir.Undefined)
        for number in range(unit // 4):
            value = builder.insert_element(value, word, _WORD(number))
    builder.store(value, target).align = unit
    return builder.add(done, _LONG(unit))
