"""The files that a run leaves behind: typed records in a folder, with checksums."""
