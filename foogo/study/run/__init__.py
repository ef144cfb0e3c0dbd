"""Playing the games of a study."""
