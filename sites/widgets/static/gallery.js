// The gallery's search, and the player's list of rewards.
"use strict";
const find = document.querySelector("#find");
if (find) {
  const cards = [...document.querySelectorAll(".card")], none = document.querySelector(".none");
  const show = () => {
    const wanted = find.value.trim().toLowerCase();
    for (const card of cards) card.hidden = !card.textContent.toLowerCase().includes(wanted);
    none.hidden = cards.some((card) => !card.hidden);
  };
  find.addEventListener("input", show);
  show();
}

const stage = document.querySelector(".stage iframe");
if (stage) {
  const rows = document.querySelector("tbody"), hint = document.querySelector(".hint");
  const cell = (text, kind = "") => {
    const made = document.createElement("td");
    made.textContent = text;
    made.className = kind;
    return made;
  };
  addEventListener("message", ({ origin, source, data }) => {
    if (origin !== location.origin || source !== stage.contentWindow) return;
    const row = document.createElement("tr"), kind = data.raw > 0 ? "won" : "lost";
    row.append(cell(data.raw.toFixed(2), kind), cell(data.reward.toFixed(2)),
      cell(`${data.seconds.toFixed(1)} s`), cell(data.reason || ""));
    rows.prepend(row);
    rows.parentNode.hidden = false;
    hint.hidden = true;
  });
}
