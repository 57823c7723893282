"""The servers: plain HTTP for joining and photo uploads, HTTPS beside it for the live camera, one application behind both."""

from __future__ import annotations

import logging
import socket
import ssl
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import ifaddr
from cheroot import wsgi
from cheroot.ssl.builtin import BuiltinSSLAdapter

from companion.errors import CompanionError
from companion.web.certificates import HomeCertificate

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

log = logging.getLogger(__name__)

THREADS = 48
"""Requests at once, a server. A phone that follows the game holds one thread for as long as it does."""
MOST_BODY_BYTES = 96_000_000
"""Several photos of a big hand at once; each photo has its own limit below."""
WAITS_S = 20
"""How long a client may stay silent in the middle of a request."""
ANYWHERE = ("0.0.0.0", "::", "")


class PortTaken(CompanionError):
    """The server cannot listen there."""


class _PatientTLS(BuiltinSSLAdapter):
    """Shakes hands in the thread that reads the request.

    Cheroot shakes hands where it accepts: one phone that connects and then says nothing (browsers do, in advance) would
    keep all others waiting.
    """

    def wrap(self, sock: socket.socket) -> tuple[ssl.SSLSocket, dict[str, str]]:
        wrapped = self.context.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
        return wrapped, {"wsgi.url_scheme": "https", "HTTPS": "on"}


@dataclass(slots=True)
class Servers:
    """The servers of a table; `plain_port` and `secure_port` are those that were really taken."""

    plain: wsgi.Server
    secure: wsgi.Server | None

    @classmethod
    def open(
        cls, app: WSGIApplication, *, host: str, port: int, certificate: HomeCertificate | None, secure_port: int = 0
    ) -> Servers:
        """Listen on both ports. Port 0 takes a free one.

        Raises:
            PortTaken: one of the ports is in use or the address is not this computer's.
        """
        plain = _listen(app, host, port)
        if certificate is None:
            return cls(plain, None)
        try:
            secure = _listen(app, host, secure_port)
        except PortTaken:
            plain.stop()
            raise
        secure.ssl_adapter = _PatientTLS(str(certificate.chain), str(certificate.key))
        return cls(plain, secure)

    @property
    def plain_port(self) -> int:
        """Where plain HTTP is served."""
        return _port(self.plain)

    @property
    def secure_port(self) -> int | None:
        """Where HTTPS is served, if it is."""
        return None if self.secure is None else _port(self.secure)

    def serve(self, ended: threading.Event) -> None:
        """Serve until the event is set; then answer what was begun and stop.

        The servers run in threads of their own: an interrupt in the middle of cheroot's own loop leaves threads behind.
        """
        running = [server for server in (self.plain, self.secure) if server is not None]
        for server in running:
            threading.Thread(target=server.serve, daemon=True).start()
        ended.wait()
        for server in running:
            server.stop()


def _listen(app: WSGIApplication, host: str, port: int) -> wsgi.Server:
    server = wsgi.Server((host, port), app, numthreads=THREADS, request_queue_size=128, timeout=WAITS_S)
    server.max_request_body_size = MOST_BODY_BYTES
    server.shutdown_timeout = 1
    vars(server)["error_log"] = _log  # cheroot calls it as a function of the server, and offers no other way
    try:
        server.prepare()
    except OSError as error:
        raise PortTaken(
            f"Port {port} on {host} cannot be used: {error.strerror or error}. Is another one running? Choose another "
            "with --port."
        ) from error
    return server


def _log(message: str = "", level: int = logging.INFO, traceback: bool = False) -> None:
    """Cheroot's log. A phone that goes away or does not trust the certificate yet is no error."""
    quiet = isinstance(sys.exc_info()[1], OSError)  # TLS alerts, resets and time-outs all are
    log.log(logging.DEBUG if quiet else level, message, exc_info=traceback)


def _port(server: wsgi.Server) -> int:
    address: Any = server.bind_addr
    return int(address[1])


def home_addresses() -> Iterator[str]:
    """This computer's IPv4 addresses on its networks, the one that leads to the router first."""
    found = [str(ip.ip) for adapter in ifaddr.get_adapters() for ip in adapter.ips if ip.is_IPv4]
    away = [address for address in found if not address.startswith(("127.", "169.254."))]
    first = _address_towards_router()
    yield from sorted(away, key=lambda address: address != first)


def _address_towards_router() -> str | None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address that nobody has; a datagram socket sends nothing to connect
            return str(probe.getsockname()[0])
        except OSError:
            return None


def names_of_this_computer() -> list[str]:
    """Every name and address that a certificate should be good for."""
    host = socket.gethostname().lower().rstrip(".")
    short = host.partition(".")[0]
    return ["localhost", "127.0.0.1", *home_addresses(), host, f"{short}.local"]
