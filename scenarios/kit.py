"""The front of the kit for families on declared sites."""

from agent.interface import AnswerSchema
from scenarios._kit.beside import Reading
from scenarios._kit.drawing import Draw, Right, See
from scenarios._kit.family import Family

__all__ = ["AnswerSchema", "Draw", "Family", "Reading", "Right", "See"]
