// Sections that open one at a time, with the names of jQuery UI's accordion.
"use strict";
const accordion = (() => {
  const { make } = core;

  /** Show [label, content] pairs, all closed. A click on a header opens its section and closes the
   * others, or closes it. Returns a function that says which section is open, -1 for none. */
  const show = (task, pairs) => {
    let open = -1;
    const headers = pairs.map(([label], n) => make("h3", { id: `ui-id-${2 * n + 1}`,
      class: "ui-accordion-header", role: "tab", tabindex: 0, "aria-controls": `ui-id-${2 * n + 2}` }, label));
    const panels = pairs.map(([, content], n) => make("div", { id: `ui-id-${2 * n + 2}`,
      class: "ui-accordion-content", role: "tabpanel", "aria-labelledby": `ui-id-${2 * n + 1}` }, content));
    const turn = (to) => {
      open = to;
      headers.forEach((header, n) => {
        header.classList.toggle("ui-accordion-header-active", n === to);
        for (const state of ["aria-expanded", "aria-selected"]) header.setAttribute(state, n === to);
        panels[n].hidden = n !== to;
      });
    };
    headers.forEach((header, n) => {
      const toggle = () => turn(open === n ? -1 : n);
      task.on(header, "click", toggle);
      task.on(header, "keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        toggle();
      });
    });
    turn(-1);
    task.area.append(make("div", { class: "ui-accordion", role: "tablist" },
      ...headers.flatMap((header, n) => [header, panels[n]])));
    return () => open;
  };

  return Object.freeze({ show });
})();
