"""Notices while the page is closed: asked for in a browser, sent by the server, shown by the service worker."""

import json
import re

from playwright.sync_api import expect

from ..server.notices.letterbox import Browser, Receiver
from .playing import play_actions, running_game, waiting_table
from .test_shell import INSTALLED, wait_for

# Chromium without its maker's services has no push service, so this is one: everything but that is real.
PUSH_SERVICE = """
const given = %s;
const subscription = {
  endpoint: given.endpoint,
  options: { applicationServerKey: null },
  toJSON: () => ({ endpoint: given.endpoint, keys: { p256dh: given.p256dh, auth: given.auth } }),
  unsubscribe: async () => true,
};
let subscribed = null;
PushManager.prototype.getSubscription = async () => subscribed;
PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
  subscription.options.applicationServerKey = applicationServerKey.buffer;
  return (subscribed = subscription);
};
"""
SHOWN = """() => void navigator.serviceWorker.ready.then(async (registration) => {
  let found = [];
  while (!found.length) found = await registration.getNotifications();
  window.said = found.map(({ title, body, tag }) => [title, body, tag]);
})"""


def bell(page):
    page.get_by_role("button", name="Notices").click()
    return page.get_by_role("dialog")


def deliver(page, origin, data):
    """As a push service would, whatever pages are open."""
    asking, found = page.context.new_cdp_session(page), []
    asking.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    asking.send("ServiceWorker.enable")
    while not found:
        page.wait_for_timeout(20)
    id = found[0]["registrationId"]
    asking.send("ServiceWorker.deliverPushMessage", {"origin": origin, "registrationId": id, "data": data})


def test_a_notice_while_the_page_is_closed(visitors, server):
    code, (ada, bo) = running_game(server, "Ada", "Bo", first="Bo")
    with Receiver() as receiver:
        push = Browser(f"{receiver.url}/push/{code}")
        page = visitors(
            server.url,
            path=f"/t/{code}",
            seats={code: [ada]},
            service_workers="allow",
            permissions=["notifications"],
            scripts=(PUSH_SERVICE % json.dumps(push.target),),
        )
        wait_for(page, INSTALLED)
        dialog = bell(page)
        dialog.get_by_label("In this browser").click()
        expect(dialog.get_by_label("In this browser")).to_be_checked()
        dialog.get_by_role("button", name="Send a test").click()
        expect(dialog).to_contain_text("✓ 127.0.0.1 took the notice.")
        tried = push.read(receiver.wait_for(lambda post: post[0].startswith("/push"))[2])
        assert tried["body"] == "This is a test. Notices for Ada arrive here."
        elsewhere = page.context.new_page()
        page.close()
        elsewhere.goto(f"{server.url}/rules")
        play_actions(server, code, (bo, "end"))
        tag = f"{code}-1-2"
        _, _, body = receiver.wait_for(lambda post: push.read(post[2])["tag"] == tag)
        for _ in range(2):  # repeats are shown once
            deliver(elsewhere, f"{server.url}/", json.dumps(push.read(body)))
        wait_for(elsewhere, SHOWN)
        assert elsewhere.evaluate("window.said") == [["Deadwood: Ada's table", "It is your turn, Ada.", tag]]


def test_webhooks_and_browsers_without_push(visitors, server):
    """In the lobby, on a phone, in German; the page comes without TLS from another machine, so there is no push."""
    code, (ada,) = waiting_table(server, "Ada")
    with Receiver() as receiver:
        page = visitors(
            server.url,
            path=f"/t/{code}",
            seats={code: [ada]},
            settings={"language": "de"},
            viewport={"width": 390, "height": 844},
            scripts=("Object.defineProperty(window, 'isSecureContext', { value: false })",),
        )
        page.get_by_role("button", name="Benachrichtigungen").click()
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_label("In diesem Browser")).to_be_disabled()
        expect(dialog).to_contain_text("nur von sicheren Seiten")
        dialog.get_by_label("Adresse für Benachrichtigungen").fill("https://somebody@example.org/")
        dialog.get_by_role("button", name="Hinzufügen").click()
        expect(dialog.get_by_role("alert")).to_contain_text("An diese Adresse lässt sich nichts schicken")
        dialog.get_by_label("Adresse für Benachrichtigungen").fill(f"{receiver.url}/hook")
        dialog.get_by_role("button", name="Hinzufügen").click()
        dialog.get_by_role("button", name="Test schicken").click()
        expect(dialog).to_contain_text(re.compile("Programm.*✓ 127.0.0.1 hat die Benachrichtigung angenommen", re.S))
        assert "Das ist ein Test." in json.loads(receiver.posts[0][2])["body"]
        dialog.get_by_role("button", name="Entfernen").click()
        expect(dialog).not_to_contain_text("127.0.0.1")
