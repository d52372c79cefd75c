"""A browser, driven through chromedriver (W3C WebDriver) with nothing but Python's standard library."""
import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync", "--disable-default-apps", "--disable-dev-shm-usage",
             "--host-resolver-rules=MAP * ~NOTFOUND"]

PATIENCE = 3600  # seconds after which something is taken to hang, as in tests/patient.sh


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Browser:
    """`with Browser() as browser:` starts chromedriver and Chromium without a network, and ends both."""

    def __enter__(self):
        self.profile = tempfile.mkdtemp(prefix="tutti-browser-")
        self.base = f"http://127.0.0.1:{free_port()}"
        self.session = None
        # Its children end with it: they are a group of their own.
        self.driver = subprocess.Popen(
            [shutil.which("chromedriver"), f"--port={self.base.rsplit(':', 1)[1]}", "--log-level=SEVERE"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            self.wait_for_driver()
            self.open_session()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *unused):
        try:
            if self.session:
                self.call("DELETE", "")
        except OSError:
            pass
        try:
            os.killpg(self.driver.pid, 15)
        except ProcessLookupError:
            pass
        self.driver.wait(PATIENCE)
        shutil.rmtree(self.profile, ignore_errors=True)

    def request(self, method, path, body=None):
        content = None if method != "POST" else json.dumps(body or {}).encode()
        request = urllib.request.Request(self.base + path, content, {"Content-Type": "application/json"}, method=method)
        try:
            # The session is on this host: no proxy.
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            with opener.open(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as fault:
            raise RuntimeError(f"{path}: {json.load(fault)['value']['message']}") from None

    def call(self, method, path, body=None):
        return self.request(method, f"/session/{self.session}{path}", body)

    def wait_for_driver(self):
        for _ in range(10 * PATIENCE):
            try:
                if self.request("GET", "/status")["ready"]:
                    return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("chromedriver does not answer")

    def open_session(self):
        options = {"args": ARGUMENTS + [f"--user-data-dir={self.profile}"], "binary": shutil.which("chromium")}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        for tries in range(1, 11):  # on a busy machine Chromium may not start within chromedriver's own limit
            try:
                self.session = self.request("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
            except RuntimeError as fault:
                if tries == 10 or "session not created" not in str(fault):
                    raise
                continue
            if tries > 1:
                print(f"retried: Chromium did not start: {tries} tries")
            return

    def open(self, path):
        self.call("POST", "/url", {"url": "file://" + os.path.abspath(path)})

    def run(self, script, *arguments):
        """What a script on the page returns."""
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def develop(self, command, **parameters):
        """A command of the Chrome DevTools protocol."""
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def log(self):
        """Messages of the console since the last call."""
        return [f"{entry['level']}: {entry['message']}" for entry in self.call("POST", "/se/log", {"type": "browser"})]

    def resize(self, width, height, mobile=False):
        self.develop("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)

    def prefer(self, scheme):
        self.develop("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def script(self, enabled):
        self.develop("Emulation.setScriptExecutionDisabled", value=not enabled)

    def hover(self, x, y):
        self.develop("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def press(self, key, code=None):
        for kind in ("keyDown", "keyUp"):
            self.develop("Input.dispatchKeyEvent", type=kind, key=key, code=code or key,
                         windowsVirtualKeyCode={"Tab": 9, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39,
                                                "ArrowDown": 40, "Home": 36, "End": 35}[key])

    def picture(self, path, whole=False):
        """A PNG of what is seen, or of the whole page."""
        answer = self.develop("Page.captureScreenshot", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(answer["data"]))
