"""The cheapest offer that meets all conditions: each of them decides."""

from __future__ import annotations

from scenarios import registry


def test_without_any_one_condition_another_offer_is_right():
    family, data = registry.family("cheapest_fit"), registry.site_data("crm")
    for seed in (0, 1, 153):
        gold = family.generate(seed, data).gold
        right = [gold["order"]["search"]["departure"], gold["order"]["offers"]["outward"]]
        broken = {label for label in gold["rivals"] if label.startswith("breaks ")}
        assert broken == {f"breaks {each['kind']}" for each in gold["conditions"]}
        assert right not in gold["rivals"].values()


def test_the_page_of_an_offer_is_counted_in_the_order_of_the_list():
    """Two offers leave at the same time on the border of two pages; the list shows them by id."""
    gold = registry.family("cheapest_fit").generate(35, registry.site_data("crm")).gold
    assert gold["order"]["offers"]["outward"] == "RW7186.TW2286/classic"
    assert gold["offers"]["outward"]["page"] == 1
