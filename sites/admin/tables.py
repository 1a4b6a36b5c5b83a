"""The tables of the back office: those of the shop and its own. Money is in cents."""

from __future__ import annotations

from sites._kit.declare import Table
from sites.shop import tables as shop

# The SQL below is made of declarations alone.
# ruff: noqa: S608

OF_ORDER = {"order_no": "orders"}
TABLES = (
    *shop.TABLES,
    Table("clerks", "name TEXT PRIMARY KEY", ("name",)),
    Table("accounts", "customer TEXT PRIMARY KEY, customer_group TEXT", ("customer",)),
    Table(
        "offers",
        "product TEXT PRIMARY KEY, on_sale TEXT, version INTEGER",
        ("product",),
        drawn=("version",),
    ),
    Table(
        "order_addresses",
        "order_no INTEGER, kind TEXT, recipient TEXT, street TEXT, city TEXT, postcode TEXT,"
        " PRIMARY KEY (order_no, kind)",
        ("order_no", "kind"),
        about=OF_ORDER,
    ),
    Table(
        "order_comments",
        "id INTEGER PRIMARY KEY, order_no INTEGER, author TEXT, comment TEXT, notified TEXT,"
        " at REAL",
        ("id",),
        drawn=("id", "at"),
        about=OF_ORDER,
        index=("order_no",),
    ),
    Table(
        "shipments",
        "id INTEGER PRIMARY KEY, order_no INTEGER, carrier TEXT, tracking TEXT, at REAL",
        ("id",),
        drawn=("id", "at"),
        about=OF_ORDER,
        index=("order_no",),
    ),
    Table(
        "invoices",
        "number INTEGER PRIMARY KEY, order_no INTEGER, at REAL, total INTEGER",
        ("number",),
        about=OF_ORDER,
        index=("order_no",),
    ),
    Table("taxes", "order_no INTEGER PRIMARY KEY, rate INTEGER, tax INTEGER", ("order_no",)),
    Table(
        "coupon_uses", "order_no INTEGER PRIMARY KEY, code TEXT, discount INTEGER", ("order_no",)
    ),
    Table(
        "refunds",
        "id INTEGER PRIMARY KEY, order_no INTEGER, at REAL, refunded INTEGER",
        ("id",),
        about=OF_ORDER,
    ),
    Table("views", "id INTEGER PRIMARY KEY, product TEXT, at REAL", ("id",), index=("at",)),
    Table("search_terms", "term TEXT PRIMARY KEY, results INTEGER, uses INTEGER", ("term",)),
    Table(
        "contents",
        "id INTEGER PRIMARY KEY, path TEXT, title TEXT, body TEXT, version INTEGER",
        ("id",),
        drawn=("version",),
    ),
    Table(
        "rules",
        "id INTEGER PRIMARY KEY, name TEXT, kind TEXT, value INTEGER, customer_group TEXT",
        ("id",),
        drawn=("id",),
    ),
    Table("themes", "name TEXT PRIMARY KEY, about TEXT, applied TEXT", ("name",)),
)

MONTH = "strftime('%Y-%m', {at}, 'unixepoch')"
DAY = "strftime('%Y-%m-%d', {at}, 'unixepoch')"
_ADDRESS = """(SELECT recipient || ', ' || street || ', ' || postcode || ' ' || city
  FROM order_addresses a WHERE a.order_no = o.number AND a.kind = '{kind}')"""
