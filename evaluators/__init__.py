"""Run episodes and measure them: the engine, scores, records, statistics, reports and servers.

Programs use the functions of `rehearse`; the modules here may change from version to version.

Example:
    >>> from rehearse import generate, run, score
    >>> generate("cheapest_in_list", 0).name
    'store/cheapest_in_list/0'
    >>> from evaluators.run.config import RunConfig
    >>> from scenarios import registry
    >>> tasks = registry.from_families(["cheapest_in_list"], range(2))
    >>> summary = run(["expert"], tasks, RunConfig(out=folder))
    >>> [(row.agent, row.episodes, row.success) for row in summary.rows]
    [('expert', 2, 1.0)]
    >>> score(folder) == summary
    True
"""
