"""How foogo compiles, and what compiled code computes with: lanes, bits, atomics, random streams. No Go in here."""
