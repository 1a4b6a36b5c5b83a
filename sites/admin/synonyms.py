"""The words, addresses and questions from which drawn skins of the back office are made."""

from __future__ import annotations

from sites._kit.skins.synonyms import Choice, Synonyms


def _page(name: str, *options: str) -> Choice:
    """Return the label of the links to a page and the heading of the page, which are the same."""
    return Choice(f"{name} title_{name}", [f"{each}|{each}" for each in options])


NOUNS = (
    Choice("order orders", (
        "order|orders", "purchase|purchases", "web order|web orders", "shop order|shop orders")),
    Choice("product products", (
        "product|products", "article|articles", "item|items", "shop item|shop items")),
    Choice("variant variants", (
        "variant|variants", "version|versions", "model|models", "edition|editions")),
    Choice("review reviews", (
        "review|reviews", "opinion|opinions", "verdict|verdicts", "testimonial|testimonials")),
    Choice("customer customers", (
        "customer|customers", "buyer|buyers", "client|clients", "shopper|shoppers")),
    Choice("invoice invoices", (
        "invoice|invoices", "bill|bills", "receipt|receipts", "sales invoice|sales invoices")),
    Choice("report reports", (
        "report|reports", "statistic|statistics", "summary|summaries", "evaluation|evaluations")),
    Choice("rule rules", (
        "price rule|price rules", "discount|discounts", "price cut|price cuts",
        "special price|special prices")),
    Choice("text texts", (
        "content page|content pages", "text|texts", "info page|info pages",
        "text page|text pages")),
    Choice("theme themes", ("theme|themes", "look|looks", "design|designs", "style|styles")),
    Choice("term terms", (
        "search term|search terms", "search|searches", "query|queries",
        "search phrase|search phrases")),
    Choice("coupon coupons", (
        "coupon|coupons", "voucher|vouchers", "promo code|promo codes",
        "coupon code|coupon codes")),
)  # fmt: skip
SITE = (
    Choice("site footer", (
        "Cashbook|Cashbook. Prices are in dollars, days are in UTC.",
        "Backroom|Backroom, for those who run the shop. Prices in dollars, days in UTC.",
        "Till & Shelf|Till & Shelf · dollars · UTC",
        "Storekeeper|All days are in UTC, and all prices in dollars. Storekeeper.",
        "Brass Bell|Brass Bell keeps the shop running. Dollars and UTC everywhere.",
        "Stockroom|Stockroom · prices in dollars · days in UTC")),
    Choice("sorting", ("Sort by", "Arrange by", "Sorting", "Sorted by")),
    Choice("clear", ("Clear all", "Show everything", "Remove filters", "Reset filters")),
)  # fmt: skip
NAVIGATION = (
    _page("home", "Dashboard", "Today", "Start page", "Home"),
    _page("orders", "<Orders>", "All <orders>", "List of <orders>", "Manage <orders>"),
    _page("invoices", "<Invoices>", "All <invoices>", "List of <invoices>", "Sent <invoices>"),
    _page("products", "<Products>", "All <products>", "List of <products>", "Manage <products>"),
    _page("customers", "<Customers>", "All <customers>", "List of <customers>", "Our <customers>"),
    _page("reviews", "<Reviews>", "All <reviews>", "List of <reviews>", "Manage <reviews>"),
    _page("rules", "<Rules>", "All <rules>", "List of <rules>", "Manage <rules>"),
    _page("contents", "<Texts>", "All <texts>", "List of <texts>", "Manage <texts>"),
    _page("reports", "<Reports>", "All <reports>", "List of <reports>", "Choose <report>"),
    _page("terms", "<Terms>", "All <terms>", "List of <terms>", "<Terms> in the shop"),
    _page("themes", "<Themes>", "All <themes>", "List of <themes>", "<Themes> of the shop"),
    _page("top_terms", "Top <terms>", "Frequent <terms>", "Most used <terms>", "Leading <terms>"),
    _page("bestsellers", "Bestsellers", "Most sold", "Top sellers", "Sold most often"),
    Choice("to_shop", ("View the shop", "Visit the shop", "Open the shop", "See the shop")),
)
REPORTS = (
    _page("report_orders", "<Orders> <report>", "<Report>: <orders>", "<Orders> by time",
          "How many <orders>"),
    _page("report_tax", "Tax <report>", "<Report>: tax", "Tax by time", "How much tax"),
    _page("report_shipping", "Shipping <report>", "<Report>: shipping", "Shipping by time",
          "How much shipping"),
    _page("report_refunds", "Refunds <report>", "<Report>: refunds", "Refunds by time",
          "How much was refunded"),
    _page("report_coupons", "<Coupons> <report>", "<Report>: <coupons>", "<Coupons> by time",
          "How many <coupons>"),
    _page("report_views", "<Product> views <report>", "<Report>: views of <products>",
          "<Product> views by time", "How often <products> were viewed"),
    _page("report_bestsellers", "Bestsellers <report>", "<Report>: sold <products>",
          "Sold <products> by time", "How many <products> were sold"),
    _page("reviewed", "<Reviews> by <product>", "<Reviews> of each <product>",
          "<Products> with <reviews>", "Reviewed <products>"),
    Choice("since until period", (
        "From (YYYY-MM-DD)|To (YYYY-MM-DD)|Period",
        "First day (YYYY-MM-DD)|Last day (YYYY-MM-DD)|Summed by",
        "Start date (YYYY-MM-DD)|End date (YYYY-MM-DD)|Group by",
        "Since (YYYY-MM-DD)|Until (YYYY-MM-DD)|Interval")),
    Choice("note_orders note_tax note_shipping note_coupons note_bestsellers", (
        ("By <order> date. Canceled <orders> are left out."
        "|The tax that the totals contain, by <order> date and rate. Canceled <orders> are left"
        " out."
        "|By <order> date and shipping method. Canceled <orders> are left out."
        "|By <order> date and <coupon>. Canceled <orders> are left out."
        "|The pieces sold, by <order> date. Canceled <orders> are left out."),
        ("By the day of the <order>, without canceled <orders>."
        "|Tax in the totals, by the day of the <order> and the rate, without canceled <orders>."
        "|By the day of the <order> and the shipping method, without canceled <orders>."
        "|By the day of the <order> and the <coupon>, without canceled <orders>."
        "|Pieces, by the day of the <order>, without canceled <orders>."),
        ("Canceled <orders> do not count. Each <order> counts on its own day."
        "|Canceled <orders> do not count. The tax is part of the totals."
        "|Canceled <orders> do not count. Each shipping method has a row."
        "|Canceled <orders> do not count. Each <coupon> has a row."
        "|Canceled <orders> do not count. Each piece counts on the day of its <order>."))),
    Choice("note_refunds", (
        "By the date of the refund.", "By the day on which the money went back.",
        "Each refund counts on its own day.")),
    Choice("note_views", ("How often <customers> opened the pages of <products>.",
           "The times that <customers> looked at <products>.")),
    Choice("col_orders", ("<Orders>", "Number of <orders>", "Count of <orders>")),
    Choice("col_pieces", ("Pieces", "Units", "Number of pieces", "Pieces sold")),
    Choice("col_sold", ("Sold", "Pieces sold", "Units sold", "Number sold")),
    Choice("col_span", ("Interval", "Period", "Time", "Span of time")),
    Choice("col_tax col_rate", (
        "Tax|Tax rate in %", "Tax contained|Rate in %", "Amount of tax|Percent", "Tax paid|Rate (%)"
    )),
    Choice("col_refunds col_refunded", (
        "Refunds|Refunded", "Number of refunds|Paid back", "Times refunded|Given back",
        "Count of refunds|Sum of refunds")),
    Choice("col_code coupon_of", (
        "<Coupon>|<Coupon>: {code}.", "Name of <coupon>|With <coupon>: {code}.",
        "Which <coupon>|<Coupon> used: {code}.")),
    Choice("col_views", ("Views", "Times viewed", "Page views", "Looked at")),
)  # fmt: skip
LISTS = (
    Choice("sort_new sort_old", (
        "Newest first|Oldest first", "Latest|Earliest", "Most recent|Least recent",
        "New to old|Old to new")),
    Choice("sort_number col_number", (
        "ID|ID", "Number|Number", "By number|No.", "Lowest number|Number")),
    Choice("sort_name sort_name_desc", (
        "Name|Name, Z to A", "A to Z|Z to A", "By name|By name, backwards",
        "Alphabetical|Alphabetical, backwards")),
    Choice("col_title", ("Name", "Title", "Name or title", "Full name")),
    Choice("sort_price sort_price_desc", (
        "Lowest price|Highest price", "Cheapest|Dearest",
        "Price, low to high|Price, high to low", "Cheapest first|Dearest first")),
    Choice("price price_of col_price", (
        "Price|Price: ${amount}.|Price", "Price in dollars|Price: ${amount}.|Price in dollars",
        "Price ($)|Price: ${amount}.|Price ($)",
        "Selling price|Selling price: ${amount}.|Selling price")),
    Choice("quantity stock_of col_stock sort_stock save_simple col_stock_of shop_stock_of", (
        "Stock|Stock: {stock}.|Stock|Lowest stock|Save price and stock|Stock|In stock: {stock}",
        ("Pieces in stock|In stock: {stock}.|In stock|Fewest in stock|Store price and pieces"
        "|In stock|In stock: {stock}"),
        ("Pieces left|Pieces left: {stock}.|Pieces left|Fewest left|Set price and pieces"
        "|Pieces left|Pieces left: {stock}"),
        ("Stock level|Stock level: {stock}.|Stock level|Low stock first|Update price and stock"
        "|Stock level|Stock level: {stock}"))),
    Choice("sku col_sku sku_of sku_of_variant sort_sku", (
        "SKU|SKU|SKU: {product}.|SKU: {variant}.|By SKU",
        "<Product> code|Code|<Product> code: {product}.|Code: {variant}.|By code",
        "Stock code|Stock code|Stock code: {product}.|Stock code: {variant}.|By stock code",
        "Part number|Part no.|Part number: {product}.|Part number: {variant}.|By part number")),
    Choice("sort_most col_reviews", (
        "Most <reviews>|<Reviews>", "By number of <reviews>|Number of <reviews>",
        "Most reviewed|<Reviews> so far", "Most <reviews> first|<Reviews> in all")),
    Choice("sort_best sort_worst", (
        "Best rating|Worst rating", "Most stars|Fewest stars", "Best liked|Least liked",
        "Highest rated|Lowest rated")),
    Choice("sort_uses uses_of col_uses", (
        "Uses|Uses: {uses}.|Uses", "Most frequent|Times used: {uses}.|Times used",
        "By use|Used: {uses}.|Used", "Used most|Number of uses: {uses}.|Number of uses")),
    Choice("sort_results results_of col_results", (
        "Results|Results: {results}.|Results", "Most hits|Hits: {results}.|Hits",
        "Most matches|Matches: {results}.|Matches",
        "By results|<Products> found: {results}.|<Products> found")),
    Choice("sort_position", ("Position", "As arranged", "Recommended", "Our choice")),
    Choice("month", ("Month (UTC)", "Month in UTC", "In month (UTC)", "UTC month")),
    Choice("status status_of col_status state state_of col_state", (
        "Status|Status: {status}.|Status|Status|Status: {state}.|Status",
        "State|State: {status}.|State|State|State: {state}.|State",
        ("Current status|Currently {status}.|Current status|Current status|Currently {state}."
        "|Current status"),
        "Condition|Condition: {status}.|Condition|Condition|Condition: {state}.|Condition")),
    Choice("col_at", ("Date", "Day", "When", "UTC day")),
    Choice("col_buttons", ("Actions", "Change", "Possible actions", "Buttons")),
)  # fmt: skip
ORDERS = (
    Choice("order title_order", (
        "#{order_no}|<Order> #{order_no}", "<Order> {order_no}|<Order> {order_no}",
        "No. {order_no}|<Order> no. {order_no}", "Open {order_no}|<Order> {order_no}")),
    Choice("customer_of col_customer", (
        "<Customer>: {customer}.|<Customer>", "Name of <customer>: {customer}.|Name of <customer>",
        "Ordered by: {customer}.|Ordered by")),
    Choice("line_of", ("{name} ({choice})", "{name} / {choice}", "{name}, {choice}",
           "{name}: {choice}")),
    Choice("col_item col_of_product", ("<Product>|<Product>", "Name of <product>|Of <product>",
           "Which <product>|About <product>")),
    Choice("col_quantity col_sum", ("Qty|Row total", "Pieces|Together", "Quantity|Sum",
           "How many|Amount")),
    Choice("cancel", ("Cancel <order>", "Call off <order>", "Stop <order>", "Annul <order>")),
    Choice("ship carrier tracking about_shipments shipments_of", (
        "Submit shipment|Carrier|Tracking number|Shipping and tracking|Shipments:",
        "Send parcel|Sent with|Parcel number|Parcels|Parcels:",
        "Dispatch parcel|Delivered by|Tracking code|Dispatch|Dispatched:",
        "Ship <order>|Transport by|Number of the parcel|Shipping|Parcels so far:")),
    Choice("comment notified add_comment comments_of about_comments", (
        ("Comment|Notify <customer> by e-mail|Submit comment|Comments:"
        "|Comments on this <order>"),
        "Note|Send the note to the <customer>|Add note|Notes:|Notes on this <order>",
        "Remark|Let the <customer> know|Post remark|Remarks:|Remarks on this <order>",
        "Memo|Mail the memo to the <customer>|Keep memo|Memos:|Memos about this <order>")),
    Choice("shipping_address title_shipping_address save_shipping sent_to_of"
           " billing_address title_billing_address save_billing billed_to_of", (
        ("Edit shipping address|Shipping address of <order> {order_no}|Save shipping address"
        "|Shipping address:"
        "|Edit billing address|Billing address of <order> {order_no}|Save billing address"
        "|Billing address:"),
        ("Change delivery address|Delivery address of <order> {order_no}|Store delivery address"
        "|Delivery address:"
        "|Change payment address|Payment address of <order> {order_no}|Store payment address"
        "|Payment address:"),
        ("Change address of parcel|Address of the parcel of <order> {order_no}"
        "|Save address of parcel|The parcel goes to:"
        "|Change address of <invoice>|Address of the <invoice> of <order> {order_no}"
        "|Save address of <invoice>|The <invoice> goes to:"),
        ("Correct ship-to address|Ship-to address of <order> {order_no}|Set ship-to address"
        "|Ship to:"
        "|Correct bill-to address|Bill-to address of <order> {order_no}|Set bill-to address"
        "|Bill to:"))),
    Choice("recipient street city postcode", (
        "Name|Street address|City|Zip/postal code", "Recipient|Street|Town|Postcode",
        "Addressee|Road and number|Place|Postal code",
        "Full name|Street and number|City or town|ZIP code")),
    Choice("ordered", ("<Order> date:", "Bought on", "Placed on", "Date of <order>:")),
    Choice("shipping_of col_shipping", (
        "Shipping method: {shipping}.|Shipping method", "Delivery: {shipping}.|Delivery",
        "Sent as: {shipping}.|Sent as", "Way of shipping: {shipping}.|Way of shipping")),
    Choice("postage_of col_postage", (
        "Shipping:|Shipping paid", "Postage:|Postage", "Delivery costs:|Delivery costs",
        "Cost of shipping:|Cost of shipping")),
    Choice("subtotal_of discount_of col_discount", (
        "Subtotal:|Discount:|Discount", "<Products>:|Off:|Off", "Goods:|Saved:|Saved",
        "Before shipping:|Reduction:|Reduction")),
    Choice("sort_total total_of col_total about_totals", (
        "Highest total|Grand total:|Grand total|<Order> totals",
        "Largest sum|Sum:|Sum|The sum of this <order>",
        "Biggest amount|Amount to pay:|Amount to pay|Payment of this <order>",
        "By total, falling|Total:|Total|Prices and total")),
    Choice("tax_of", ("Tax contained ({rate} %):", "Tax in it ({rate} %):",
           "Including tax at {rate} %:", "Tax share ({rate} %):")),
    Choice("about_account", ("<Order> and <customer>", "About this <order>",
           "Information on this <order>", "<Order> and addresses")),
    Choice("invoice title_invoice", (
        "<Invoice> {invoice}|<Invoice> {invoice} of <order> {order_no}",
        "<Invoice> no. {invoice}|<Invoice> no. {invoice} of <order> {order_no}",
        "<Invoice> #{invoice}|<Invoice> #{invoice} of <order> {order_no}",
        "Show <invoice> {invoice}|<Invoice> {invoice} for <order> {order_no}")),
    Choice("invoiced", ("<Invoice> date:", "Written on", "Issued on", "Date of <invoice>:")),
    Choice("col_of_order", ("<Order>", "For <order>", "Of <order>")),
)  # fmt: skip
PRODUCTS = (
    Choice("new_product title_new_product add_product name_label", (
        "Add <product>|New <product>|Save new <product>|<Product> name",
        "New <product>|New <product>|Create <product>|Name of <product>",
        "Enter <product>|Enter <product>|Put <product> on the shelf|Name",
        "Set up <product>|Set up <product>|Store new <product>|Full name")),
    Choice("about save_product", (
        "Description|Save <product>", "About|Store <product>", "Details|Update <product>",
        "In words|Keep <product>")),
    Choice("brand brand_of col_brand shop_brand_of", (
        "Brand|Brand: {brand}.|Brand|Made by {brand}",
        "Maker|Maker: {brand}.|Maker|Maker: {brand}",
        "Manufacturer|Manufacturer: {brand}.|Manufacturer|Manufactured by {brand}",
        "Made by|Made by {brand}.|Made by|Brand: {brand}")),
    Choice("category category_of", (
        "Category|Category: {category}.", "Kind of <product>|Kind of <product>: {category}.",
        "Type|Type: {category}.", "Listed under|Listed under: {category}.")),
    Choice("colour size", (
        "Colour|Size", "Color|Size or volume", "Shade|Dimensions", "In which colour|In which size"
    )),
    Choice("enable disable", (
        "Enable <product>|Disable <product>", "Offer <product>|Withdraw <product>",
        "Activate <product>|Deactivate <product>", "Turn <product> on|Turn <product> off")),
    Choice("mark_on_sale end_sale sale sale_of", (
        "Mark as on sale|Take off sale|On sale|On sale: {sale}.",
        "Put on offer|End offer|On offer|On offer: {sale}.",
        "Make special offer|End special offer|Special offer|Special offer: {sale}.",
        "Label as bargain|Remove bargain label|Bargain|Bargain: {sale}.")),
    Choice("in_shop", ("View in shop", "Show in shop", "As <customers> see it",
           "Its page in the shop")),
    Choice("variants title_variants siblings variants_of", (
        "<Variants>|<Variants> of {title}|All <variants>|<Variants>: {variants}.",
        "See <variants>|<Variants> of {title}|Every <variant>|Number of <variants>: {variants}.",
        ("Manage <variants>|{title}: <variants>|Other <variants>"
        "|<Variants> so far: {variants}."),
        "Its <variants>|All <variants> of {title}|List of <variants>|<Variants>: {variants}.")),
    Choice("title_variant", ("{name}: {title}", "{name} / {title}", "{title}, <variant> of {name}",
           "<Variant> {title} of {name}")),
    Choice("save_variant", ("Save <variant>", "Store <variant>", "Update <variant>",
           "Keep <variant>")),
    Choice("new_option title_new_option add_option option choices_of col_choice", (
        "Add an option|New option of {title}|Create option|Option|Options: {choices}.|Option",
        ("New colour or size|New colour or size of {title}|Add colour or size|Colour or size"
        "|Colours and sizes: {choices}.|Colour and size"),
        ("Add choice|New choice of {title}|Store choice|Which choice|Choices: {choices}."
        "|Choice"),
        ("New property|New property of {title}|Save property|Property|Properties: {choices}."
        "|Property"))),
    Choice("value", ("Value", "New value", "Value to set", "Enter value")),
    Choice("pick save_variants decide_all", (
        "Choose {row_name}|Update chosen <variants>|Submit for chosen <reviews>",
        "Select {row_name}|Change selected <variants>|Do it to selected <reviews>",
        "Mark {row_name}|Set for marked <variants>|Decide on marked <reviews>",
        "Tick {row_name}|Save for ticked <variants>|Act on ticked <reviews>")),
)  # fmt: skip
REVIEWS = (
    Choice("review title_review", (
        "{title} (no. {review})|{title} (no. {review})", "{title} / {review}|{title} / {review}",
        "{title} [{review}]|{title} [{review}]", "{title}, no. {review}|{title}, no. {review}")),
    _page("reviews_of", "<Reviews> of {title}", "<Reviews> on {title}", "{title}: <reviews>",
          "<Reviews> about {title}"),
    Choice("approve refuse", (
        "Approve|Do not approve", "Accept|Reject", "Publish|Keep back", "Allow|Refuse")),
    Choice("delete", ("Delete <review>", "Remove <review>", "Throw <review> away",
           "Erase <review>")),
    Choice("decision", ("Action", "Decision", "Next step", "Do with them")),
    Choice("stars stars_of col_stars col_rating", (
        "Stars|Rating: {stars} of 5 stars.|Stars|Average",
        "Rating|Rated {stars} of 5.|Rating|Average rating",
        "Points|Points: {stars} of 5.|Points|Average points",
        "Score|Score: {stars} of 5.|Score|Mean score")),
    Choice("by col_nickname", (
        "Nickname: {nickname}.|Nickname", "Signed: {nickname}.|Signed", "By {nickname}.|By",
        "Written by {nickname}.|Written by")),
    Choice("on", ("Date:", "Day:", "Sent on", "Posted on")),
    Choice("col_summary", ("Title", "Headline", "Subject", "In short")),
    Choice("col_body", ("<Review>", "Text of <review>", "Words", "Wording")),
)  # fmt: skip
CUSTOMERS = (
    Choice("email email_of col_email", (
        "Email|Email: {email}.|Email", "E-mail address|E-mail address: {email}.|E-mail address",
        "Mail address|Mail address: {email}.|Mail", "E-mail|E-mail: {email}.|E-mail")),
    Choice("phone phone_of col_phone", (
        "Phone|Phone: {phone}.|Phone", "Telephone|Telephone: {phone}.|Telephone",
        "Phone number|Phone number: {phone}.|Phone number",
        "Telephone number|Telephone number: {phone}.|Telephone")),
    Choice("customer_group group_of col_customer_group", (
        "<Customer> group|<Customer> group: {customer_group}.|Group",
        "Circle of <customers>|Circle of <customers>: {customer_group}.|Circle",
        "Class of <customers>|Class of <customers>: {customer_group}.|Class",
        "Group of <customers>|Group of <customers>: {customer_group}.|Group of <customers>")),
    Choice("save_customer", ("Save <customer>", "Store <customer>", "Update <customer>",
           "Keep <customer>")),
    Choice("joined", ("<Customer> since:", "Joined:", "Registered on", "Account since:")),
)  # fmt: skip
CONTENT = (
    Choice("title_term", ("<Term> “{title}”", "<Term>: {title}", "“{title}”")),
    Choice("new_rule title_new_rule add_rule rule_name title_rule", (
        "Add <rule>|New <rule>|Save <rule>|<Rule> name|<Rule> {name}",
        "New <rule>|New <rule>|Create <rule>|Name of <rule>|<Rule>: {name}",
        "Start <rule>|Start <rule>|Put <rule> into force|Name|<Rule> “{name}”",
        "Set up <rule>|Set up <rule>|Store <rule>|Title|{name}")),
    Choice("kind", ("Apply as", "Counted in", "Percent or amount", "Kind of <rule>")),
    Choice("off_of col_off", (
        "Discount: {off}.|Discount", "Reduction: {off}.|Reduction", "Off: {off}.|Off",
        "Amount off: {off}.|Amount off")),
    Choice("title body save_content", (
        "<Text> title|Content|Save <text>", "Title|Body|Store <text>",
        "Heading|Wording|Update <text>", "Headline|Main part|Keep <text>")),
    Choice("path_of col_path", (
        "URL key: {path}.|URL key", "Address: {path}.|Address", "Path: {path}.|Path",
        "Name in the address: {path}.|Name in the address")),
    Choice("theme title_theme", (
        "Preview {theme}|<Theme> {theme}", "Look at {theme}|<Theme>: {theme}",
        "Show {theme}|The <theme> {theme}", "See {theme}|{theme}")),
    Choice("apply_theme applied_of col_applied", (
        "Apply <theme>|Applied: {applied}.|Applied", "Use this <theme>|In use: {applied}.|In use",
        "Choose this <theme>|Chosen: {applied}.|Chosen",
        "Activate <theme>|Active: {applied}.|Active")),
)  # fmt: skip
STOREFRONT = (
    Choice("title_shop_home title_shop_department title_shop_category title_shop_product"
           " title_shop_reviews", (
        ("Shop: all departments|Shop: {heading}|Shop: {heading}|Shop: {title}"
        "|Shop: <reviews> of {title}"),
        ("The shop|The shop: {heading}|The shop: {heading}|The shop: {title}"
        "|The shop: <reviews> of {title}"),
        ("In the shop|{heading} in the shop|{heading} in the shop|{title} in the shop"
        "|<Reviews> of {title} in the shop"),
        ("Storefront|Storefront: {heading}|Storefront: {heading}|Storefront: {title}"
        "|Storefront: <reviews> of {title}"))),
    Choice("shop_home", ("Departments", "All departments", "Every department",
           "List of departments")),
    Choice("shop_up", ("Back to the department", "Up to the department", "Its department",
           "One level up")),
    Choice("shop_reviews", ("<Reviews> ({reviews})", "<Reviews>: {reviews}",
           "All <reviews> ({reviews})", "Read <reviews> ({reviews})")),
    Choice("shop_rating_of shop_reviews_of col_rating_of", (
        "Rated {rating} of 5,|{reviews} <reviews>|Rating",
        "Average rating: {rating} of 5,|<reviews>: {reviews}|Average rating",
        "{rating} of 5 on average,|{reviews} <reviews> so far|On average")),
    Choice("shop_categories_of col_categories_of", (
        "Categories: {inside}|Categories", "{inside} categories|Number of categories",
        "Categories inside: {inside}|Categories inside")),
    Choice("shop_products_of col_products_of", (
        "<Products>: {inside}|<Products>", "{inside} <products>|Number of <products>",
        "<Products> inside: {inside}|<Products> inside")),
    Choice("shop_stars_of col_stars_of shop_by shop_on col_date", (
        "{stars} of 5 stars|Stars|by {nickname}|Date:|Date",
        "Rated {stars} of 5|Rating|from {nickname}|Written on|Day",
        "Stars: {stars} of 5|Stars|signed: {nickname}|On|When",
        "{stars} of 5 points|Points|written by {nickname}|Posted on|Posted on")),
)  # fmt: skip
PATHS = {
    "admin": ("admin", "back office", "desk", "manage"),
    "dashboard": ("dashboard", "today", "start", "at a glance"),
    "terms": ("terms", "top <terms>", "frequent <terms>"),
    "bestsellers": ("bestsellers", "top sellers", "most sold"),
    "sales": ("sales", "selling", "sold", "till"),
    "orders": ("<orders>", "all <orders>", "list of <orders>"),
    "shipping-address": ("shipping address", "delivery address", "ship to"),
    "billing-address": ("billing address", "payment address", "bill to"),
    "invoices": ("<invoices>", "all <invoices>", "list of <invoices>"),
    "catalog": ("catalog", "range", "goods", "assortment"),
    "products": ("<products>", "all <products>", "list of <products>"),
    "new-product": ("new <product>", "add <product>", "create <product>"),
    "variants": ("<variants>", "all <variants>", "list of <variants>"),
    "new-option": ("new option", "add option", "new choice"),
    "customers": ("<customers>", "all <customers>", "list of <customers>"),
    "reviews": ("<reviews>", "all <reviews>", "list of <reviews>"),
    "reports": ("<reports>", "all <reports>", "figures"),
    "tax": ("tax", "taxes", "tax by time"),
    "shipping": ("shipping", "delivery", "postage"),
    "refunds": ("refunds", "refunded", "paid back"),
    "coupons": ("<coupons>", "used <coupons>", "<coupons> by time"),
    "views": ("views", "viewed", "looked at"),
    "search-terms": ("<terms>", "all <terms>", "list of <terms>"),
    "rules": ("<rules>", "all <rules>", "list of <rules>"),
    "new-rule": ("new <rule>", "add <rule>", "create <rule>"),
    "content": ("<texts>", "all <texts>", "list of <texts>"),
    "themes": ("<themes>", "all <themes>", "list of <themes>"),
    "shop": ("shop", "store", "storefront", "shop front"),
    "department": ("department", "section", "hall"),
    "category": ("category", "kind", "group"),
    "product": ("<product>", "one <product>", "show <product>"),
}
TASKS = {
    "cancel": "call off an order that was not shipped yet",
    "ship": "say that an order was sent, after you have written the number of its parcel",
    "add_comment": "send off a comment on an order, after you have written it",
    "save_shipping": "store the changed address to which the parcel of an order goes",
    "save_billing": "store the changed address to which the invoice of an order goes",
    "save_product": "store the changed description of a product",
    "save_simple": "store the changed price and stock of a product, on the page of the product",
    "save_variant": "store the changed price and stock of one variant, on the page of the variant",
    "add_product": "send off a new product, after you have filled its fields",
    "add_option": "send off a new colour or size of a product, after you have written it",
    "enable": "have the shop offer a product that customers cannot see at present",
    "disable": "have the shop offer a product no longer",
    "mark_on_sale": "say that a product is on sale",
    "end_sale": "say that a product is on sale no longer",
    "approve": "let customers see a review",
    "refuse": "say that customers must not see a review, which stays in the list",
    "delete": "take a review out of the list for good",
    "decide_all": "decide at once about all reviews that you have ticked in the list",
    "save_variants": "store one price or stock for all variants that you have ticked in the list",
    "save_customer": "store the changed e-mail address of a customer",
    "add_rule": "send off a new price rule, after you have filled its fields",
    "save_content": "store the changed text of a content page",
    "apply_theme": "give the shop another theme, from the page of the theme",
    "orders": "get to the list of all orders",
    "invoices": "get to the list of all invoices",
    "products": "get to the list of all products",
    "customers": "get to the list of all customers",
    "reviews": "get to the list of all reviews",
    "rules": "get to the price rules",
    "contents": "get to the texts of the shop, such as the one about the delivery times",
    "reports": "get to the list of the reports",
    "terms": "get to the list of all search terms",
    "themes": "get to the list of the themes that the shop can have",
    "top_terms": "see the five terms that customers searched for most often",
    "bestsellers": "see the five products that were sold most often, without choosing any days",
    "new_product": "get to the fields of a new product",
    "new_option": "get to the fields of a new colour or size of a product",
    "new_rule": "get to the fields of a new price rule",
    "variants": "see the variants of the product whose page is open",
    "in_shop": "see a product as customers see it",
    "reviewed": "see how many reviews each product has",
    "shipping_address": "get to the fields for changing where the parcel of an order goes",
    "billing_address": "get to the fields for changing where the invoice of an order goes",
    "report_orders": "see how many orders there were in each month",
    "report_tax": "see the tax of each month",
    "report_shipping": "see how much customers paid for shipping in each month",
    "report_refunds": "see how much money went back in each month",
    "report_coupons": "see how often each coupon was used in each month",
    "report_views": "see how often customers opened the page of each product",
    "report_bestsellers": "see how many pieces of each product were sold in each month",
}
SYNONYMS = Synonyms(
    NOUNS,
    (
        *(*SITE, *NAVIGATION, *REPORTS, *LISTS, *ORDERS, *PRODUCTS, *REVIEWS, *CUSTOMERS),
        *(*CONTENT, *STOREFRONT),
    ),
    PATHS,
    TASKS,
)
