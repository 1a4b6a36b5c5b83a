"""The scripted model: it answers from the request alone, in each method's own format."""
