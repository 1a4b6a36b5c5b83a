// A search for movies, in five layouts.
"use strict";
const movies = (() => {
  const { make } = core;
  const GENRES = `
    action adventure animated arthouse biographical comedy crime disaster documentary drama epic
    family fantasy gangster ghost heist horror historical musical mystery pirate political
    romantic satirical silent sports spy superhero thriller vampire war western zombie
  `.trim().split(/\s+/);

  const label = (text, field) => make("label", { for: field.id }, text);
  const button = (text) => make("button", { class: "main" }, text);
  const block = (text) => make("div", { class: "final", role: "button" }, text);

  /** What genre, director and year are called, how a row holds its label and field, how the rows
   * stand together, and what sends them. */
  const LAYOUTS = [
    {
      names: ["Genre", "Director", "Year"],
      row: (text, field) => make("div", { class: "criterion row" }, label(text, field), field),
      rows: (rows) => rows,
      send: () => button("Search"),
    },
    {
      names: ["Movie genre", "Directed by", "Release year"],
      row: (text, field) => make("p", { class: "criterion" }, label(text, field),
        make("br"), field),
      rows: (rows) => rows,
      send: () => button("Submit"),
    },
    {
      names: ["Genre", "Director", "Year"],
      row: (text, field) => make("tr", { class: "criterion" }, make("td", {}, label(text, field)),
        make("td", {}, field)),
      rows: (rows) => [make("table", {}, make("tbody", {}, ...rows))],
      send: () => block("Search"),
    },
    {
      names: ["Genre of movie", "Name of director", "Released Date"],
      row: (text, field) => make("li", { class: "criterion" }, field, make("br"),
        label(text, field)),
      rows: (rows) => [make("ul", {}, ...rows)],
      send: () => block("Find movies"),
    },
    {
      names: ["Type", "Movie director", "Year of release"],
      row: (text, field) => make("fieldset", { class: "criterion" },
        make("legend", {}, label(text, field)), field),
      rows: (rows) => rows,
      send: () => button("Go"),
    },
  ];

  /** Ask to search for a movie in this layout, its rows in random order. */
  const ask = (task, { names, row, rows, send }) => {
    const wanted = [core.sample(GENRES), core.sample(words.LAST_NAMES), String(core.randi(1950, 2017))];
    const [genre, director, year] = wanted;
    task.say(`Search for ${genre} movies directed by ${director} from year ${year}.`);

    const order = core.shuffle([0, 1, 2]), fields = [];
    const shown = order.map((which, place) => {
      fields[which] = make("input", { type: "text", id: `field-${place + 1}` });
      return row(names[which], fields[which]);
    });
    const sender = send();
    task.area.append(make("div", { class: "search" }, ...rows(shown), sender));

    const right = () => fields.map(
      (field, n) => field.value.trim().toLowerCase() === wanted[n].toLowerCase());
    task.controls(right);
    task.on(sender, "click", () => task.end(right().every(Boolean)));
  };

  return Object.freeze({ LAYOUTS, ask });
})();
