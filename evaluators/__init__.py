"""Run episodes and measure them: the engine, scores, records, statistics, reports and servers."""
