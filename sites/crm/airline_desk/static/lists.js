// Country, city, airport: each list has what lies in the one before it. A list with one entry
// only needs no choice.

const ORDER = ["country", "city", "code"];

export function lists(field, airports) {
  const selects = [...field.querySelectorAll("select")];
  const labels = new Map([...selects[2].options].map(({ value, text }) => [value, text]));
  const fitting = (level) => airports.filter((each) =>
    ORDER.slice(0, level).every((part, at) => each[part] === selects[at].value));
  const fill = (level) => {
    const select = selects[level], before = select.value;
    const values = [...new Set(fitting(level).map((each) => each[ORDER[level]]))].sort();
    const options = values.map((value) =>
      new Option(level === 2 ? labels.get(value) : value, value));
    select.replaceChildren(select.options[0], ...options);
    select.value = values.includes(before) ? before : values.length === 1 ? values[0] : "";
    select.disabled = !values.length;
  };
  const narrow = (from) => {
    for (let level = from; level < selects.length; level++) fill(level);
  };
  selects.forEach((select, at) => select.addEventListener("change", () => narrow(at + 1)));
  narrow(1);
}
