// Tabs that fill the area, with the names of jQuery UI's.
"use strict";
const tabs = (() => {
  const { make } = core;

  /** Show [label, content] pairs as tabs, the `open`th first; what the clicked tab does besides. */
  const show = (task, pairs, { open = 0, clicked = () => {} } = {}) => {
    const links = pairs.map(([label], n) => make("a", { href: `#tabs-${n + 1}`, id: `ui-id-${n + 1}`,
      class: "ui-tabs-anchor", role: "tab" }, label));
    const panels = pairs.map(([, content], n) => make("div", { id: `tabs-${n + 1}`,
      class: "ui-tabs-panel", role: "tabpanel" }, content));
    const turn = (to) => links.forEach((link, n) => {
      link.setAttribute("aria-selected", String(n === to));
      link.parentNode.classList.toggle("ui-tabs-active", n === to);
      panels[n].hidden = n !== to;
    });
    task.area.append(make("ul", { class: "ui-tabs-nav", role: "tablist" },
      ...links.map((link) => make("li", {}, link))), ...panels);
    links.forEach((link, n) => task.on(link, "click", (event) => {
      event.preventDefault();
      turn(n);
      clicked(n);
    }));
    turn(open);
  };

  return Object.freeze({ show });
})();
