"""What a server says about itself."""

from deadwood.server.protocol.answers import Sharing
from deadwood.server.protocol.house import HouseRules
from deadwood.server.tables.attendance import INVITATION_SECONDS
from deadwood.server.tables.catalogue import about_server


def test_a_server_names_the_bot_to_suggest_and_how_long_invitations_are_good():
    about = about_server("en", Sharing(reachable=True, command=None), talk=True)
    assert about.usual_bot in {bot.name for bot in about.bots}
    assert about.usual_bot == HouseRules().stand_in
    assert about.invitation_seconds == INVITATION_SECONDS
