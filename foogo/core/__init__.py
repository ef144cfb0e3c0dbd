"""How foogo compiles, and what compiled code is written in: lanes, bits, atomics, random streams. No Go in here."""
