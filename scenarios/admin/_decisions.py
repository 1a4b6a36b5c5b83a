"""The reviews of a product, as families that approve or delete some of them draw them."""

REVIEWS = """SELECT r.*, p.name FROM reviews r JOIN products p ON p.sku = r.product
  WHERE r.product = ? ORDER BY r.at DESC, r.id DESC"""
