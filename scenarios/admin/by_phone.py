"""Who has this phone number? Somebody else's number has two of its digits exchanged."""

from scenarios.kit import AnswerSchema, Draw, Family, Right
from sites.admin.texts import GROUPS
from sites.shop.texts import FIRST_NAMES

WORDINGS = (
    "Somebody called from {phone}. Give me the {facts} of this customer.",
    "Find the customer whose phone number is {phone}, and tell me the {facts}.",
    "I missed a call, and the display says {phone}. Which {facts} do we have for that number?",
    "Look up the {facts} of the customer with the phone number {phone}.",
)
FORMS = "555-{}", "555 {}", "(555) {}", "555{}"
FACTS = {
    "full name and email address": ("name", "email"),
    "full name and customer group": ("name", "customer_group"),
    "email address and customer group": ("email", "customer_group"),
}
ACCOUNTS = "SELECT * FROM customers JOIN accounts ON customer = name"


def draw(d: Draw) -> Right:
    """Draw a customer, and plant another one with nearly the same name and phone number."""
    accounts, facts = d.all(ACCOUNTS), d.some([*FACTS])
    customer = d.some(accounts)
    digits, phones = customer.phone[-4:], [each.phone[-4:] for each in accounts]
    exchanged = digits[:2] + digits[3] + digits[2]
    d.need(phones.count(digits) == 1 and exchanged not in phones)
    family = customer.name.split()[1]
    names = {f"{first} {family}" for first in FIRST_NAMES} - {each.name for each in accounts}
    d.need(names)
    name, group = d.some(sorted(names)), d.some([g for g in GROUPS if g != customer.customer_group])
    alike = {"name": name, "email": f"{name.lower().replace(' ', '.')}@mail.example"}
    d.plant("customers", **alike, phone=f"555-{exchanged}", joined=customer.joined)
    d.plant("accounts", customer=name, customer_group=group)
    own, others = (
        [row[column] for column in FACTS[facts]]
        for row in (customer, {**alike, "customer_group": group})
    )
    return Right(
        {"phone": d.some(FORMS).format(digits), "facts": facts},
        read=[d.page("customers", ", ".join(own), q=digits)],
        answer=", ".join(own),
        instead={
            "of the exchanged digits": ", ".join(others),
            "one fact alone": own[0],
            "the second fact of the other": ", ".join((own[0], others[1])),
        },
    )


LIST = AnswerSchema("list", "both facts")
FAMILY = Family(__file__, draw, WORDINGS, LIST, templates=("webarena:364",), size="medium")
