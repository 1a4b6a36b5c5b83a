"""Ways by which a page may reach another address, and a listener that counts what arrives."""

from __future__ import annotations

import selectors
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field


@dataclass
class Listener:
    """TCP on both loopback families and UDP, all on one port; `hits` counts what arrives."""

    port: int
    hits: list[str] = field(default_factory=list)


@contextmanager
def listening() -> Iterator[Listener]:
    """Listen until the block ends."""
    tcp = socket.create_server(("127.0.0.1", 0))
    port = tcp.getsockname()[1]
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind(("127.0.0.1", port))
    sockets = [tcp, udp]
    if socket.has_ipv6:
        with suppress(OSError):
            sockets.append(socket.create_server(("::1", port), family=socket.AF_INET6))
    received, stop = Listener(port), threading.Event()
    thread = threading.Thread(target=_count, args=(sockets, received, stop))
    thread.start()
    try:
        yield received
    finally:
        stop.set()
        thread.join()
        for one in sockets:
            one.close()


def _count(sockets: list[socket.socket], received: Listener, stop: threading.Event) -> None:
    with selectors.DefaultSelector() as selector:
        for one in sockets:
            selector.register(one, selectors.EVENT_READ)
        while not stop.is_set():
            for key, _ in selector.select(0.02):
                if key.fileobj.type == socket.SOCK_STREAM:
                    key.fileobj.accept()[0].close()
                else:
                    key.fileobj.recvfrom(100)
                received.hits.append(key.fileobj.family.name)


LOADS = {
    "fetch": 'fetch("$U", {mode: "no-cors"}).catch(() => 0)',
    "xhr": 'const x = new XMLHttpRequest(); x.open("GET", "$U"); x.send()',
    "img": 'new Image().src = "$U"',
    "script": 'add("script", {src: "$U"})',
    "module": 'add("script", {src: "$U", type: "module"})',
    "style": 'add("link", {rel: "stylesheet", href: "$U"})',
    "import": 'add("style", {textContent: "@import \'$U\'"})',
    "background": 'add("div", {style: "width:9px;height:9px;background:url($U)"})',
    "font": 'add("style", {textContent: "@font-face{font-family:F;src:url($U)}"});'
    'add("p", {style: "font-family:F", textContent: "x"})',
    "object": 'add("object", {data: "$U"})',
    "embed": 'add("embed", {src: "$U"})',
    "video": 'add("video", {src: "$U", autoplay: true})',
    "iframe": 'add("iframe", {src: "$U"})',
    "frame form": 'const f = add("iframe", {name: "t"}); const o = add("form", {action: "$U",'
    ' method: "post", target: "t"}); o.submit()',
    "beacon": 'navigator.sendBeacon("$U", "x")',
    "keepalive": 'fetch("$U", {mode: "no-cors", keepalive: true, method: "POST"}).catch(() => 0)',
    "event source": 'new EventSource("$U")',
    "prefetch": 'add("link", {rel: "prefetch", href: "$U"})',
    "preload": 'add("link", {rel: "preload", as: "image", href: "$U"})',
    "modulepreload": 'add("link", {rel: "modulepreload", href: "$U"})',
    "worker": "new Worker(window.URL.createObjectURL(new Blob([\"fetch('$U', {mode: 'no-cors'})"
    '.catch(() => 0)"])))',
    "shared worker": "new SharedWorker(window.URL.createObjectURL(new Blob([\"fetch('$U',"
    " {mode: 'no-cors'}).catch(() => 0)\"])))",
    "ping": 'const a = add("a", {href: "#x", ping: "$U"}); a.click()',
    "svg use": 'add("div", {innerHTML: \'<svg><image href="$U" width=9 height=9 /></svg>\'})',
    "redirected fetch": 'fetch("/go/302?$U", {mode: "no-cors"}).catch(() => 0)',
    "redirected img": 'new Image().src = "/go/307?$U"',
    "speculation": 'add("script", {type: "speculationrules", textContent:'
    ' JSON.stringify({prefetch: [{source: "list", urls: ["$U"], eagerness: "immediate"}]})})',
    "websocket": 'new WebSocket("$U".replace("http", "ws"))',
    "webtransport": 'try { new WebTransport("$U".replace("http", "https")) } catch {}',
    "webrtc": 'try { const f = add("iframe", {}); const R = self.RTCPeerConnection ||'
    " f.contentWindow.RTCPeerConnection; const c = new R({iceServers: [{urls:"
    ' "stun:" + new window.URL("$U").host}]}); c.createDataChannel("x");'
    " c.createOffer().then((o) => c.setLocalDescription(o)) } catch {}",
    "preconnect": 'add("link", {rel: "preconnect", href: "$U"})',
    "service worker": 'navigator.serviceWorker.register("/sw.js").catch(() => 0)',
}

HELPERS = """<title>way</title><body><script>
const add = (tag, fields) => {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(fields)) k === "style" ? e.style.cssText = v : e[k] = v;
  document.body.append(e);
  return e;
};
</script><button onclick='CODE'>go</button>"""


def page_code(code: str, urls: list[str]) -> str:
    """What tries a way at each address."""
    return " ".join("{" + code.replace("$U", url) + "}" for url in urls)


def filled(code: str) -> str:
    """A page whose button runs the code."""
    return HELPERS.replace("CODE", code.replace("'", "&#39;"))


def page(code: str, urls: list[str]) -> str:
    return filled(page_code(code, urls))
