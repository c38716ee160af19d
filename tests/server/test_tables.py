"""Tables and chairs over real sockets, until the game starts.

Holds `server.tables.repeats`.
"""

import pytest

from deadwood.server.protocol.codes import parse_code

from .people import person, play_to_the_end, started, together, token

# --- tables


def test_a_new_table_has_a_code_that_can_be_read_out_and_a_link(server):
    code, _ = server.make()
    assert parse_code(code) == code
    assert server.get(f"/api/tables/{code}")["link"] == f"{server.url}/t/{code}"


def test_a_code_may_be_typed_in_many_ways(server):
    code, _ = server.make()
    for typed in (code.lower(), f"{code[:4]}-{code[4:]}", f"{code[:4]}%20{code[4:]}"):
        assert server.get(f"/api/tables/{typed}")["code"] == code


def test_all_options_can_be_chosen(server):
    options = {"deck": "studio", "layout": "G'M/CH", "ties": "shared", "bonus": "actors", "days": 2, "dice": "fair"}
    code, _ = server.make(options={**options, "first": "Ada"})
    assert server.get(f"/api/tables/{code}")["options"] == {**options, "first": "Ada"}


@pytest.mark.parametrize(
    ("options", "status", "sentence"),
    [
        ({"days": 9}, 400, "The option 'days' must be a whole number from 1 to 4, not 9."),
        ({"deck": "tarot"}, 409, "The option 'deck' cannot be 'tarot'; it can be classic or studio."),
        ({"deck": "custom:" + "0" * 64}, 409, "it can be classic or studio."),
        ({"layout": "XY"}, 409, "The layout 'XY' contains 'X'"),
        ({"first": "Zed"}, 409, "Nobody here is called 'Zed'; the first player can be Ada or random."),
        ({"ties": "never"}, 400, "The value 'never' at $.options.ties is not allowed."),
        ({"speed": 1}, 400, "There is no field 'speed' at $.options."),
    ],
)
def test_wrong_options_are_refused_with_a_reason(server, options, status, sentence):
    body = {"chairs": [{"type": "person", "name": "Ada", "token": token()}], "options": options}
    assert sentence in server.post("/api/tables", body, status=status)["sentence"]


def test_public_tables_are_listed_and_others_are_not(server):
    codes = [server.make(public=True)[0] for _ in range(3)]
    server.make()
    codes += [server.make(public=True)[0] for _ in range(2)]
    first = server.get("/api/tables?limit=3")
    rest = server.get(f"/api/tables?limit=2&before={first['next']}")
    assert [table["code"] for table in (*first["tables"], *rest["tables"])] == codes[::-1]
    assert first["tables"][0]["chairs"][0]["name"] == "Ada"


def test_all_pages_together_are_the_whole_list(server):
    for _ in range(3):
        server.make(public=True)
    page = server.get("/api/tables?limit=2")
    tables = page["tables"]
    while page["next"]:
        page = server.get(f"/api/tables?limit=2&before={page['next']}")
        tables += page["tables"]
    assert tables == server.get("/api/tables?limit=50")["tables"]


@together
async def test_lists_are_filtered_by_status(server):
    async with started(server, public=True) as host:
        running = server.get("/api/tables?status=running")["tables"]
        assert host.code in [table["code"] for table in running]
        assert host.code not in [table["code"] for table in server.get("/api/tables?status=waiting")["tables"]]


# --- chairs


@together
async def test_people_join_with_a_name_and_a_colour(server):
    code, host_token = server.make("  Ada ", public=False)
    async with person(server, code, host_token) as ada, person(server, code) as bo:
        done = await bo.do("sit", name="Zoe\u0308", token=token(), colour="green")  # decomposed: kept as NFC
        await ada.hear_update(done["seq"])
        assert [(seat["name"], seat["colour"]) for seat in ada.table["chairs"]] == [
            ("Ada", "red"),
            ("Zo\u00eb", "green"),
        ]
        assert ada.updates[-1]["sentences"] == ["Zo\u00eb sits down (green)."]
        assert ada.table["host"] == ada.held[0]


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"name": " ADA "}, "name_taken"),
        ({"name": "x" * 41}, "name_too_long"),
        ({"name": " "}, "name_empty"),
        ({"name": "a\u202eb"}, "name_character"),
        ({"name": "a\x00b"}, "name_character"),
        ({"name": "a;b"}, "name_character"),
        ({"name": "Result"}, "name_reserved"),
        ({"name": "Bo", "colour": "red"}, "colour_taken"),
        ({"name": "Bo", "colour": "pink"}, "colour_unknown"),
        ({"name": "Bo", "token": "0" * 64}, "token_weak"),
    ],
)
def test_joining_is_refused_with_a_reason(server, more, code):
    table, _ = server.make()
    body = {"type": "sit", "id": "a", "token": token(), **more}
    assert server.post(f"/api/tables/{table}/commands", body, status=409)["code"] == code
    assert len(server.get(f"/api/tables/{table}")["chairs"]) == 1


