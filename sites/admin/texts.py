"""Words and sentences from which the rows of the back office are drawn."""

CLERKS = ("Anton", "Beate", "Cosmo", "Delia", "Emil", "Frida", "Gustav", "Helga")
GROUPS = ("General", "Wholesale", "Retailer", "Staff")
"""The groups of customers."""
CARRIERS = ("Postway", "Northfreight", "Quickvan", "Parcelline")
TAX_RATES = (5, 7, 8)
"""The tax in per cent, which prices contain."""
COUPONS = {"WELCOME10": 10, "SPRING5": 5, "FRIENDS15": 15, "THANKS20": 20}
"""The codes of coupons, with their discount in per cent."""
COMMENTS = (
    "The customer asked for a delivery in the afternoon.",
    "The address was checked by telephone.",
    "The parcel was packed twice, since the first box was torn.",
    "The customer wants a printed invoice.",
    "A neighbour may take the parcel.",
)
CONTENTS = (
    ("home", "Home Page", "Welcome to our shop.\nNew goods arrive each week."),
    ("about-us", "About us", "We have sold useful things since 1998."),
    ("customer-service", "Customer Service", "Write to us at any time. We answer in two days."),
    ("privacy-policy", "Privacy Policy", "We keep your address to send parcels, for nothing else."),
    ("enable-cookies", "Enable Cookies", "The cart needs cookies. Your browser can allow them."),
    ("not-found", "404 Not Found", "This page does not exist. Try the search."),
    ("returns", "Returns", "You can send goods back within 30 days."),
    ("delivery", "Delivery Times", "Most parcels arrive within four days."),
)
"""The address, the title and the text of each content page."""
THEMES = (
    ("Blank", "A white page with black letters and no pictures."),
    ("Luma", "Light grey, with large pictures and round corners."),
    ("Harvest", "Warm colours and letters with serifs."),
    ("Nightfall", "White letters on a dark page."),
    ("Paper", "A narrow column, as in a printed catalogue."),
)
RULES = (
    ("Spring sale", "percent", 10, "General"),
    ("Wholesale prices", "percent", 20, "Wholesale"),
    ("Five dollars off", "amount", 500, "General"),
    ("Staff discount", "percent", 25, "Staff"),
)
"""The name, the kind, the value and the customer group of each price rule."""
