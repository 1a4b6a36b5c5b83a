// A dialog box over the page, with the names of jQuery UI's. Needs words.js.
"use strict";
const dialog = (() => {
  const { make, randi } = core;
  const CLOSE = "x", LEFT = [4, 156], TOP = [56, 206];

  /** Show one of random size and place, with these buttons below and one to close it above.
   * `clicked` is told what the button says that was clicked. */
  const show = (task, labels, clicked) => {
    const width = randi(112, 148), height = randi(92, 136);
    const close = make("button", { class: "ui-button ui-dialog-titlebar-close", title: "Close" }, CLOSE);
    const buttons = labels.map((label) => make("button", { class: "ui-button" }, label));
    const title = make("span", { id: "ui-id-1", class: "ui-dialog-title" }, "Message");
    document.body.append(make("div", { class: "ui-dialog of-the-page", role: "dialog",
      "aria-labelledby": "ui-id-1", "aria-describedby": "dialog",
      style: `width: ${width}px; height: ${height}px; left: ${randi(LEFT[0], LEFT[1] - width)}px;
        top: ${randi(TOP[0], TOP[1] - height)}px` },
      make("div", { class: "ui-dialog-titlebar" }, title, close),
      make("div", { id: "dialog", class: "ui-dialog-content" }, make("p", {}, words.text(randi(3, 6)))),
      ...(labels.length ? [make("div", { class: "ui-dialog-buttonpane" },
        make("div", { class: "ui-dialog-buttonset" }, ...buttons))] : [])));
    for (const button of [close, ...buttons]) {
      task.on(button, "click", () => clicked(button.textContent));
    }
  };

  return Object.freeze({ show, CLOSE });
})();
