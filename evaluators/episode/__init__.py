"""Run one episode: the environment, the metered page and model, budget, ending and trace."""
