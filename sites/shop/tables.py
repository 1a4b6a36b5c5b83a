"""The tables of the shop, and the queries by which its pages read them. Money is in cents."""

from __future__ import annotations

from sites._kit.declare import Table

TABLES = (
    Table("categories", "name TEXT PRIMARY KEY, parent TEXT, heading TEXT", ("name",)),
    Table(
        "products",
        "sku TEXT PRIMARY KEY, name TEXT, brand TEXT, category TEXT, price INTEGER, about TEXT,"
        " details TEXT, position INTEGER, status TEXT",
        ("sku",),
        about={"category": "categories"},
        index=("category", "name"),
    ),
    Table(
        "variants",
        "sku TEXT PRIMARY KEY, product TEXT, colour TEXT, size TEXT, price INTEGER",
        ("sku",),
        about={"product": "products"},
        index=("product",),
    ),
    Table("stock", "variant TEXT PRIMARY KEY, quantity INTEGER", ("variant",)),
    Table(
        "customers",
        "name TEXT PRIMARY KEY, email TEXT, phone TEXT, joined REAL",
        ("name",),
    ),
    Table(
        "addresses",
        "id INTEGER PRIMARY KEY, customer TEXT, recipient TEXT, street TEXT, city TEXT,"
        " postcode TEXT",
        ("id",),
        drawn=("id",),
        about={"customer": "customers"},
        index=("customer",),
    ),
    Table(
        "cart",
        "customer TEXT, variant TEXT, quantity INTEGER, PRIMARY KEY (customer, variant)",
        ("customer", "variant"),
    ),
    Table(
        "orders",
        "number INTEGER PRIMARY KEY, customer TEXT, at REAL, status TEXT, address TEXT,"
        " shipping TEXT, subtotal INTEGER, postage INTEGER, total INTEGER",
        ("number",),
        drawn=("number", "at"),
        about={"customer": "customers"},
        index=("customer, at",),
    ),
    Table(
        "lines",
        "id INTEGER PRIMARY KEY, order_no INTEGER, variant TEXT, product TEXT, name TEXT,"
        " choice TEXT, price INTEGER, quantity INTEGER",
        ("id",),
        drawn=("id",),
        about={"order_no": "orders"},
        index=("order_no", "product"),
    ),
    Table(
        "reviews",
        "id INTEGER PRIMARY KEY, product TEXT, customer TEXT, nickname TEXT, stars INTEGER,"
        " title TEXT, body TEXT, at REAL, status TEXT",
        ("id",),
        drawn=("id", "at"),
        about={"product": "products"},
        index=("product, status", "customer"),
    ),
    Table(
        "wishes",
        "customer TEXT, product TEXT, PRIMARY KEY (customer, product)",
        ("customer", "product"),
    ),
    Table(
        "subscriptions",
        "customer TEXT, topic TEXT, PRIMARY KEY (customer, topic)",
        ("customer", "topic"),
    ),
    Table(
        "messages",
        "id INTEGER PRIMARY KEY, customer TEXT, reason TEXT, order_number TEXT, amount TEXT,"
        " body TEXT, at REAL",
        ("id",),
        drawn=("id", "at"),
        index=("customer",),
    ),
)
APPROVED = "r.product = p.sku AND r.status = 'approved'"
PRODUCTS = f"""
SELECT p.*, p.sku AS product, p.name AS title, c.heading, c.parent AS department,
  (SELECT round(avg(stars), 1) FROM reviews r WHERE {APPROVED}) AS rating,
  (SELECT count(*) FROM reviews r WHERE {APPROVED}) AS reviews,
  EXISTS (SELECT 1 FROM wishes w WHERE w.customer = :me AND w.product = p.sku) AS wished
FROM products p JOIN categories c ON c.name = p.category"""  # noqa: S608 (declared)
ON_SALE = f"SELECT * FROM ({PRODUCTS}) WHERE status = 'enabled'"  # noqa: S608
IN_CATEGORY = f"""{PRODUCTS}
WHERE p.status = 'enabled' AND p.category = :category
  AND p.price >= 100 * CAST(:price AS INTEGER)
  AND (substr(:price, instr(:price, '-') + 1) = ''
    OR p.price < 100 * CAST(substr(:price, instr(:price, '-') + 1) AS INTEGER))"""
