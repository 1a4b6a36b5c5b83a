"""The scripted language model: how it reads requests, decides and makes mistakes."""
