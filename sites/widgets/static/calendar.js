// A date picker with the names of jQuery UI's, which agents' prompts know.
"use strict";
const calendar = (() => {
  const { make } = core;
  const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August",
    "September", "October", "November", "December"];
  const DAYS = ["Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"];

  /** MM/DD/YYYY. */
  const text = (date) => [date.getMonth() + 1, date.getDate(), date.getFullYear()]
    .map((part) => String(part).padStart(2, "0")).join("/");

  /** The table of a month; `pick(date)` is called with the day that was clicked. */
  const table = (task, month, { first, last }, pick) => {
    const cells = Array.from({ length: month.getDay() }, () => make("td"));
    const day = new Date(month);
    for (; day.getMonth() === month.getMonth(); day.setDate(day.getDate() + 1)) {
      const date = new Date(day), open = date >= first && date <= last;
      const link = make(open ? "a" : "span", open
        ? { href: "#", class: "ui-state-default" } : { class: "ui-state-disabled" }, date.getDate());
      if (open) {
        task.on(link, "click", (event) => {
          event.preventDefault();
          pick(date);
        });
      }
      cells.push(make("td", open ? { "data-handler": "selectDay", "data-month": date.getMonth(),
        "data-year": date.getFullYear() } : {}, link));
    }
    const rows = Array.from({ length: Math.ceil(cells.length / 7) },
      (_, n) => make("tr", {}, ...cells.slice(n * 7, n * 7 + 7)));
    return make("table", { class: "ui-datepicker-calendar" },
      make("thead", {}, make("tr", {}, ...DAYS.map((name) => make("th", { scope: "col" }, name)))),
      make("tbody", {}, ...rows));
  };

  /** Let a read-only field be filled from a calendar, which opens at the last month. */
  const attach = (task, field, range) => {
    const { first, last } = range;
    const box = make("div", { id: "ui-datepicker-div", class: "ui-datepicker of-the-page", hidden: true });
    document.body.append(box);
    let month = new Date(last.getFullYear(), last.getMonth(), 1);

    const turn = (label, step) => {
      const to = new Date(month.getFullYear(), month.getMonth() + step, 1);
      const end = new Date(to.getFullYear(), to.getMonth() + 1, 0);
      const open = end >= first && to <= last;
      const link = make("a", { class: `ui-datepicker-${label.toLowerCase()}`
        + (open ? "" : " ui-state-disabled"), title: label, role: "button", "aria-disabled": !open && "true" });
      task.on(link, "click", () => {
        if (!open) return;
        month = to;
        show();
      });
      return link;
    };
    const show = () => {
      const title = make("div", { class: "ui-datepicker-title" },
        make("span", { class: "ui-datepicker-month" }, MONTHS[month.getMonth()]), " ",
        make("span", { class: "ui-datepicker-year" }, month.getFullYear()));
      box.replaceChildren(make("div", { class: "ui-datepicker-header" }, turn("Prev", -1), turn("Next", 1), title),
        table(task, month, range, (date) => {
          field.value = text(date);
          box.hidden = true;
        }));
      const { left, bottom } = field.getBoundingClientRect();
      box.style.cssText = `left: ${Math.min(left, 4)}px; top: ${bottom + 1}px`;
      box.hidden = false;
    };
    for (const kind of ["focus", "click"]) task.on(field, kind, () => box.hidden && show());
    task.on(document, "mousedown", ({ target }) => {
      if (target !== field && !box.contains(target)) box.hidden = true;
    });
  };

  return Object.freeze({ attach, text, MONTHS });
})();
