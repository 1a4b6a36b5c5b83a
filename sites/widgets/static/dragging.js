// Things that are dragged with the mouse: parts of a picture, items of a list.
"use strict";
const dragging = (() => {
  const { make } = core;

  /** What follows a press on one of the targets: `begin(event)` says it, or null for nothing.
   * `move(right, below, event)` is told how far the mouse is from where it was pressed, at each
   * move and at the release; after that comes `drop()`, where there is one. */
  const hold = (task, targets, begin) => {
    let held = null, from = null;
    const move = (event) => held.move(event.clientX - from.x, event.clientY - from.y, event);
    const drop = () => {
      const done = held.drop;
      held = null;
      done?.();
    };
    for (const target of [targets].flat()) {
      task.on(target, "mousedown", (event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        from = { x: event.clientX, y: event.clientY };
        held = begin(event);
      });
    }
    task.on(document, "mousemove", (event) => {
      if (!held) return;
      if (event.buttons & 1) move(event);
      else drop();
    });
    task.on(document, "mouseup", (event) => {
      if (!held || event.button !== 0) return;
      move(event);
      drop();
    });
  };

  /** A name that tells where a box stands: {x, y, width, height} in pixels of its picture. */
  const told = (name, { x, y, width, height }) =>
    `${name} from (${x}, ${y}) to (${x + width}, ${y + height})`;

  /** A picture in which places count, from its upper left corner. */
  const board = ({ width, height }, attributes, ...content) => make("div", { class: "board",
    role: "application", "aria-label": `picture, ${width} x ${height}`, tabindex: 0,
    style: `width: ${width}px; height: ${height}px`, ...attributes }, ...content);

  /** Let this element be dragged about in a picture of this size, not out of it. `box` is where it
   * stands and is kept; the element's name tells it after `name`. */
  const part = (task, size, element, name, box) => {
    const first = { ...box };
    const show = () => {
      element.style.transform = `translate(${box.x - first.x}px, ${box.y - first.y}px)`;
      element.setAttribute("aria-label", told(name, box));
    };
    const within = (to, room) => Math.round(Math.min(room, Math.max(0, to)));
    element.classList.add("part");
    hold(task, element, () => {
      const { x, y } = box;
      return {
        move(right, below) {
          box.x = within(x + right, size.width - box.width);
          box.y = within(y + below, size.height - box.height);
          show();
        },
      };
    });
    show();
  };

  const middle = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  };

  /** Which of the places is nearest. */
  const nearest = (places, x, y) => {
    const far = places.map((place) => Math.hypot(place.x - x, place.y - y));
    return far.indexOf(Math.min(...far));
  };

  /** Show a list whose items can be dragged to other places of it. `named(text, place)` is an
   * item's name where the text is not enough; `moved(from, to)` follows each drag. Returns a
   * function that says the texts in their order. */
  const list = (task, texts, { named = null, moved = () => {} } = {}) => {
    const items = texts.map((text) => ({ text, row: make("li",
      { class: "ui-state-default", role: "listitem" }, make("div", {}, text)) }));
    const whole = make("ul", { id: "sortable" });
    const show = () => {
      whole.append(...items.map(({ row }) => row));
      if (named) items.forEach(({ text, row }, at) => row.setAttribute("aria-label", named(text, at)));
    };
    show();
    task.area.append(whole);

    const shift = (from, to) => {
      if (from !== to) {
        items.splice(to, 0, ...items.splice(from, 1));
        show();
      }
      return to;
    };
    hold(task, items.map(({ row }) => row), ({ currentTarget }) => {
      const from = items.findIndex(({ row }) => row === currentTarget);
      const { row } = items[from], places = items.map((item) => middle(item.row));
      let at = from, dragged = false;
      return {
        move(right, below) {
          dragged ||= right !== 0 || below !== 0;
          const x = places[from].x + right, y = places[from].y + below;
          at = shift(at, nearest(places, x, y));
          row.style.transform = `translate(${x - places[at].x}px, ${y - places[at].y}px)`;
          row.classList.toggle("held", dragged);
        },
        drop() {
          row.style.transform = "";
          row.classList.remove("held");
          if (dragged) moved(from, at);
        },
      };
    });
    return () => items.map(({ text }) => text);
  };

  return Object.freeze({ board, hold, list, part, told });
})();
