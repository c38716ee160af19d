"""Networks: which addresses are in them."""

import pytest

from deadwood.server.networks import Networks, NetworkWrong, demand_bannable, parse_network


@pytest.mark.parametrize(
    ("networks", "inside", "outside"),
    [
        (["203.0.113.7"], ["203.0.113.7"], ["203.0.113.8", "::ffff:203.0.113.7", "", "testclient"]),
        (["203.0.113.7/24"], ["203.0.113.0", "203.0.113.255"], ["203.0.114.0"]),
        (["::ffff:203.0.113.7"], ["203.0.113.7"], ["203.0.113.8"]),
        (["2001:db8::1"], ["2001:db8::", "2001:db8::2"], ["2001:db8:0:1::", "32.1.13.184"]),
        (["2001:db8::/32", "10.0.0.0/8"], ["2001:db8:ffff::", "10.9.9.9"], ["2001:db9::", "11.0.0.0"]),
        (["::1"], ["::1"], ["::2"]),
        ([], [], ["127.0.0.1"]),
    ],
)
def test_an_address_is_in_a_network_or_not(networks, inside, outside):
    found = Networks(networks)
    assert [one for one in inside if one not in found] == []
    assert [one for one in outside if one in found] == []


@pytest.mark.parametrize("text", ["", "example.org", "203.0.113.256", "203.0.113.0/33", "2001:db8::/129", "*"])
def test_invalid_networks_are_refused(text):
    with pytest.raises(NetworkWrong, match="is not an address or a network, as in"):
        parse_network(text)


@pytest.mark.parametrize("text", ["127.0.0.1", "127.0.0.0/8", "::1", "0.0.0.0/0", "::/0"])
def test_networks_that_contain_everybody_cannot_be_banned(text):
    with pytest.raises(NetworkWrong, match="cannot be banned"):
        demand_bannable(parse_network(text))
