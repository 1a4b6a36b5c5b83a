// Elements. Text goes in as text nodes only, so nothing that a person typed becomes markup.

/** An element with attributes and children. A name that begins with "on" brings a listener;
 * false and null leave an attribute out, and what is empty is no child. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter(Boolean));
  return element;
}

export const find = (id) => document.getElementById(id);

/** Set an element's text where it differs. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Set an attribute, or take it away where the value is empty; likewise only where it differs. */
export function mark(element, name, value) {
  if (!value) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
