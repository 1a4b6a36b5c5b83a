"""Add a product with one variant."""

from scenarios.admin._products import OFFERED, amount
from scenarios.kit import Draw, Family, Right
from sites.admin.operations import add_product
from sites.shop.texts import CATEGORIES, COLOURS, MANNERS

WORDINGS = (
    (
        "Add a new product: SKU {sku}, name {name}, brand {brand}, category {category}, colour"
        " {colour}, size {size}, price ${price}, stock {stock}. Leave its description empty."
    ),
    (
        "We take up {name} by {brand}. Create it in the category {category} under the SKU {sku}:"
        " it costs ${price}, and we have {stock} of it, in {colour} and the size {size}. It gets"
        " no description."
    ),
    (
        "Enter the product {name} (SKU {sku}, brand {brand}) into the category {category}. Its only"
        " variant is {colour}, size {size}; {stock} pieces are in stock at ${price} each. Write"
        " no description."
    ),
    (
        "The catalogue lacks {name}. Add it without a description: category {category}, brand"
        " {brand}, SKU {sku}. Colour: {colour}. Size: {size}. Pieces in stock: {stock}. Price:"
        " ${price}."
    ),
)


def draw(d: Draw) -> Right:
    """Draw the values of a product that does not exist."""
    model, other = d.rng.sample(d.all(OFFERED), 2)
    category = CATEGORIES[model.category]
    kind, size = d.some(category.kinds), d.some(category.sizes)
    name = f"{model.brand} {d.some(MANNERS)} {kind} Z{d.rng.randint(100, 999)}"
    d.need(other.brand != model.brand and other.category != model.category)
    colour, shade = d.rng.sample(COLOURS, 2)
    stock = d.rng.randint(101, 300)
    price = d.rng.randint(category.low, category.high) * 100 - d.some((1, 5, 50))
    sku = f"{category.name[:3].upper()}-{d.rng.randint(5000, 9999)}"
    right = {
        "sku": sku, "name": name, "category": category.name, "brand": model.brand,
        "price": amount(price), "quantity": str(stock), "colour": colour, "size": size,
    }  # fmt: skip
    wrong = {
        "another colour": {"colour": shade},
        "without the size": {"size": ""},
        "another brand": {"brand": other.brand},
        "another category": {"category": other.category},
        "the price too high": {"price": amount(price + 100)},
        "the stock as the price": {"price": f"{stock}.00"},
    }
    return Right(
        {**right, "stock": stock},
        do=[add_product(**right)],
        instead={label: [add_product(**{**right, **each})] for label, each in wrong.items()},
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:256",))
