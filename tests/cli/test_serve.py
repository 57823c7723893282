"""`companion serve` as a family starts it: a process of its own, with real ports, and a signal that ends it."""

import re
import signal
import ssl
import subprocess
import sys
import urllib.request
from contextlib import contextmanager

import pytest
from click.testing import CliRunner

from companion.cli.serve import command

HELP = ("--host", "--port", "--data", "--no-tls", "--no-browser")


@contextmanager
def served(data, *options):
    """Start it, read what it prints until it serves; gives that text. Ends it with the signal of a service manager."""
    arguments = ["serve", "--host", "127.0.0.1", "--port", "0", "--no-browser", "--data", str(data), *options]
    process = subprocess.Popen(
        [sys.executable, "-m", "companion.cli", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    text = ""
    try:
        for line in process.stdout:
            text += line
            if "Ctrl-C" in line:
                break
        yield text
    finally:
        process.send_signal(signal.SIGTERM)
        rest, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert "The game is kept." in rest
    assert "Traceback" not in errors


def get(address, **options):
    with urllib.request.urlopen(address, timeout=30, **options) as answer:
        return answer.geturl(), answer.read().decode()


def plain_port(text):
    return int(re.search(r"localhost:(\d+)/host", text)[1])


def test_the_help_names_every_option():
    text = CliRunner().invoke(command, ["--help"]).output
    assert all(option in text for option in HELP)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM")
def test_it_serves_http_and_https_and_goes_on_where_it_was(tmp_path):
    with served(tmp_path / "data") as text:
        code = "".join(re.search(r"number (\d{3}) (\d{3})", text).groups())
        where, page = get(f"http://127.0.0.1:{plain_port(text)}/j/{code}")
        assert "/join" in where and "Join the table" in page  # urllib keeps no cookie
        secure = re.search(r"https://127\.0\.0\.1:(\d+)", text)[0]
        trusted = ssl.create_default_context(cafile=str(tmp_path / "data" / "certificate" / "authority.crt"))
        assert "Join the table" in get(f"{secure}/join", context=trusted)[1]
        with pytest.raises(OSError, match="certificate verify failed"):
            get(f"{secure}/join", context=ssl.create_default_context())
        assert "█" in text or "▀" in text  # the QR code
    with served(tmp_path / "data", "--no-tls") as text:
        assert "".join(re.search(r"number (\d{3}) (\d{3})", text).groups()) == code
        assert "https" not in text


def test_a_port_in_use_is_told_with_what_to_do(tmp_path):
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        result = subprocess.run(
            [sys.executable, "-m", "companion.cli", "serve", "--host", "127.0.0.1", "--port", port, "--no-browser"]
            + ["--data", str(tmp_path)],
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
    assert result.returncode == 1
    assert "Choose another with --port" in result.stderr and "Traceback" not in result.stderr
