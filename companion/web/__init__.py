"""The web app of a game night: `create_app` puts the pages over a session. Nothing here decides a rule or writes a file.

=====================  =====================================================================
`parts`                what the pages work with: session, reader, keys; handed in
`joining`, `security`  who may come in, and what protects them
`games`, `hand`, ...   one blueprint a page, with its view model (a frozen dataclass) beside it
`api`                  the same for programs, under ``/api/v1``, with its OpenAPI document
`serving`              the servers, HTTP and HTTPS; `certificates` makes what HTTPS needs
=====================  =====================================================================
"""

from companion.web.app import create_app
from companion.web.parts import Addresses, Parts

__all__ = ["Addresses", "Parts", "create_app"]
