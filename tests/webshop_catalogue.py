"""A small catalogue in the formats of WebShop's own files: four mugs, a kettle and a lamp."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

BLUE, PLAIN, DEAR, STEEL = "B00MUGBLUE", "B00MUGPLAI", "B00MUGDEAR", "B00MUGSTEE"
KETTLE, LAMP, GRAND = "B00KETTLE1", "B00LAMP001", "B00LAMPBIG"


def item(asin: str, name: str, query: str, price: str, bullets: list[str], **options: Any) -> Any:
    return {
        "asin": asin,
        "name": name,
        "query": query,
        "category": "garden",
        "product_category": f"Home & Kitchen › Dining › {query.title()}",
        "full_description": f"{name}. Sold by one shop only.",
        "small_description": bullets,
        "pricing": price,
        "customization_options": {
            kind: [{"value": value, "image": None} for value in values]
            for kind, values in options.items()
        },
        "images": ["main.jpg"],
        "brand": "dropped",
    }


ITEMS = [
    item(
        BLUE,
        "Northfold Stoneware Coffee Mug",
        "Coffee Mugs",
        "$12.50",
        ["Dishwasher safe, top rack.", "Lead free glaze."],
        Color=["Blue", "Green", "Light/Grey"],
        Size=["12 oz", "16 oz"],
    ),
    item(
        PLAIN,
        "Aldermoor Stoneware Coffee Mug",
        "Coffee Mugs",
        "$9.00",
        ["Wash it by hand.", "A wide handle."],
        Color=["Blue", "White"],
        Size=["12 oz"],
    ),
    item(
        DEAR,
        "Hartwell Stoneware Coffee Mug",
        "Coffee Mugs",
        "$89.00",
        ["Dishwasher safe, top rack.", "Lead free glaze."],
        Color=["Blue"],
        Size=["12 oz"],
    ),
    item(
        STEEL,
        "Corrigan Travel Cup",
        "Travel Mugs",
        "$20.00 - $30.00",
        ["Stainless steel, keeps hot."],
    ),
    item(KETTLE, "Ferris Whistling Tea Kettle", "Tea Kettles", "$39.00", ["Stainless steel."]),
    item(
        GRAND,
        "Oakes Grand Bedside Lamp",
        "Table Lamps",
        "$99.00 - $400.00",
        ["Easy to assemble."],
        Color=["Brass", "Black"],
    ),
    item(LAMP, "Oakes Bedside Lamp", "Table Lamps", "", ["Easy to assemble."], Color=["Brass"]),
]
MINED = {
    BLUE: {
        "attributes": ["dishwasher safe", "lead free"],
        "instruction": "i want a dishwasher safe stoneware coffee mug",
        "instruction_attributes": ["dishwasher safe"],
    },
    PLAIN: {"attributes": ["hand wash"], "instruction": None},
    DEAR: {"attributes": ["dishwasher safe", "lead free"], "instruction": None},
    KETTLE: {
        "attributes": ["stainless steel"],
        "instruction": "i want a stainless steel tea kettle",
        "instruction_attributes": ["stainless steel"],
    },
    LAMP: {"attributes": ["easy assemble"], "instruction": None},
    GRAND: {"attributes": ["easy assemble"], "instruction": None},
}


def wish(asin: str, text: str, attributes: list[str], options: list[str]) -> dict[str, Any]:
    return {
        "asin": asin,
        "instruction": text,
        "instruction_attributes": attributes,
        "instruction_options": options,
        "worker_id": "dropped",
    }


HUMAN = {
    BLUE: [
        wish(
            BLUE,
            "i need a northfold stoneware coffee mug that is dishwasher safe and lead free,"
            " in blue, 16 oz.",
            ["dishwasher safe", "lead free"],
            ["blue", "16 oz"],
        ),
        wish(BLUE, "a mug of any kind", [], []),
    ],
    PLAIN: [
        wish(
            PLAIN,
            "i want an aldermoor stoneware coffee mug, hand wash, in white",
            ["hand wash"],
            ["white"],
        )
    ],
    DEAR: [
        wish(
            DEAR,
            "find me a hartwell stoneware coffee mug, lead free, colour blue.",
            ["lead free"],
            ["blue"],
        )
    ],
    KETTLE: [wish(KETTLE, "a stainless steel tea kettle", ["stainless steel"], [])],
    LAMP: [
        wish(LAMP, "looking for a bedside lamp, easy assemble, brass", ["easy assemble"], ["brass"])
    ],
}


def write(
    folder: Path, items: Any = ITEMS, mined: Any = MINED, human: Any = HUMAN, name: str = ""
) -> Path:
    """Write the files into a folder; what is None is left out."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {
        f"items_shuffle{name}.json": items,
        f"items_ins_v2{name}.json": mined,
        "items_human_ins.json": human,
    }
    for file, content in files.items():
        if content is not None:
            (folder / file).write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return folder
