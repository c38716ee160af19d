"""Notices while the page is closed: asked for in a browser, sent by the server, shown by the service worker."""

import json
import re
import time

from playwright.sync_api import expect

from ..server.notices.letterbox import Browser, Receiver
from ..server.people import PATIENCE
from .playing import play_actions, running_game, waiting_table
from .test_pages import problems
from .test_shell import INSTALLED, wait_for

# Chromium without Google's services has no push service, and without windows it shows no notices. These take their
# places: an address that the test can read, and a list of what the service worker wants to show.
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
Object.defineProperty(Notification, "permission", { get: () => (subscribed ? "granted" : "default") });
Notification.requestPermission = async () => "granted";
"""
SCREEN = """() => {
  self.shown = [];
  const { prototype } = ServiceWorkerRegistration;
  prototype.getNotifications = async () => self.shown;
  prototype.showNotification = async (title, { body, tag, data }) => {
    const close = () => (self.shown = self.shown.filter((one) => one.tag !== tag));
    close();
    self.shown.push({ title, body, tag, data, close });
    if (++self.calls === 2) self.done();
  };
  self.calls = 0;
  self.twice = new Promise((done) => (self.done = done));
}"""
SHOWN = "() => self.twice.then(() => self.shown.map(({ title, body, tag }) => [title, body, tag]))"


def bell(page):
    page.get_by_role("button", name="Notices").click()
    return page.get_by_role("dialog")


def deliver(page, origin, *messages):
    """Deliver messages as a push service would, whichever pages are open."""
    asking, found = page.context.new_cdp_session(page), []
    asking.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    asking.send("ServiceWorker.enable")
    giving_up = time.monotonic() + PATIENCE
    while not found:
        assert time.monotonic() < giving_up, "no service worker is registered"
        page.wait_for_timeout(20)
    for data in messages:
        push = {"origin": origin, "registrationId": found[0]["registrationId"], "data": data}
        asking.send("ServiceWorker.deliverPushMessage", push)


def test_a_notice_while_the_page_is_closed(visitors, server):
    code, (ada, bo) = running_game(server, "Ada", "Bo", first="Bo")
    with Receiver() as receiver:
        push = Browser(f"{receiver.url}/push/{code}")
        page = visitors(
            server.url,
            path=f"/t/{code}",
            seats={code: [ada]},
            service_workers="allow",
            scripts=(PUSH_SERVICE % json.dumps(push.target),),
        )
        wait_for(page, INSTALLED)
        dialog = bell(page)
        dialog.get_by_label("In this browser").click()
        expect(dialog.get_by_label("In this browser")).to_be_checked()
        dialog.get_by_role("button", name="Send a test").click()
        expect(dialog).to_contain_text("✓ 127.0.0.1 accepted the notice.")
        tried = push.read(receiver.wait_for(lambda post: post[0].startswith("/push"))[2])
        assert tried["body"] == "This is a test. Notices for Ada arrive here."
        elsewhere, (worker,) = page.context.new_page(), page.context.service_workers
        elsewhere.goto(f"{server.url}/rules")
        page.close()
        worker.evaluate(SCREEN)
        play_actions(server, code, (bo, "end"))
        tag = f"{code}-1-2"
        _, _, body = receiver.wait_for(lambda post: push.read(post[2])["tag"] == tag)
        sent = json.dumps(push.read(body))
        deliver(elsewhere, f"{server.url}/", sent, sent)  # a repeat is shown once
        assert worker.evaluate(SHOWN) == [["Deadwood: Ada's table", "It is your turn, Ada.", tag]]


def test_webhooks_and_browsers_without_push(visitors, server):
    """In the lobby, on a phone, in German. The page comes from another machine without TLS, so there is no push."""
    code, (ada,) = waiting_table(server, "Ada")
    with Receiver() as receiver:
        page = visitors(
            server.url,
            path=f"/t/{code}",
            seats={code: [ada]},
            settings={"language": "de"},
            forgiven=("409",),
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
        assert problems(page) == []
        dialog.get_by_role("button", name="Entfernen").click()
        expect(dialog).not_to_contain_text("127.0.0.1")
