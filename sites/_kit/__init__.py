"""What a site needs so that it only has to be declared."""
