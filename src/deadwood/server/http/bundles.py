"""What personal keys carry between browsers, which encrypt it; opaque here. The id of a key comes in a header."""

from starlette.requests import Request

from ..origins import client_address
from ..protocol.answers import Bundle
from ..protocol.refusals import refuse
from ..tables.ports import BundleRow
from ..tables.services import Services
from ..tables.table_state import hash_secret
from . import requests
from .api import admission_of, hall_of

DAY = 86_400.0  # seconds between two updates of `used`, at least


async def show_bundle(request: Request) -> Bundle:
    """What a personal key carries."""
    services, id = _services(request), _id(request)
    row = await services.store.bundles.find(id)
    if row is not None and services.now() - row.used > DAY and not services.read_only:
        await services.store.bundles.use(id, services.now())
    return _shown(row)


async def swap_bundle(request: Request) -> Bundle:
    """Replace what a personal key carries, unless another browser has done so since."""
    services, id = _services(request), _id(request)
    services.demand_writable()
    new = await requests.new_bundle(request)
    admission_of(request).bundle(client_address(request.scope), is_new=not new.version)
    row = BundleRow(id, new.version + 1, new.sealed, services.now())
    if await services.store.bundles.swap(row):
        return Bundle(version=row.version, stored=True)
    return _shown(await services.store.bundles.find(id))


async def drop_bundle(request: Request) -> Bundle:
    """Delete what a personal key carries; browsers keep what they have."""
    admission_of(request).bundle(client_address(request.scope), is_new=False)
    services = _services(request)
    services.demand_writable()
    await services.store.bundles.drop(_id(request))
    return _shown(None)


def _shown(row: BundleRow | None) -> Bundle:
    return Bundle(version=0) if row is None else Bundle(version=row.version, sealed=row.sealed)


def _services(request: Request) -> Services:
    return hall_of(request).services


def _id(request: Request) -> str:
    """The hash of a key's id. Only this is stored, so a reader of the database cannot ask for a bundle or change it."""
    sent = requests.tokens(request)
    if not sent:
        raise refuse("key_missing")
    return hash_secret(sent[0])
