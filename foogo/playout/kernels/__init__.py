"""The compiled playout: many games in step, one in each lane."""
