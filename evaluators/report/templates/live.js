// Waits for the next state of the run and exchanges the parts that have changed.
"use strict";
(() => {
  // The parts come escaped from our own server; nothing else makes HTML here.
  const policy = window.trustedTypes?.createPolicy("live", { createHTML: (text) => text });
  const drawn = new Map();

  function put(name, text) {
    if (drawn.get(name) === text) return;
    drawn.set(name, text);
    const part = document.querySelector(`[data-part="${name}"]`);
    const at = [...part.querySelectorAll(".scroll")].map((each) => each.scrollLeft);
    part.innerHTML = policy ? policy.createHTML(text) : text;
    [...part.querySelectorAll(".scroll")].forEach((each, number) => (each.scrollLeft = at[number] || 0));
  }

  function duration(seconds) {
    const whole = Math.max(0, Math.round(seconds));
    if (whole < 60) return `${whole} s`;
    const two = (count) => String(count).padStart(2, "0");
    if (whole < 3600) return `${Math.floor(whole / 60)}:${two(whole % 60)} min`;
    return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)} h`;
  }

  function tick() {
    for (const time of document.querySelectorAll("time[data-since]")) {
      const passed = duration(Date.now() / 1000 - Number(time.dataset.since));
      const text = [passed, time.dataset.words].filter(Boolean).join(" ");
      if (time.textContent !== text) time.textContent = text;
    }
  }

  function connected(is) {
    const link = document.getElementById("link");
    link.classList.toggle("lost", !is);
    const text = is ? "live" : "not connected: rehearse report --live was stopped";
    if (link.textContent !== text) link.textContent = text;
  }

  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  async function follow() {
    let version = "";
    for (;;) {
      const begun = Date.now();
      try {
        const answer = await fetch(`state?after=${encodeURIComponent(version)}`);
        if (!answer.ok) throw new Error(answer.statusText);
        const state = await answer.json();
        for (const [name, text] of Object.entries(state.parts)) put(name, text);
        version = state.version;
        connected(true);
        tick();
      } catch {
        connected(false);
        await pause(2000);
      }
      await pause(Math.max(0, 500 - (Date.now() - begun)));
    }
  }

  tick();
  setInterval(tick, 1000);
  follow();
})();
