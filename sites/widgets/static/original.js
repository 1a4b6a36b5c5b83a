// The last script of an original MiniWoB++ page: seeds it, begins the episode, and tells whoever
// keeps score how it ends. The problem, what is right and the reward are the page's own.
(() => {
  "use strict";
  const { seed = "", scenario = "" } = Object.fromEntries(new URLSearchParams(location.search));
  const task = location.pathname.split("/").at(-1).replace(/\.html$/, "");
  const send = window.fetch.bind(window);
  const LONGEST = 1e6;  // milliseconds of an episode, as BrowserGym has it
  const { inputs } = document.currentScript.dataset;
  if (inputs) document.documentElement.dataset.inputs = inputs;

  /** The channel of the lane that drives this page; null with other drivers, whose pages post. */
  let channel = null;
  dispatchEvent(new CustomEvent("rehearsal:reports", { detail: (given) => (channel = given) }));

  const post = (path, message) => send(path, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(message),
  });

  let load = Promise.resolve("");
  const enter = () => {
    const message = {
      kind: "load", task, seed, variant: "original", mode: WOB_DATA_MODE, scenario,
    };
    if (channel) channel(JSON.stringify(message));
    else {
      load = post("/load", message)
        .then((answer) => (answer.status === 200 ? answer.text() : ""), () => "");
    }
  };

  const report = (facts) => {
    const message = { kind: "verdict", moment: 1, share: 0, tainted: "", ...facts };
    if (channel) channel(JSON.stringify(message));
    else load.then((key) => key && post("/report", { key, ...message })).catch(() => {});
  };

  const bounded = (reward) => Math.max(-1, Math.min(1, Number(reward) || 0));
  const end = core.endEpisode;
  let began = 0;
  core.endEpisode = function (reward, timed, reason) {
    const running = core.EP_TIMER !== null, episode = WOB_EPISODE_ID + 1;
    end.call(core, reward, timed, reason);
    if (!running) return;
    report({
      episode, raw: bounded(WOB_RAW_REWARD_GLOBAL), reward: bounded(WOB_REWARD_GLOBAL),
      seconds: (Date.now() - began) / 1000, reason: String(reason || "").slice(0, 200),
    });
  };

  // The pictures of a page's own styles are loaded before it begins: one that is just coming has no
  // size, so that an icon is not there, and a click on one that changes under the mouse ends beside.
  core.pictures = Array.from(document.querySelectorAll("style"), ({ sheet }) =>
    Array.from(sheet.cssRules, ({ cssText }) =>
      Array.from(cssText.matchAll(/url\("?([^")]+)"?\)/g), ([, address]) =>
        Object.assign(new Image(), { src: address }))));

  addEventListener("load", () => {
    core.EPISODE_MAX_TIME = LONGEST;
    document.getElementById("query").setAttribute("role", "note");
    if (channel) core.hideDisplay();  // an agent could read the reward there, and try again
    if (!seed) return;
    Math.seedrandom(Number(seed));  // a number, as Farama's environments give it
    enter();
    core.startEpisodeReal();
    began = Date.now();
  });
})();
