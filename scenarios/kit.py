"""The front of the kit for families on declared sites, and for the scorer of these sites."""

from agent.interface import AnswerSchema
from scenarios._kit.beside import Reading
from scenarios._kit.drawing import Draw, Found, Right, See, Tell, stay
from scenarios._kit.family import Family
from scenarios._kit.gold import End, Gold, Held
from scenarios._kit.visit import BadRight

__all__ = [
    "AnswerSchema", "BadRight", "Draw", "End", "Family", "Found", "Gold", "Held", "Reading",
    "Right", "See", "Tell", "stay",
]  # fmt: skip
