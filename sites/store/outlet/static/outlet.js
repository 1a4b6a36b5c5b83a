"use strict";

// Choosing from a list loads the item's page with the choice in its address; what is chosen at the
// checkout is kept at once, so that the amounts are right.
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-submit]")) event.target.form.requestSubmit();
});

// The basket opens over the page; without script its button leads to a page of its own.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("form[data-dialog]")) return;
  event.preventDefault();
  const answer = await fetch(form.action);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const dialog = page.querySelector("dialog");
  if (!answer.ok || !dialog) return location.assign(form.action);
  document.querySelector("dialog")?.remove();
  dialog.removeAttribute("open");
  document.body.append(dialog);
  dialog.showModal();
});
