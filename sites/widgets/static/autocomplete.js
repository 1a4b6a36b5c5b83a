// Suggestions below a text field, with the names of jQuery UI's.
"use strict";
const autocomplete = (() => {
  const { make } = core;

  /** Suggest the items that hold what is typed; a click or Enter takes one. */
  const attach = (task, field, items) => {
    const number = document.querySelectorAll(".ui-autocomplete").length + 1;
    const list = make("ul", { id: `ui-id-${number}`, class: "ui-autocomplete ui-menu of-the-page",
      role: "listbox", "aria-label": "Suggestions", hidden: true });
    document.body.append(list);
    field.classList.add("ui-autocomplete-input");
    field.setAttribute("autocomplete", "off");
    let shown = [], active = -1;

    const take = (item) => {
      field.value = item;
      list.hidden = true;
    };
    const mark = (at) => {
      active = at;
      shown.forEach(([, row], n) => {
        row.firstChild.classList.toggle("ui-state-active", n === at);
        row.setAttribute("aria-selected", String(n === at));
      });
      shown[at]?.[1].scrollIntoView({ block: "nearest" });
    };
    const suggest = () => {
      const typed = field.value.toLowerCase();
      const fits = typed ? items.filter((item) => item.toLowerCase().includes(typed)) : [];
      shown = fits.map((item) => {
        const row = make("li", { class: "ui-menu-item", role: "option" },
          make("div", { class: "ui-menu-item-wrapper" }, item));
        task.on(row, "mousedown", (event) => event.preventDefault());
        task.on(row, "click", () => take(item));
        return [item, row];
      });
      list.replaceChildren(...shown.map(([, row]) => row));
      list.hidden = !shown.length;
      const { left, bottom, width } = field.getBoundingClientRect();
      list.style.cssText = `left: ${left}px; top: ${bottom + 1}px; width: ${width}px`;
      mark(-1);
    };
    task.on(field, "input", suggest);
    task.on(field, "keydown", ({ key }) => {
      if (list.hidden) return;
      if (key === "ArrowDown") mark((active + 1) % shown.length);
      if (key === "ArrowUp") mark((active + shown.length - (active < 0 ? 0 : 1)) % shown.length);
      if (key === "Enter" && active >= 0) take(shown[active][0]);
      if (key === "Escape") list.hidden = true;
    });
    task.on(field, "blur", () => {
      list.hidden = true;
    });
  };

  return Object.freeze({ attach });
})();
