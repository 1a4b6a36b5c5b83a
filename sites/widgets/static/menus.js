// Menus of menus, which open under the mouse, with the names of jQuery UI's.
"use strict";
const menus = (() => {
  const { make } = core;
  const HIGH = 20, ROOM = 138;

  /** The menu of these items, {name, inner, icon, label, disabled}. The menu of what is `inner` shows
   * beside its item when the mouse moves over that, or at a click; `icon` is an element before the
   * name. A click on an item that opens nothing and is not disabled calls `chosen` with it. */
  const draw = (task, items, chosen) => {
    const wrappers = [], inside = [];
    /** The list of a level `top` pixels below the menu's beginning; what is inside stays in sight. */
    const list = (level, top) => make("ul", { class: "ui-menu", role: "menu" }, ...level.map((item, n) => {
      const { name, inner = [], icon = [], label = false, disabled = false } = item;
      const wrapper = make("div", { id: `ui-id-${wrappers.length + 1}`, class: "ui-menu-item-wrapper",
        role: "menuitem", "aria-label": label, "aria-disabled": disabled && "true",
        "aria-haspopup": inner.length > 0 && "true" }, icon, name);
      wrappers.push([wrapper, item]);
      const row = make("li", { class: `ui-menu-item${disabled ? " ui-state-disabled" : ""}` }, wrapper);
      if (inner.length) {
        const at = Math.min(top + n * HIGH, ROOM - inner.length * HIGH);
        const menu = list(inner, at);
        menu.style.top = `${at - top}px`;
        inside.push([menu, wrapper]);
        row.append(menu);
      }
      return row;
    }));
    /** Show what is in this item, beside what it is in. */
    const open = (wrapper) => inside.forEach(([menu, owner]) => {
      menu.hidden = owner !== wrapper && !menu.contains(wrapper);
      owner.setAttribute("aria-expanded", String(!menu.hidden));
    });

    const menu = list(items, 0);
    menu.id = "menu";
    open(null);
    for (const [wrapper, item] of wrappers) {
      // A mouse that merely rests where the menu appears does not open it.
      task.on(wrapper, "mousemove", () => open(wrapper));
      task.on(wrapper, "click", () => {
        if (wrapper.ariaHasPopup) open(wrapper);
        else if (!item.disabled) chosen(item);
      });
    }
    return menu;
  };

  return Object.freeze({ draw });
})();
