"""Drawing a study: charts, plots, the page."""
