"""Run one episode (one agent on one task): the browser page, the model, the budget, the trace."""
