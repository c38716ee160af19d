"""Networks: sets of addresses, such as banned clients, or proxies that speak for others."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from ..engine.refusal import DeadwoodError
from .limits import ONE_CUSTOMER, limited_address

Network = IPv4Network | IPv6Network
_MAPPED = 96  # bits before an IPv4 address in an IPv6 address


class NetworkWrong(DeadwoodError):
    """A text that is not a network, or a network that cannot be banned."""


def parse_network(text: str) -> Network:
    """An address or a network; in IPv6 at least the whole network of one customer."""
    try:
        network = ip_network(limited_address(text), strict=False)
    except ValueError:
        wrong = f"'{text}' is not an address or a network, as in 203.0.113.7, 203.0.113.0/24 or 2001:db8::/64"
        raise NetworkWrong(wrong) from None
    if isinstance(network, IPv6Network) and network.prefixlen > ONE_CUSTOMER:
        return network if network.is_loopback else network.supernet(new_prefix=ONE_CUSTOMER)
    return network


def demand_bannable(network: Network) -> None:
    """Refuse to ban this machine: a proxy on it speaks for everybody."""
    if network.is_loopback or not network.prefixlen:
        raise NetworkWrong(f"{network} cannot be banned: everybody may come from there.")


def as_peers(networks: Iterable[str]) -> Iterator[str]:
    """Networks as sockets name them: one that listens at `::` shows IPv4 addresses as IPv6 addresses."""
    for network in map(ip_network, networks):
        yield str(network)
        if isinstance(network, IPv4Network):
            yield f"::ffff:{network.network_address}/{_MAPPED + network.prefixlen}"


class Networks:
    """A set of addresses. A lookup takes one step per size of network, however many networks there are."""

    def __init__(self, networks: Iterable[str] = ()) -> None:
        self._by_size: dict[tuple[int, int], set[int]] = {}
        for version, size, prefix in map(_prefix, networks):
            self._by_size.setdefault((version, size), set()).add(prefix)

    def __contains__(self, address: str) -> bool:
        if not self._by_size:
            return False
        try:
            found = ip_address(address)
        except ValueError:
            return False
        return any(
            version == found.version and int(found) >> found.max_prefixlen - size in known
            for (version, size), known in self._by_size.items()
        )


@lru_cache(maxsize=16_384)
def _prefix(text: str) -> tuple[int, int, int]:
    """The version, size and first bits of a network. One more ban must not cost as much as all of them."""
    network = parse_network(text)
    bits = int(network.network_address) >> network.max_prefixlen - network.prefixlen
    return network.version, network.prefixlen, bits
