"""Many random games: `simulate`, `play_games`, their policies and backends."""
