// Links that turn the pages of what is longer than one, with the names of Bootstrap's.
"use strict";
const paging = (() => {
  const { make } = core;

  /** A link to a page; none where it leads nowhere. */
  const link = (task, text, name, to, { page, count, turn }) => {
    const leads = to >= 0 && to < count && to !== page;
    const made = make("a", { href: "#", class: "page-link", "aria-label": name,
      "aria-disabled": leads ? false : "true", "aria-current": to === page && "page" }, text);
    task.on(made, "click", (event) => {
      event.preventDefault();
      if (leads) turn(to);
    });
    return make("li", { class: `page-item${to === page ? " active" : ""}` }, made);
  };

  /** A place that the originals have at either end, and do not show. */
  const end = (kind) => make("li", { class: `page-item ${kind}`, hidden: true }, make("a", {}, kind));

  /** Fill the list with links to the page before and after and to each of `count` pages, with
   * `single` to the open one only. `show(page)` shows one. Returns a function that turns to a page. */
  const attach = (task, list, count, show, { single = false } = {}) => {
    const turn = (page) => {
      show(page);
      const numbered = single ? [page] : [...Array(count).keys()], now = { page, count, turn };
      list.replaceChildren(end("first"), link(task, "<", "Previous page", page - 1, now),
        ...numbered.map((n) => link(task, n + 1, `Page ${n + 1}`, n, now)),
        link(task, ">", "Next page", page + 1, now), end("last"));
      task.area.scrollTop = 0;
    };
    return turn;
  };

  return Object.freeze({ attach });
})();
