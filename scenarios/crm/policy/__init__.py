"""The rules of the handbook as code: what is right to do with a request."""
