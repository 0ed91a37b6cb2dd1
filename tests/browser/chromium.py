"""A headless Chromium, driven by its DevTools protocol over two pipes: no driver, no server, no package.

Messages are JSON with a zero byte behind each. Pages are tabs of one browser; events that come in while an answer is
waited for are kept.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import signal
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import Any

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
    "--hide-scrollbars", "--remote-debugging-pipe",
)  # fmt: skip
NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 30.0  # seconds; a page that is slow on a busy machine is no fault


def program() -> str | None:
    """Where the browser is, None where there is none."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class BrowserError(Exception):
    """The browser refused, or a script in a page failed."""


class Chromium:
    """One browser process; `page()` opens tabs in it."""

    def __init__(self, folder: Path) -> None:
        found = program()
        assert found is not None
        (theirs_in, self._out), (self._in, theirs_out) = os.pipe(), os.pipe()
        high = [fcntl.fcntl(handle, fcntl.F_DUPFD_CLOEXEC, 10) for handle in (theirs_in, theirs_out)]
        nothing = [(os.POSIX_SPAWN_OPEN, handle, os.devnull, os.O_RDWR, 0) for handle in range(3)]
        pipes = [(os.POSIX_SPAWN_DUP2, high[0], 3), (os.POSIX_SPAWN_DUP2, high[1], 4)]  # reads from 3, writes to 4
        arguments = [found, *FLAGS, f"--user-data-dir={folder}", "about:blank"]
        self._process = os.posix_spawn(found, arguments, os.environ, file_actions=[*nothing, *pipes])
        for handle in (theirs_in, theirs_out, *high):
            os.close(handle)
        self._rest = b""
        self._next = 0
        self._messages: deque[dict[str, Any]] = deque()

    def close(self) -> None:
        with suppress(BrowserError, OSError):
            self.call("Browser.close")
        until = time.monotonic() + 10.0
        while os.waitpid(self._process, os.WNOHANG) == (0, 0):
            if time.monotonic() > until:
                os.kill(self._process, signal.SIGKILL)
            time.sleep(0.01)
        os.close(self._in)
        os.close(self._out)

    def call(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        """The answer to one command; BrowserError where it is refused."""
        self._next += 1
        number, message = self._next, {"id": self._next, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + PATIENCE
        while True:
            found = self._read(until)
            if found.get("id") != number:
                self._messages.append(found)
            elif "error" in found:
                raise BrowserError(f"{method}: {found['error']['message']}")
            else:
                return found["result"]

    def events(self, session: str) -> list[dict[str, Any]]:
        """What has come in for a page, each event once."""
        self.call("Browser.getVersion")  # all that was sent before its answer is read
        mine = [message for message in self._messages if message.get("sessionId") == session]
        self._messages = deque(message for message in self._messages if message.get("sessionId") != session)
        return mine

    def _read(self, until: float) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._in], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                raise BrowserError("no answer in time")
            more = os.read(self._in, 1 << 20)
            if not more:
                raise BrowserError("the browser has ended")
            self._rest += more
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)

    def page(self) -> Page:
        return Page(self)


class Page:
    """A tab: opens files, runs scripts, presses keys, and remembers what went wrong and what was asked for."""

    def __init__(self, browser: Chromium) -> None:
        self.browser = browser
        self.target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        self.troubles: list[str] = []
        self.dialogs: list[str] = []
        self.requests: list[str] = []
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        return self.browser.call(method, self.session, **params)

    def open(self, path: Path) -> None:
        """Load a file and wait until its scripts have run."""
        self.call("Page.navigate", url=path.as_uri())
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            self.look()
            if self.run("location.protocol === 'file:' && document.readyState === 'complete'"):
                return
            time.sleep(0.02)
        raise BrowserError(f"{path} was not loaded in time")

    def look(self) -> None:
        """Sort what has happened: troubles, dialogs (which are closed), requests."""
        for event in self.browser.events(self.session):
            params = event.get("params", {})
            match event["method"]:
                case "Runtime.exceptionThrown":
                    self.troubles.append(params["exceptionDetails"].get("exception", {}).get("description", "?"))
                case "Log.entryAdded":
                    self.troubles.append(params["entry"]["text"])
                case "Runtime.consoleAPICalled":
                    self.troubles.append(str(params["args"]))
                case "Page.javascriptDialogOpening":
                    self.dialogs.append(params["message"])
                    self.call("Page.handleJavaScriptDialog", accept=False)
                case "Network.requestWillBeSent":
                    self.requests.append(params["request"]["url"])

    def run(self, script: str) -> Any:
        """The value of an expression, promises awaited."""
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            details = found["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description", details["text"]))
        return found["result"].get("value")

    def text(self, selector: str) -> str:
        return self.run(f"document.querySelector({json.dumps(selector)}).innerText")

    def click(self, selector: str) -> None:
        """A real click in the middle of an element, where a pointer would meet it."""
        self.run(f"document.querySelector({json.dumps(selector)}).scrollIntoView({{block: 'center'}})")
        self.click_at(*self.middle(selector))

    def choose(self, selector: str) -> None:
        """The same without a pointer, for what is too thin to be met."""
        self.run(
            f"document.querySelector({json.dumps(selector)}).dispatchEvent(new MouseEvent('click', {{bubbles: true}}))"
        )

    def middle(self, selector: str) -> tuple[float, float]:
        x, y = self.run(
            f"(() => {{ const b = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
            "return [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )
        return x, y

    def click_at(self, x: float, y: float) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, *keys: str) -> None:
        for key in keys:
            text = {"Enter": "\r", " ": " "}.get(key, key if len(key) == 1 else "")
            down = {"type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": CODES.get(key, 0)}
            self.call("Input.dispatchKeyEvent", **down, **({"text": text} if text else {}))
            self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=key)

    def type(self, text: str) -> None:
        self.call("Input.insertText", text=text)

    def size(self, width: int, height: int) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500
        )

    def prefer(self, **features: str) -> None:
        """Media features: color_scheme="dark"; media="print"."""
        media = features.pop("media", "")
        found = [{"name": f"prefers-{name.replace('_', '-')}", "value": value} for name, value in features.items()]
        self.call("Emulation.setEmulatedMedia", media=media, features=found)

    def screenshot(self, path: Path, *, whole: bool = False) -> None:
        found = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(found["data"]))

    def pdf(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"]))

    def close(self) -> None:
        self.browser.call("Target.closeTarget", targetId=self.target)


CODES = {
    "Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40,
}  # fmt: skip
