"""Mind2Web (Deng et al. 2023): its files, its page texts, and the methods that answer its steps."""
