"""One board and its rules: points, positions, games with their history, records, clocks."""
