"""The frame of the task pages: once for all of them, and around every kind of file."""

from __future__ import annotations

from sites.widgets import PIXELS, VARIANTS, frame, load_data, variants_of

TITLE, STYLE = "<title>One</title>", "<style>\n#sum { width: 60px; }\n</style>\n"
SCRIPTS = '<script src="/static/pixels.js"></script>\n<script>\ncore.page(ask);\n</script>\n'
WHOLE = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
{TITLE}
<link rel="stylesheet" href="/static/core.css">
{STYLE}</head>
<body>
<div id="wrap">This page could not load its scripts. Load it again.</div>
<script src="/static/core.js"></script>
{SCRIPTS}</body>
</html>
"""


def test_a_page_is_its_file_in_the_frame(tmp_path):
    (tmp_path / "sum.html").write_text(f"{TITLE}\n{STYLE}{SCRIPTS}", "utf-8")
    (tmp_path / "plain.html").write_text(f"{TITLE}\n{SCRIPTS}", "utf-8")
    assert frame.page("sum", tmp_path) == WHOLE
    assert frame.page("plain", tmp_path) == WHOLE.replace(STYLE, "")
    assert frame.names(tmp_path) == ["plain", "sum"]


def test_a_page_without_delay_may_hold_a_title_alone(tmp_path):
    (tmp_path / "sum.html").write_text(f"{TITLE}\n{STYLE}{SCRIPTS}", "utf-8")
    (tmp_path / "sum-nodelay.html").write_text("<title>Two</title>\n", "utf-8")
    assert frame.page("sum-nodelay", tmp_path) == WHOLE.replace("One", "Two")
    (tmp_path / "sum-nodelay.html").write_text(f"<title>Two</title>\n{SCRIPTS}", "utf-8")
    assert frame.page("sum-nodelay", tmp_path) == WHOLE.replace("One", "Two").replace(STYLE, "")


def test_no_page_is_a_title_alone_once_it_is_served():
    pages = load_data().pages
    assert all(page.scripts for page in pages.values())
    assert pages["click-pie-nodelay"].html != pages["click-pie"].html
    assert pages["click-pie-nodelay"].scripts == pages["click-pie"].scripts
    assert variants_of("click-pie-nodelay") == variants_of("click-pie") == (*VARIANTS, PIXELS)
