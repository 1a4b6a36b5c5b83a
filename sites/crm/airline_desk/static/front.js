// What is added to every page: the chosen offer below the cards, menus that close, the focus on a
// problem.

// What is chosen of the cards stands below them, for it may be in a drawer that is closed.
for (const line of document.querySelectorAll(".offers .picked")) {
  line.closest(".offers").addEventListener("change", ({ target }) => {
    const label = target.labels[0].querySelector(".spoken > span").textContent;
    line.textContent = line.dataset.picked.replace("{offer}", label);
  });
}

// A menu closes when something else is done.
for (const menu of document.querySelectorAll("details.menu")) {
  const close = (event) => {
    if (!menu.contains(event.target)) menu.open = false;
  };
  document.addEventListener("click", close);
  document.addEventListener("focusin", close);
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
}

// After a refusal the first thing to read is why.
const problem = document.getElementById("problem");
if (problem) {
  problem.tabIndex = -1;
  problem.focus();
}