ORDERS = f"""
SELECT o.number AS order_no, o.number || ' ' || o.customer AS search, o.customer, o.at, o.status,
  {MONTH.format(at="o.at")} AS month, o.shipping, o.subtotal, o.postage, o.total, c.email, c.phone,
  (SELECT customer_group FROM accounts a WHERE a.customer = o.customer) AS customer_group,
  {_ADDRESS.format(kind="shipping")} AS sent_to, {_ADDRESS.format(kind="billing")} AS billed_to,
  coalesce((SELECT discount FROM coupon_uses u WHERE u.order_no = o.number), 0) AS discount,
  coalesce((SELECT code FROM coupon_uses u WHERE u.order_no = o.number), '–') AS code,
  (SELECT tax FROM taxes t WHERE t.order_no = o.number) AS tax,
  (SELECT rate FROM taxes t WHERE t.order_no = o.number) AS rate,
  (SELECT sum(quantity) FROM lines l WHERE l.order_no = o.number) AS pieces,
  (SELECT count(*) FROM shipments s WHERE s.order_no = o.number) AS parcels,
  coalesce((SELECT group_concat(carrier || ' ' || tracking, char(10)) FROM
    (SELECT * FROM shipments s WHERE s.order_no = o.number ORDER BY id)), '–') AS shipments,
  coalesce((SELECT group_concat({DAY.format(at="at")} || ', ' || author || ': ' || comment
      || ' (customer notified: ' || CASE notified WHEN 'yes' THEN 'yes' ELSE 'no' END || ')',
      char(10)) FROM
    (SELECT * FROM order_comments k WHERE k.order_no = o.number ORDER BY id)), '–') AS comments
FROM orders o JOIN customers c ON c.name = o.customer"""
_OF_KIND = """
SELECT o.number AS order_no, a.recipient, a.street, a.city, a.postcode
FROM orders o JOIN order_addresses a ON a.order_no = o.number WHERE a.kind = '{kind}'"""
SHIPPING_ADDRESSES = _OF_KIND.format(kind="shipping")
BILLING_ADDRESSES = _OF_KIND.format(kind="billing")
INVOICES = f"""
SELECT i.number AS invoice, i.number || ' ' || i.order_no || ' ' || o.customer AS search,
  i.order_no, o.customer, i.at, {MONTH.format(at="i.at")} AS month, i.total, o.status
FROM invoices i JOIN orders o ON o.number = i.order_no"""
PRODUCTS = """
SELECT p.sku AS product, p.name, p.name AS title, p.brand, p.category, p.price, p.status, p.about,
  f.on_sale, f.version, printf('%.2f', p.price / 100.0) AS amount,
  CASE f.on_sale WHEN 'yes' THEN 'yes' ELSE 'no' END AS sale,
  (SELECT count(*) FROM variants v WHERE v.product = p.sku) AS variants,
  (SELECT min(sku) FROM variants v WHERE v.product = p.sku HAVING count(*) = 1) AS only,
  (SELECT sum(s.quantity) FROM variants v JOIN stock s ON s.variant = v.sku
    WHERE v.product = p.sku) AS stock,
  coalesce((SELECT group_concat(choice, '; ') FROM (SELECT trim(v.colour || ', ' || v.size, ', ')
    AS choice FROM variants v WHERE v.product = p.sku ORDER BY v.rowid) WHERE choice != ''), 'none')
    AS choices,
  (SELECT count(*) FROM reviews r WHERE r.product = p.sku) AS reviews
FROM products p JOIN offers f ON f.product = p.sku"""
VARIANTS = """
SELECT v.sku AS variant, v.sku AS row_name, v.product, v.price, s.quantity AS stock, p.name,
  printf('%.2f', v.price / 100.0) AS amount,
  CASE WHEN v.colour = '' AND v.size = '' THEN 'Standard'
    ELSE trim(v.colour || ', ' || v.size, ', ') END AS title
FROM variants v JOIN products p ON p.sku = v.product JOIN stock s ON s.variant = v.sku"""
REVIEWS = f"""
SELECT r.id AS review, 'review ' || r.id AS row_name, r.product, r.customer, r.nickname, r.stars,
  r.title, r.body, r.at, r.status AS state, {MONTH.format(at="r.at")} AS month, p.name, p.status,
  p.name || ': ' || r.title || '. ' || r.body AS search
FROM reviews r JOIN products p ON p.sku = r.product"""
REVIEWED = """
SELECT p.sku AS product, p.name, p.name AS title, count(r.id) AS reviews,
  round(avg(r.stars), 2) AS rating, max(r.at) AS at
FROM products p JOIN reviews r ON r.product = p.sku GROUP BY p.sku"""
CUSTOMERS = """
SELECT c.name AS customer, c.name AS title, c.email, c.phone, c.joined AS at, a.customer_group,
  c.name || ' ' || c.email || ' ' || c.phone AS search
FROM customers c JOIN accounts a ON a.customer = c.name"""
TERMS = "SELECT t.term, t.term AS title, t.results, t.uses FROM search_terms t"
CONTENTS = "SELECT n.id AS content, n.path, n.title, n.body, n.version FROM contents n"
RULES = """
SELECT u.id AS rule, u.name, u.kind, u.value, u.customer_group,
  CASE u.kind WHEN 'percent' THEN u.value || ' %' ELSE '$' || printf('%.2f', u.value / 100.0) END
    AS off
FROM rules u"""
THEMES = """
SELECT h.name AS theme, h.about, CASE h.applied WHEN 'yes' THEN 'yes' ELSE 'no' END AS applied
FROM themes h"""
LAST_ORDERS = f"SELECT * FROM ({ORDERS}) ORDER BY at DESC, order_no DESC LIMIT 5"
TOP_TERMS = f"SELECT * FROM ({TERMS}) ORDER BY uses DESC, term LIMIT 5"
BEST_SELLERS = """
SELECT p.sku AS product, p.name AS title, p.price, sum(l.quantity) AS sold
FROM products p JOIN lines l ON l.product = p.sku JOIN orders o ON o.number = l.order_no
WHERE o.status != 'Canceled' GROUP BY p.sku ORDER BY sold DESC, p.sku LIMIT 5"""
STATUSES = "SELECT DISTINCT status FROM orders ORDER BY status"
MONTHS = f"SELECT DISTINCT {MONTH.format(at='at')} AS month FROM {{}} ORDER BY month DESC"
BRANDS = "SELECT DISTINCT brand FROM products ORDER BY brand"
PERSONAS = "SELECT name FROM clerks"
"""The clerks, who may be signed in."""
