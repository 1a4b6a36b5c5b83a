"""Other frameworks that run our episodes: Gymnasium and pytest."""