@together
async def test_a_repeated_join_gets_the_first_answer(server):
    code, _ = server.make()
    mine = token()
    body = {"type": "sit", "id": "once", "name": "Bo", "token": mine}
    first = server.post(f"/api/tables/{code}/commands", body)
    assert server.post(f"/api/tables/{code}/commands", body) == first
    assert len(server.get(f"/api/tables/{code}")["chairs"]) == 2


@together
async def test_a_table_has_eight_chairs(server):
    code, host_token = server.make()
    async with person(server, code, host_token) as host:
        for number in range(7):
            await host.do("sit", name=f"P{number}", token=token())
        assert (await host.ask("sit", name="P8", token=token()))["code"] == "table_full"
        assert (await host.ask("add_bot", bot="random"))["code"] == "table_full"


@together
async def test_bots_come_and_go(server):
    code, host_token = server.make()
    async with person(server, code, host_token) as host:
        await host.do("add_bot", bot="regular")
        await host.do("add_bot", bot="regular")
        await host.do("add_bot", bot="random", name="Randy", colour="black")
        names = [(seat["name"], seat["bot"], seat["ready"]) for seat in host.table["chairs"]]
        assert names[1:] == [
            ("Lil Ledger", "regular", True),
            ("Leo Ledger", "regular", True),
            ("Randy", "random", True),
        ]
        await host.do("remove", chair=host.table["chairs"][2]["id"])
        assert [seat["name"] for seat in host.table["chairs"]] == ["Ada", "Lil Ledger", "Randy"]
        assert (await host.ask("add_bot", bot="gentle"))["sentence"].startswith(
            "There is no bot called 'gentle'; choose"
        )


@together
async def test_new_options_make_everybody_say_ready_again(server):
    code, host_token = server.make()
    async with person(server, code, host_token) as host:
        await host.do("sit", name="Bo", token=token())
        await host.be_ready()
        await host.do("choose", options={"first": "Bo", "days": 1})
        assert not any(seat["ready"] for seat in host.table["chairs"])
        for seat in host.held:
            await host.be_ready(seat)
        await host.do("start")
        assert host.updates[-1]["events"][0]["first"] == "Bo"
        assert host.table["drawn"] == []


@together
async def test_starting_needs_the_host_two_players_and_all_people_ready(server):
    code, host_token = server.make()
    async with person(server, code, host_token) as ada, person(server, code) as bo:
        await ada.be_ready()
        alone = "You need at least 2 players. Invite a friend or add a bot."
        refused = await ada.ask("start")
        assert (refused["sentence"], refused["rule"], ada.table["start_refusal"]) == (alone, "R2.1", alone)
        await bo.do("sit", name="Bo", token=token())
        assert (await bo.ask("start"))["code"] == "not_the_host"
        refused = await ada.ask("start")
        assert refused["sentence"] == "Not everybody is ready yet; waiting for Bo."
        assert bo.table["start_refusal"] == refused["sentence"]
        await bo.be_ready()
        await bo.do("ready", chair=bo.held[0], salt=None)
        assert (await ada.ask("start"))["code"] == "not_ready"
        await bo.be_ready()
        assert bo.table["start_refusal"] is None
        await ada.do("start")
        assert ada.status == "running"
        assert ada.table["start_refusal"] is None


@together
async def test_after_the_host_leaves_the_next_person_is_the_host(server):
    code, host_token = server.make()
    async with person(server, code, host_token) as ada, person(server, code) as bo:
        await ada.do("add_bot", bot="random")
        await bo.do("sit", name="Bo", token=token())
        await ada.do("leave", chair=ada.held[0])
        await bo.hear_update(ada.seq)
        assert bo.updates[-1]["sentences"] == ["Ada left, and Bo is now the host."]
        assert bo.table["host"] == bo.held[0]
        await bo.do("add_bot", bot="random")
        assert (await ada.ask("add_bot", bot="random"))["code"] == "not_the_host"


