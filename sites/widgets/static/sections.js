// Tasks with sections that open. Need words.js and accordion.js, to find a link also links.js.
"use strict";
const sections = (() => {
  const { make } = core;

  /** Ask to open the one section and submit. */
  const open = (task) => {
    task.say("Expand the section below and click submit.", { fields: {} });
    const section = [`Section #${core.randi(1, 10)}`, make("p", {}, words.text(20))];
    const shown = accordion.show(task, [section]);
    const button = make("button", { id: "subbtn", class: "main" }, "Submit");
    task.area.append(button);

    task.controls(() => [shown() === 0]);
    task.on(button, "click", () => task.end(shown() === 0));
  };

  /** Ask for a link in one of three sections. */
  const find = (task) => {
    const { paragraphs, links: drawn } = links.draw(3);
    accordion.show(task, paragraphs.map((content, n) => [`Section #${n + 1}`, content]));
    const wanted = links.choose(task, drawn);
    task.say(`Expand the sections below, to find and click on the link "${wanted}".`);
  };

  return Object.freeze({ open, find });
})();
