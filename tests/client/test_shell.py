"""The page as an app: it can be installed, opens without a server, and gives way to a newer one."""

import json
import shutil
import urllib.request
from pathlib import Path

from playwright.sync_api import expect

import deadwood

from ..browser import launching
from ..server.people import PATIENCE, serving
from .network import Network

GONE = ("ERR_CONNECTION", "ERR_EMPTY_RESPONSE", "ERR_SOCKET")
# Playwright treats a promise as true, so a page has to report itself when something asynchronous is done
INSTALLED = "() => void navigator.serviceWorker.ready.then(() => (window.said = true))"
FORGOTTEN = """(path) => void (async () => {
  while (await caches.match(path)) await new Promise(requestAnimationFrame);
  window.said = true;
})()"""
SIGNS_OF = {"image/svg+xml": b"<svg", "image/png": b"\x89PNG"}
NEWER = "newer-"
SCRIPT = "document.querySelector('script').getAttribute('src')"


def wait_for(page, what, about=None):
    page.evaluate(what, about)
    page.wait_for_function("() => window.said")


def newer_version(folder):
    """A copy of the package whose client has other scripts; the folder to import it from."""
    package = shutil.copytree(
        Path(deadwood.__file__).parent, folder / "deadwood", ignore=shutil.ignore_patterns("*.br", "*.gz")
    )
    client = package / "server" / "client"
    scripts = [script.rename(script.with_name(NEWER + script.name)) for script in client.glob("assets/*.js")]
    for path in (*scripts, *client.glob("*.html"), *client.glob("*.json")):
        text = path.read_text("utf-8")
        for script in scripts:
            text = text.replace(script.name.removeprefix(NEWER), script.name)
        path.write_text(text, "utf-8")
    return folder


def test_it_opens_without_a_server_says_so_and_gives_way_to_a_newer_one(visitors, tmp_path):
    with Network() as network:
        own = {"database": f"sqlite:///{tmp_path}/games.sqlite3", "origins": frozenset({network.url})}
        with serving(**own) as server:
            network.lead_to(server)
            page = visitors(network.url, forgiven=GONE, service_workers="allow")
            wait_for(page, INSTALLED)
            older = page.evaluate(SCRIPT)
        for path in ("/", "/t/K7RM4TXC", "/rules", "/t/K7RM4TXC/games/1"):
            page.goto(network.url + path)
            expect(page.get_by_text("The server cannot be reached").first).to_be_visible()
        assert page.evaluate(SCRIPT) == older
        with serving(**own, environment={"PYTHONPATH": str(newer_version(tmp_path))}) as server:
            network.lead_to(server)
            page.goto(network.url)
            assert page.evaluate(SCRIPT).startswith(f"/assets/{NEWER}")
            wait_for(page, FORGOTTEN, older)
        page.reload()
        expect(page.get_by_text("The server cannot be reached").first).to_be_visible()
        assert page.evaluate(SCRIPT).startswith(f"/assets/{NEWER}")


def test_it_can_be_installed(browser, server, tmp_path):
    """Chromium itself says so; it refuses in the private contexts that other tests use."""
    with browser.browser_type.launch_persistent_context(tmp_path, **launching()) as context:
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.goto(server.url)
        wait_for(page, INSTALLED)
        asking = context.new_cdp_session(page)
        assert asking.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
        assert asking.send("Page.getAppManifest")["errors"] == []


def test_its_manifest_names_all_that_an_app_needs(server):
    manifest = json.loads(server.get("/manifest.webmanifest"))
    assert manifest["name"] == manifest["short_name"] == "Deadwood"
    assert (manifest["start_url"], manifest["display"]) == ("/", "standalone")
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        with urllib.request.urlopen(server.url + icon["src"]) as response:
            assert (response.status, response.headers.get_content_type()) == (200, icon["type"])
            assert response.read().startswith(SIGNS_OF[icon["type"]])
