"""Kernels that call other kernels by their address.

What a kernel calls is compiled into it, which takes seconds where that is much. By its address a kernel is called as it
was compiled for itself: once, and at the same time as its caller. With an address goes a checksum of the arguments'
types: a call with others is refused.
"""

from typing import Any
from zlib import crc32

from numba import config, typeof, types
from numba._dispatcher import compute_fingerprint
from numba.core import cgutils
from numba.extending import intrinsic

Address = tuple[int, int]
NOWHERE: Address = 0, 0
# (kernel, types of arguments) -> (address, what was compiled, to keep it alive); also what others work out of addresses
known: dict[Any, Any] = {}


def address_of(kernel: Any, *arguments: Any) -> Address:
    """(where the kernel is for arguments of these types, their checksum); it is compiled if need be."""
    if config.DISABLE_JIT:
        known[id(kernel)] = kernel
        return id(kernel), 0
    key = kernel, types_of(*arguments)
    if key not in known:
        signature = tuple(map(typeof, arguments))
        kernel.compile(signature)
        compiled = kernel.overloads[signature]
        address = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
        known[key] = (address, _checksum(signature)), compiled
    return known[key][0]


def types_of(*arguments: Any) -> bytes:
    """A key for the types of these."""
    return compute_fingerprint(arguments)


def _checksum(signature: Any) -> int:
    return crc32(str(tuple(map(types.unliteral, signature))).encode())


def calling(returns: Any) -> Any:
    """call(address, *arguments) for kernels that return this type."""

    @intrinsic
    def call(typing_context, address, *arguments):
        def generate(context, builder, signature, values):
            given, convention = signature.args[1], context.call_conv
            place, types_there = cgutils.unpack_tuple(builder, values[0], 2)
            types_here = context.get_constant(types.int64, _checksum(given))
            with cgutils.if_unlikely(builder, builder.icmp_unsigned("!=", types_there, types_here)):
                convention.return_user_exc(builder, TypeError, ("a kernel was called with arguments of other types",))
            kernel = builder.inttoptr(place, convention.get_function_type(returns, given.types).as_pointer())
            unpacked = cgutils.unpack_tuple(builder, values[1], len(given))
            status, result = convention.call_function(builder, kernel, returns, given.types, unpacked)
            with cgutils.if_unlikely(builder, status.is_error):
                convention.return_status_propagate(builder, status)
            return result

        return returns(types.UniTuple(types.int64, 2), types.StarArgTuple(arguments)), generate

    return (lambda address, *arguments: known[address[0]](*arguments)) if config.DISABLE_JIT else call
