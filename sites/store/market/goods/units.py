"""Units of measure in two conventions (metric, imperial), and the format of figures on pages."""

from __future__ import annotations

from dataclasses import dataclass

METRIC, IMPERIAL = "metric", "imperial"
CONVENTIONS = (METRIC, IMPERIAL)
SMALL = 10
"""Imperial figures below this number are shown with one more decimal."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of facts and the unit of the other convention.

    Attributes:
        symbol: The metric unit.
        other: The unit of the other convention; "" if both use the metric unit.
        factor: The number of metric units in one unit of the other convention.
        decimals: The decimals of metric figures.
        other_decimals: The decimals of figures of the other convention.
    """

    symbol: str
    other: str = ""
    factor: float = 1.0
    decimals: int = 1
    other_decimals: int = 1

    def symbol_in(self, convention: str) -> str:
        return self.other if self._is_other(convention) else self.symbol

    def metric(self, figure: float, convention: str) -> float:
        """Return a figure of a convention (metric or imperial) in the metric unit."""
        return figure * self.factor if self._is_other(convention) else figure

    def exact(self, value: float, convention: str) -> float:
        """Return a metric value in the unit of a convention (metric or imperial), without
        rounding.
        """
        return value / self.factor if self._is_other(convention) else value

    def converted(self, value: float, convention: str) -> float:
        """Return a metric value as pages show it: in the convention's unit and rounded."""
        figure = self.exact(value, convention)
        if self._is_other(convention):
            return round(figure, self.other_decimals + (figure < SMALL))
        return round(figure, self.decimals)

    def text(self, value: float, convention: str) -> str:
        """Return a metric value as text with its unit, such as "34.2 cm".

        Args:
            value: The value in the metric unit.
            convention: The units to convert it to, such as those of an American shop.
        """
        return f"{self.converted(value, convention):g} {self.symbol_in(convention)}"

    def _is_other(self, convention: str) -> bool:
        return convention == IMPERIAL and bool(self.other)


UNITS = {
    "cm": Unit("cm", "in", 2.54),
    "mm": Unit("mm", "in", 25.4, 0, 2),
    "m": Unit("m", "ft", 0.3048),
    "kg": Unit("kg", "lb", 0.45359237),
    "g": Unit("g", "oz", 28.349523, 0, 1),
    "l": Unit("l", "qt", 0.94635295),
    "ml": Unit("ml", "fl oz", 29.57353, 0, 1),
    "km": Unit("km", "mi", 1.609344),
    "W": Unit("W", decimals=0),
    "h": Unit("h"),
    "min": Unit("min", decimals=0),
    "lm": Unit("lm", decimals=0),
    "Hz": Unit("Hz", decimals=0),
    "pieces": Unit("pieces", decimals=0),
    "percent": Unit("%", decimals=0),
    "months": Unit("months", decimals=0),
    "dB": Unit("dB", decimals=0),
}
"""The units of measure by their metric symbol; facts are stored in metric figures."""
