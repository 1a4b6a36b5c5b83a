// Runs in the page's own world before its scripts, in every frame and popup. It tells the walker
// which elements listen for input (nothing else can), stops the clock, takes away the two interfaces
// that speak UDP and registers no service worker. A page that undoes any of this fools nobody but itself.
(frozen) => {
  "use strict";
  const apply = Reflect.apply;
  const dispatch = EventTarget.prototype.dispatchEvent;
  const connected = Object.getOwnPropertyDescriptor(Node.prototype, "isConnected").get;
  const Told = Event, Listening = Element;
  const watched = { __proto__: null };
  for (const kind of ["click", "dblclick", "mousedown", "mouseup", "pointerdown", "pointerup",
    "touchstart", "touchend", "dragstart", "drop", "contextmenu"]) watched[kind] = true;

  let heard = null;
  const hear = (target, kind) => {
    if (watched[kind] && target instanceof Listening) heard = { __proto__: null, target, next: heard };
  };

  const listen = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function addEventListener(kind, handler) {
    if (handler) hear(this, kind);
    return apply(listen, this, arguments);
  };

  for (const type of [HTMLElement, SVGElement]) {
    for (const kind in watched) {
      const property = Object.getOwnPropertyDescriptor(type.prototype, "on" + kind);
      if (!property || !property.set) continue;
      Object.defineProperty(type.prototype, "on" + kind, {
        ...property,
        set(handler) {
          if (handler) hear(this, kind);
          apply(property.set, this, [handler]);
        },
      });
    }
  }

  // The walker asks by an event, and each element that is on the page by then answers with one.
  apply(listen, window, ["rehearsal:ask", () => {
    const all = heard;
    heard = null;
    for (let one = all; one; one = one.next) {
      if (apply(connected, one.target, [])) {
        apply(dispatch, one.target, [new Told("rehearsal:answer", { composed: true })]);
      } else {
        heard = { __proto__: null, target: one.target, next: heard };
      }
    }
  }, true]);

  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport"]) {
    delete window[name];
  }

  if (typeof ServiceWorkerContainer !== "undefined") {
    ServiceWorkerContainer.prototype.register = () => new Promise(() => {});
  }

  if (frozen === null) return;
  const Real = Date;
  Real.now = () => frozen;
  window.Date = Real.prototype.constructor = new Proxy(Real, {
    construct: (real, args, target) =>
      Reflect.construct(real, args.length ? args : [frozen], target),
    apply: () => new Real(frozen).toString(),
  });

  const Format = Intl.DateTimeFormat.prototype;
  const { get } = Object.getOwnPropertyDescriptor(Format, "format");
  Object.defineProperty(Format, "format", {
    configurable: true,
    get() {
      const format = apply(get, this, []);
      return (date) => format(date === undefined ? frozen : date);
    },
  });
  const parts = Format.formatToParts;
  Format.formatToParts = function formatToParts(date) {
    return apply(parts, this, [date === undefined ? frozen : date]);
  };

  if (typeof Temporal === "undefined") return;
  const instant = () => Temporal.Instant.fromEpochMilliseconds(frozen);
  const zoned = (zone = Temporal.Now.timeZoneId()) => instant().toZonedDateTimeISO(zone);
  Object.assign(Temporal.Now, {
    instant,
    zonedDateTimeISO: zoned,
    plainDateTimeISO: (zone) => zoned(zone).toPlainDateTime(),
    plainDateISO: (zone) => zoned(zone).toPlainDate(),
    plainTimeISO: (zone) => zoned(zone).toPlainTime(),
  });
}
