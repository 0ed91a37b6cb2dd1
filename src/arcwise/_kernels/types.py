"""Names for the arrays that kernels take. The compiler does not read them: they are for readers, and for callers."""

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
Int32Array = NDArray[np.int32]
UInt8Array = NDArray[np.uint8]
UInt32Array = NDArray[np.uint32]
UInt64Array = NDArray[np.uint64]
BoolArray = NDArray[np.bool_]
CodeArray = NDArray[np.uint8] | NDArray[np.uint16]
