// The task of clicking a slice of a pie menu, with the names of wheelnav's. Needs pixels.js.
"use strict";
const pie = (() => {
  const { make, svg } = core;

  const ask = (task) => {
    const INNER = 21, OUTER = 66;
    const labels = core.several("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
      core.randi(4, 9));
    const wanted = core.sample(labels);
    task.say(`Expand the pie menu below and click on the item labeled "${wanted}".`);

    const wide = 2 * Math.PI / labels.length;
    const at = (radius, angle) =>
      [Math.cos(angle), Math.sin(angle)].map((part) => (radius * part).toFixed(2)).join(" ");
    const slice = (middle) => {
      const [from, to] = [middle - wide / 2, middle + wide / 2];
      return `M${at(INNER, from)}L${at(OUTER, from)}A${OUTER} ${OUTER} 0 0 1 ${at(OUTER, to)}`
        + `L${at(INNER, to)}A${INNER} ${INNER} 0 0 0 ${at(INNER, from)}Z`;
    };
    const items = labels.map((label, n) => {
      const middle = n * wide - Math.PI / 2, [x, y] = at((INNER + OUTER) / 2, middle).split(" ");
      return svg("g", { role: "menuitem" },
        svg("path", { id: `wheelnav-piemenu-slice-${n}`, class: "wheelnav-piemenu-slice-basic", d: slice(middle) }),
        svg("text", { id: `wheelnav-piemenu-title-${n}`, class: "wheelnav-piemenu-title-basic", x, y }, label));
    });
    const sign = svg("text", { id: "wheelnav-piemenu-spreadertitle", class: "wheelnav-piemenu-title-basic" });
    const spreader = svg("g", { role: "button" },
      svg("circle", { id: "wheelnav-piemenu-spreader", r: INNER - 5 }), sign);
    const picture = svg("svg", { viewBox: "-68 -68 136 136", width: 136, height: 136 }, ...items, spreader);
    const whole = make("div", { id: "piemenu" }, picture);
    const { shown, on, draw } = pixels.view(task, picture);
    task.area.append(task.pixels ? shown : whole);

    let spread = true;
    const turn = () => {
      spread = !spread;
      sign.textContent = spread ? "\u2212" : "+";
      spreader.setAttribute("aria-expanded", String(spread));
      for (const item of items) item.toggleAttribute("hidden", !spread);
      draw();
    };
    turn();
    on(spreader, turn);
    items.forEach((item, n) => on(item, () => task.end(labels[n] === wanted)));
  };

  return Object.freeze({ ask });
})();
