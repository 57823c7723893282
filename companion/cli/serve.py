"""`companion serve`: a game night on every phone at the table."""

from __future__ import annotations

import contextlib
import signal
import threading
import webbrowser
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import click

from companion.vision.learning_desk import LearningDesk
from companion.vision.photo_pool import PhotoPool
from companion.vision.table_pool import TablePool
from companion.web import Addresses, Parts, create_app
from companion.web.certificates import HomeCertificate, home_certificate
from companion.web.keys import KeyRing
from companion.web.live import LiveTables
from companion.web.qr import qr_text
from companion.web.serving import ANYWHERE, Servers, home_addresses, names_of_this_computer
from companion.wiring import Workshop

DEFAULT_PORT = 8080


@dataclass(slots=True)
class Whereabouts:
    """Where the table is found; `addresses` fills in once the ports are taken."""

    host: str
    certificate: HomeCertificate | None
    servers: Servers | None = field(default=None)

    def addresses(self) -> Addresses:
        """The addresses for phones; a network that changes while the game goes on is noticed."""
        assert self.servers is not None
        name = self.host if self.host not in ANYWHERE else next(home_addresses(), "localhost")
        secure_port = self.servers.secure_port
        return Addresses(
            plain=f"http://{_in_address(name)}:{self.servers.plain_port}",
            secure=None if secure_port is None else f"https://{_in_address(name)}:{secure_port}",
            authority_pem=None if self.certificate is None else self.certificate.authority.read_bytes(),
        )


@click.command("serve")
@click.option("--host", default="0.0.0.0", show_default=True, help="Address to listen on; 127.0.0.1 lets no phone in.")
@click.option(
    "--port", type=click.IntRange(0, 65534), default=DEFAULT_PORT, show_default=True,
    help="Port for HTTP; HTTPS takes the one after it. 0: any that is free.",
)  # fmt: skip
@click.option(
    "--data", "data_dir", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
    help="Folder for games, photos and the certificate. Default: the user's data folder.",
)  # fmt: skip
@click.option("--no-tls", is_flag=True, help="Serve HTTP only; phones then take photos but show no live camera.")
@click.option("--no-browser", is_flag=True, help="Do not open a browser on this computer.")
@click.pass_context
def command(ctx: click.Context, host: str, port: int, data_dir: Path | None, no_tls: bool, no_browser: bool) -> None:
    """Play a game night: this computer keeps the game, every phone at the table opens it.

    Prints the address, the table's number and a QR code for the phones. Ctrl-C ends it; nothing that was confirmed is lost,
    and the next start goes on where the table was.
    """
    workshop: Workshop = ctx.obj or Workshop.from_environment(data_dir=data_dir)
    folder = workshop.data_dir()
    certificate = None
    if not no_tls:
        hosts = names_of_this_computer() if host in ANYWHERE else ["localhost", host]
        certificate = home_certificate(folder / "certificate", hosts, now=datetime.now(UTC))
    keys = KeyRing(folder / "table-keys.json")
    where = Whereabouts(host, certificate)
    with _readers(workshop) as (photos, tables):
        session = workshop.session()
        learning = LearningDesk(workshop.models_dir(), workshop.learned_file(), session.pictures.get)
        given = Parts(session, photos, LiveTables(session, tables), learning, keys, where.addresses)
        app = create_app(given)
        where.servers = Servers.open(
            app, host=host, port=port, certificate=certificate, secure_port=port + 1 if port else 0
        )
        for stop in (signal.SIGINT, signal.SIGTERM):
            signal.signal(stop, lambda *_: given.ended.set())
        _welcome(where, keys)
        if not no_browser:
            here = "localhost" if host in ANYWHERE else host
            address = f"http://{_in_address(here)}:{where.servers.plain_port}/host/{keys.keys.host_key}"
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        where.servers.serve(given.ended)
    click.echo("\nGood night. The game is kept.")


@contextlib.contextmanager
def _readers(workshop: Workshop) -> Iterator[tuple[PhotoPool, TablePool]]:
    """The reader of photos, which begins to load at once, and that of live tables, which waits for the first frame."""
    models, learned = workshop.models_dir(), workshop.learned_file()
    photos, tables = PhotoPool(models, learned=learned), TablePool(models, learned=learned)
    photos.warm_up()
    try:
        yield photos, tables
    finally:
        photos.close()
        tables.close()


def _welcome(where: Whereabouts, keys: KeyRing) -> None:
    addresses, code = where.addresses(), keys.keys.code
    click.echo(qr_text(f"{addresses.plain}/j/{code}"))
    click.echo(f"Phones:       {addresses.plain}   number {code[:3]} {code[3:]}")
    if addresses.secure:
        click.echo(f"Live camera:  {addresses.secure}   (the page explains the warning)")
    assert where.servers is not None
    click.echo(f"This computer, as the host:  http://localhost:{where.servers.plain_port}/host/{keys.keys.host_key}")
    click.echo("Ctrl-C ends it.")


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host
