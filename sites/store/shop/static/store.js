"use strict";

// Choosing an option loads the item's page with the option in its address.
document.addEventListener("change", (event) => {
  const address = event.target.dataset.url;
  if (address) location.assign(address);
});

// A button that only leads somewhere leaves no "?" behind in the address.
document.addEventListener("submit", (event) => {
  if (event.target.matches("form.go")) {
    event.preventDefault();
    location.assign(event.target.action);
  }
});
