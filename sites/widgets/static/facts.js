// A table of facts about somebody. Needs words.js.
"use strict";
const facts = (() => {
  const { make } = core;
  const COLORS = ["amber", "aqua", "beige", "black", "blue", "brown", "coral", "crimson", "gray",
    "green", "indigo", "ivory", "lilac", "maroon", "orange", "pink", "red", "white", "yellow"];
  const LANGUAGES = ["Arabic", "Bengali", "Dutch", "English", "French", "German", "Greek", "Hindi",
    "Italian", "Japanese", "Korean", "Mandarin", "Polish", "Portuguese", "Russian", "Spanish",
    "Swahili", "Turkish"];
  const RELIGIONS = ["Buddhism", "Christianity", "Hinduism", "Islam", "Judaism", "Shinto", "Sikhism"];
  const FACTS = {
    Color: () => core.sample(COLORS),
    "First name": () => core.sample(words.FIRST_NAMES),
    "Last name": () => core.sample(words.LAST_NAMES),
    Country: () => core.sample(words.COUNTRIES),
    Gender: () => core.sample(["Female", "Male"]),
    Language: () => core.sample(LANGUAGES),
    "Year of Birth": () => String(core.randi(1930, 2006)),
    Religion: () => core.sample(RELIGIONS),
  };

  /** Five of them: {rows, table}, `rows` the [key, value] pairs. */
  const draw = () => {
    const rows = core.several(Object.keys(FACTS), 5).map((key) => [key, FACTS[key]()]);
    const table = make("table", { id: "tab" }, make("tbody", {}, ...rows.map((row) => make("tr", {},
      make("th", { scope: "row" }, row[0]), make("td", {}, row[1])))));
    return { rows, table };
  };

  return Object.freeze({ draw });
})();
