// Texts some of whose words are links.
"use strict";
const links = (() => {
  const { make, randi } = core;

  /** So many paragraphs of 20 words, no word twice; one in five, at least one a paragraph, is a
   * link. Returns {paragraphs, links}. */
  const draw = (count) => {
    const drawn = core.several(words.LATIN, 20 * count), found = [];
    const link = (word) => {
      found.push(make("span", { class: "alink", role: "link" }, word));
      return found.at(-1);
    };
    const paragraphs = Array.from({ length: count }, () => {
      const linked = drawn.splice(0, 20).map((word) => [word, core.chance(0.2)]);
      if (!linked.some(([, isLink]) => isLink)) linked[randi(0, 20)][1] = true;
      return make("p", {}, ...linked.flatMap(([word, isLink]) => [isLink ? link(word) : word, " "]));
    });
    return { paragraphs, links: found };
  };

  /** Choose a link: a click on it wins, on another one loses. Returns its text. */
  const choose = (task, all) => {
    const wanted = core.sample(all).textContent;
    for (const link of all) task.on(link, "click", () => task.end(link.textContent === wanted));
    return wanted;
  };

  /** Ask for a link behind one of the tabs with these labels. Needs tabs.js. */
  const ask = (task, labels) => {
    const { paragraphs, links: found } = draw(labels.length);
    tabs.show(task, labels.map((label, n) => [label, paragraphs[n]]));
    task.say(`Switch between the tabs to find and click on the link "${choose(task, found)}".`);
  };

  return Object.freeze({ draw, choose, ask });
})();
