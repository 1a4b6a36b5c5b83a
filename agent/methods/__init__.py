"""Methods: one file each, `async def solve(task, page, llm, options) -> str` and `Options`."""
