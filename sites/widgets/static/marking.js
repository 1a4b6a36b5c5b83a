// Texts that are marked with the mouse or the keyboard.
"use strict";
const marking = (() => {
  const { make } = core;
  const text = () => getSelection().toString();

  /** Call `changed` whenever something else is marked. A script can mark a text too: then only the
   * public reward is given. */
  const watch = (task, changed) => {
    let known = "", onButton = false;
    const check = () => {
      if (text() && text() !== known) task.taint("a text was marked by a script");
    };
    const learn = () => {
      if (onButton) check();
      known = text();
      changed();
    };
    task.on(document, "mousedown", (event) => {
      check();
      onButton = event.target.closest("button, [role='button']") !== null;
      // Within what is marked the browser would drag the text, not mark anew.
      const anew = event.detail === 1 && !event.shiftKey && !event.defaultPrevented;
      if (anew && !onButton) getSelection().removeAllRanges();
    });
    task.on(document, "keydown", () => {
      check();
      onButton = false;
    });
    for (const kind of ["mouseup", "keyup"]) task.on(document, kind, learn);
    task.on(document, "selectionchange", changed);
  };

  const bare = (some) => some.replace(/\s/g, "");

  /** Paragraphs of these texts, the `wanted`th of which is to be marked: {paragraphs, right}. */
  const ask = (task, texts, wanted, attributes = {}) => {
    const paragraphs = texts.map((each) => make("p",
      { role: "paragraph", tabindex: 0, "aria-selected": "false", ...attributes }, each));
    watch(task, () => paragraphs.forEach((each) =>
      each.setAttribute("aria-selected", String(bare(text()) === bare(each.textContent)))));
    return { paragraphs, right: () => [bare(text()) === bare(texts[wanted])] };
  };

  /** How many letters of an element stand before a place of the document. */
  const before = (element, node, offset) => {
    const range = new Range();
    range.setStart(element, 0);
    range.setEnd(node, offset);
    return Math.min(range.toString().length, element.textContent.length);
  };

  /** From which letter of an element to which it is marked. */
  const bounds = (element) => {
    if (!getSelection().rangeCount) return [0, 0];
    const { startContainer, startOffset, endContainer, endOffset } = getSelection().getRangeAt(0);
    return [before(element, startContainer, startOffset), before(element, endContainer, endOffset)];
  };

  /** The text node of an element with its nth letter, and the place in it. */
  const place = (element, nth) => {
    for (const { firstChild } of element.childNodes) {
      if (nth <= firstChild.length) return [firstChild, nth];
      nth -= firstChild.length;
    }
    return [element, element.childNodes.length];
  };

  /** Mark from a letter to another in an element whose children hold a text each. */
  const mark = (element, [from, to]) =>
    getSelection().setBaseAndExtent(...place(element, from), ...place(element, to));

  return Object.freeze({ ask, bounds, mark, watch });
})();
