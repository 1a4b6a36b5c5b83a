"""The front of the kit for families on declared sites, and for the scorer of these sites."""

from agent.interface import AnswerSchema
from scenarios._kit.beside_declared import path_step
from scenarios._kit.drawing import Draw, Found, Right, See, Tell, stay
from scenarios._kit.family import Family
from scenarios._kit.gold import End, Gold, Held
from scenarios._kit.reading import Reading
from scenarios._kit.visit import BadRight

__all__ = [
    "AnswerSchema", "BadRight", "Draw", "End", "Family", "Found", "Gold", "Held", "Reading",
    "Right", "See", "Tell", "path_step", "stay",
]  # fmt: skip
