"use strict";

// Choosing from a list loads the item's page with the choice in its address.
document.addEventListener("change", (event) => {
  if (event.target.matches("select[data-submit]")) event.target.form.submit();
});