@together
async def test_a_token_is_spent_after_leaving(server):
    code, host_token = server.make()
    async with person(server, code, host_token) as ada:
        mine = token()
        await ada.do("sit", name="Bo", token=mine)
        await ada.do("leave", chair=ada.held[1])
        status, _, answer = server.request(
            "POST", f"/api/tables/{code}/commands", {"type": "start", "id": "a"}, token=mine
        )
        assert (status, answer["code"]) == (403, "token_unknown")
        assert (await ada.ask("sit", name="Bo", token=mine))["code"] == "token_spent"
        await ada.do("sit", name="Bo", token=token())


@together
async def test_a_repeated_leave_gets_the_first_answer(server):
    code, host_token = server.make()
    path = f"/api/tables/{code}/commands"
    mine = token()
    async with person(server, code, host_token) as ada, person(server, code) as bo:
        seat = (await bo.do("sit", name="Bo", token=mine))["chair"]
        first = await bo.do("leave", chair=seat, id="bye")
        await ada.do("add_bot", bot="random")
        assert await bo.ask("leave", chair=seat, id="bye") == first
        assert (await bo.ask("leave", chair=seat, id="other"))["code"] == "chair_unknown"
    async with person(server, code, mine) as again:
        assert again.held == []
        assert await again.ask("leave", chair=seat, id="bye") == first
    assert server.post(path, {"type": "leave", "id": "bye", "chair": seat}, mine) == first
    for wish in ({"type": "leave", "id": "c", "chair": seat}, {"type": "ping", "id": "d"}):
        assert server.post(path, wish, mine, status=403)["code"] == "token_unknown"


@together
async def test_a_removed_person_has_no_rights(server):
    code, host_token = server.make()
    async with person(server, code, host_token) as ada, person(server, code) as bo:
        done = await bo.do("sit", name="Bo", token=token())
        await ada.do("remove", chair=done["chair"])
        await ada.do("add_bot", bot="random")
        await ada.be_ready()
        await ada.do("start")
        await bo.hear_update(ada.seq)
        assert (await bo.ask("sync", since=0))["held"] == []
        assert (await bo.ask("hint"))["code"] == "token_unknown"
        assert (await bo.ask("leave", chair=done["chair"]))["code"] == "chair_unknown"


@together
async def test_a_spent_token_stays_spent_in_a_rematch(server):
    mine = token()
    code, host_token = server.make(bots=[{"bot": "random"}], options={"days": 1})
    async with person(server, code, host_token) as host:
        await host.do("leave", chair=(await host.do("sit", name="Bo", token=mine))["chair"])
        host.held = [1]
        await host.be_ready()
        await host.do("start")
        await play_to_the_end(host)
        await host.do("rematch")
        assert (await host.ask("sit", name="Bo", token=mine))["code"] == "token_spent"


@together
async def test_a_removed_person_may_watch(server):
    code, host_token = server.make()
    async with person(server, code, host_token) as ada, person(server, code) as bo:
        done = await bo.do("sit", name="Bo", token=token())
        await ada.do("remove", chair=done["chair"])
        await bo.hear_update(ada.seq)
        assert bo.updates[-1]["sentences"] == ["The host removed Bo and locked the table."]
        assert (await bo.ask("ready", chair=done["chair"], salt=token()))["code"] == "chair_unknown"
        assert (await ada.ask("remove", chair=ada.held[0]))["code"] == "host_stays"
        assert (await ada.ask("remove", chair=99))["code"] == "chair_unknown"


@together
async def test_at_an_empty_table_the_next_person_is_the_host(server):
    code, host_token = server.make()
    async with person(server, code, host_token) as ada:
        await ada.do("leave", chair=ada.held[0])
        assert ada.table["host"] is None
        done = await ada.do("sit", name="Bo", token=token())
        assert ada.table["host"] == done["chair"]


@together
async def test_chairs_do_not_change_while_a_game_runs(server):
    async with started(server) as host:
        seat = host.held[0]
        for wish in (
            {"type": "sit", "name": "Cy", "token": token()},
            {"type": "remove", "chair": host.held[1]},
            {"type": "add_bot", "bot": "random"},
            {"type": "choose", "options": {"days": 1}},
            {"type": "ready", "chair": seat, "salt": None},
            {"type": "start"},
        ):
            assert (await host.ask(**wish))["code"] == "table_not_waiting"
