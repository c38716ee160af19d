"""How many chairs one address gets."""

import pytest

from deadwood.engine.refusal import Refused
from deadwood.server.protocol.commands import (
    Leave,
    Sit,
)

from ..people import token
from .evening import Evening, simulated


@simulated
async def test_an_address_gets_three_chairs_at_a_public_table():
    evening = await (await Evening().serve()).open("Ada", start=False, public=True)
    stranger, ada = await evening.join(address="203.0.113.9"), await evening.join("Ada", address="203.0.113.9")
    for number in range(3):
        await evening.do(stranger, Sit, name=f"Q{number}", token=token())
    with pytest.raises(Refused) as refused:
        await evening.do(stranger, Sit, name="Q4", token=token())
    assert refused.value.refusal.key == "address_has_chairs"
    await evening.do(ada, Sit, name="Bo", token=token())
    other = await evening.join(address="203.0.113.10")
    done = await evening.do(other, Sit, name="Cy", token=token())
    await evening.do(other, Leave, chair=done.chair)
    proxy = await evening.join(address="127.0.0.1")
    for name in ("Dee", "Eve", "Flo"):
        await evening.do(proxy, Sit, name=name, token=token())


@simulated
async def test_friends_at_a_private_table_may_share_an_address():
    evening = await (await Evening().serve()).open("Ada", start=False)
    friends = await evening.join(address="203.0.113.9")
    for number in range(7):
        await evening.do(friends, Sit, name=f"Q{number}", token=token())
