"""Makes files in the format of Mind2Web from episodes on our own sites."""
