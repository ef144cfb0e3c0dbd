"""Compilation, and the types of compiled code: lanes, bits, atomics, random streams. Nothing here is about Go."""