"""The products of a category, in a range such as 10-25: from ten to below 25 dollars.
"""
DEPARTMENTS = """
SELECT c.name AS department, c.name AS topic, c.heading,
  (SELECT count(*) FROM categories d WHERE d.parent = c.name) AS inside,
  EXISTS (SELECT 1 FROM subscriptions s WHERE s.customer = :me AND s.topic = c.name) AS subscribed
FROM categories c WHERE c.parent = ''"""
CATEGORIES = """
SELECT c.name AS category, c.parent AS department, c.heading,
  (SELECT count(*) FROM products p WHERE p.category = c.name AND p.status = 'enabled') AS inside
FROM categories c WHERE c.parent != ''"""
VARIANTS = """
SELECT v.sku AS variant, v.product, v.price, s.quantity AS stock, p.name, p.name AS title, p.status,
  CASE WHEN v.colour = '' AND v.size = '' THEN 'Standard'
    ELSE trim(v.colour || ', ' || v.size, ', ') END AS choice,
  coalesce((SELECT quantity FROM cart c WHERE c.customer = :me AND c.variant = v.sku), 0) AS taken
FROM variants v JOIN products p ON p.sku = v.product JOIN stock s ON s.variant = v.sku"""
CART = f"""
SELECT *, taken * price AS sum FROM ({VARIANTS}) WHERE taken > 0"""  # noqa: S608
TOTALS = f"""
SELECT :me AS me, count(*) AS things,
  coalesce(sum(taken), 0) AS pieces, coalesce(sum(sum), 0) AS subtotal
FROM ({CART})"""  # noqa: S608
ORDERS = """
SELECT o.*, o.number AS order_no, (SELECT sum(quantity) FROM lines l WHERE l.order_no = o.number)
  AS pieces,
  NOT EXISTS (SELECT 1 FROM lines l WHERE l.order_no = o.number AND l.quantity > coalesce(
    (SELECT quantity FROM cart c WHERE c.customer = :me AND c.variant = l.variant), 0)) AS carted
FROM orders o WHERE o.customer = :me"""
LINES = """
SELECT l.id AS line, l.order_no, l.variant, l.product, l.name, l.name AS title, l.choice, l.price,
  l.quantity, l.price * l.quantity AS sum
FROM lines l WHERE l.order_no = :order_no"""
REVIEWS = """
SELECT r.id AS review, r.product, r.customer, r.nickname, r.stars, r.title, r.body, r.at,
  r.status AS state, p.name, p.status
FROM reviews r JOIN products p ON p.sku = r.product"""
WISHES = f"SELECT * FROM ({PRODUCTS}) WHERE wished"  # noqa: S608
ADDRESSES = """
SELECT a.*, a.id AS address_no,
  a.recipient || ', ' || a.street || ', ' || a.postcode || ' ' || a.city AS label
FROM addresses a WHERE a.customer = :me"""
LABELS = f"SELECT label FROM ({ADDRESSES}) ORDER BY address_no"  # noqa: S608
"""The addresses of the customer, as one line each."""
MESSAGES = """
SELECT m.id AS message, m.reason, m.order_number, m.amount, m.body, m.at FROM messages m
WHERE m.customer = :me"""
ME = """
SELECT c.name AS customer, c.email, c.phone, c.joined FROM customers c WHERE c.name = :me"""
PRODUCT_ORDERS = {
    "position": "position, sku",
    "name": "title, sku",
    "name_desc": "title DESC, sku",
    "price": "price, sku",
    "price_desc": "price DESC, sku",
}
ORDER_ORDERS = {"new": "at DESC, order_no DESC", "old": "at, order_no"}
REVIEW_ORDERS = {"new": "at DESC, review", "best": "stars DESC, review", "worst": "stars, review"}
CATEGORY_NAMES = "SELECT name FROM categories WHERE parent != '' ORDER BY name"
ORDER_NUMBERS = "SELECT number FROM orders WHERE customer = :me ORDER BY number"
PERSONAS = "SELECT customer AS name FROM orders GROUP BY customer HAVING count(*) >= 12"
"""The customers who may be signed in: their orders fill more than a page of a list."""
