"""Corner Goods: a department store with a green bar at the top and rows of products."""

from sites._kit.declare import Link, Skin

SYNONYMS = {
    "wish list": "Wish list", "cart": "Cart", "order": "Order", "review": "Review",
    "newsletter": "Newsletters", "shipping": "Shipping", "stars": "stars",
    "address": "Address book", "contact": "Contact us",
}  # fmt: skip
SKIN = Skin(
    "corner",
    words={
        "site": "Corner Goods", "signed_in": "Hello, {me}", "sorting": "Sort by",
        "footer": "Corner Goods. Prices in dollars, times in UTC.", "found": "found",
        "pages": "Pages", "keyword": "Search for", "apply": "Apply", "menu": "Menu",
        "next": "Next page", "previous": "Previous page", "number": "Page {n}",
        # orders of lists
        "sort_position": "Our order", "sort_name": "Name: A to Z",
        "sort_name_desc": "Name: Z to A", "sort_price": "Price: lowest first",
        "sort_price_desc": "Price: highest first", "sort_new": "Newest first",
        "sort_old": "Oldest first", "sort_best": "Best first", "sort_worst": "Worst first",
        # links
        "home": "Departments", "search": "Search", "account": "My account", "cart": "Cart",
        "contact": "Contact us", "newsletter": "Newsletters", "department": "{heading}",
        "category": "{heading}", "up": "Back to the department", "product": "{title}",
        "variant": "{choice}", "line_of": "{name} ({choice})", "reviews": "Reviews ({reviews})",
        "write_review": "Write a review", "orders": "My orders", "order": "Order {order_no}",
        "addresses": "Address book", "address": "Edit {street}", "new_address": "Add an address",
        "wishes": "Wish list", "my_reviews": "My reviews", "review": "{title} (no. {review})",
        "of_product": "{name}", "messages": "My messages", "message": "Message {message}",
        "checkout": "Proceed to checkout", "back_to_cart": "Back to the cart",
        # buttons
        "add": "Add to cart", "remove": "Remove from cart", "set_quantity": "Update quantity",
        "reorder": "Reorder", "place_order": "Place order", "add_wish": "Add to wish list",
        "remove_wish": "Remove from wish list", "subscribe_to": "Subscribe",
        "unsubscribe_from": "Unsubscribe", "send_review": "Submit review",
        "save_address": "Save address", "add_address": "Add address",
        "send_message": "Send message", "keep": "Save as draft",
        "kept": "This message is a draft and was not sent.",
        # fields
        "price": "Price range in dollars, such as 10-25", "category_label": "Category",
        "quantity": "Quantity", "address_label": "Shipping address",
        "shipping": "Shipping method", "stars": "Stars", "nickname": "Nickname",
        "title": "Title", "body": "Review", "recipient": "Recipient", "street": "Street",
        "city": "City", "postcode": "Postcode", "reason": "Reason",
        "order_number": "Order number", "amount": "Amount in dollars", "text": "Message",
        # columns, which only the skins with tables show
        "col_title": "Product", "col_brand": "Brand", "col_price": "Price", "col_date": "Date",
        # parts of rows and records
        "rating_of": "Rated {rating} of 5,", "reviews_of": "{reviews} reviews",
        "stock_of": "In stock: {stock}", "taken_of": "In cart: {taken}",
        "price_of": "Price:", "brand_of": "Made by {brand}", "more": "More information",
        "times": "Quantity: {quantity}", "sum_of": "Sum:",
        "on": "Date:", "ordered": "Ordered on", "status_of": "Status: {status}",
        "sent_to": "Shipped to: {address} by {shipping}", "subtotal_of": "Subtotal:",
        "postage_of": "Shipping:", "total_of": "Grand total:", "pieces_of": "Pieces: {pieces}",
        "prices": "Parcel shop $2.95, Standard $4.95, Express $12.95.",
        "stars_of": "{stars} of 5 stars", "by": "by {nickname}", "state_of": "({state})",
        "recipient_of": "{recipient}", "street_of": "{street}", "city_of": "{postcode} {city}",
        "reason_of": "Reason: {reason}", "about_of": "Order number: {order_number}",
        "amount_of": "Amount in dollars: {amount}", "categories_of": "Categories: {inside}",
        "products_of": "Products: {inside}", "subscribed_of": "News from {heading}",
        # headings
        "title_home": "All departments", "title_department": "{heading}",
        "title_category": "{heading}", "title_search": "Search", "title_product": "{title}",
        "title_variant": "{name}: {choice}", "title_reviews": "Reviews of {title}",
        "title_write_review": "Your review of {title}", "title_account": "My account",
        "title_orders": "My orders", "title_order": "Order {order_no}", "title_cart": "Cart",
        "title_checkout": "Checkout", "title_addresses": "Address book",
        "title_new_address": "Add an address", "title_address": "Edit address",
        "title_wishes": "Wish list", "title_my_reviews": "My reviews", "title_review": "{title}",
        "title_contact": "Contact us", "title_messages": "My messages",
        "title_message": "Message {message}", "title_newsletter": "Newsletters",
    },
    nav=tuple(map(Link, ("home", "search", "cart", "account", "newsletter", "contact"))),
    look="top",
    theme="ocean",
    sheet="/static/corner.css",
)  # fmt: skip
