"""What totals say: estimates with intervals, comparisons, Elo. No rules of Go in here."""
