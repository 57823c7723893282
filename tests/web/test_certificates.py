import ssl
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509

from companion.web.certificates import CertificateTrouble, home_certificate

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
HOSTS = ("localhost", "127.0.0.1", "192.168.1.7", "laptop.local")


def leaf(files):
    return x509.load_pem_x509_certificates(files.chain.read_bytes())[0]


def names(files):
    found = leaf(files).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(name.value) for name in found}


def test_it_is_good_for_every_address_at_home_and_for_none_elsewhere(tmp_path):
    files = home_certificate(tmp_path, (*HOSTS, "example.com", "8.8.8.8", "laptop"), now=NOW)
    assert names(files) == set(HOSTS)


def test_openssl_takes_it_for_a_server_certificate(tmp_path):
    files = home_certificate(tmp_path, HOSTS, now=NOW)
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(files.chain, files.key)
    ssl.create_default_context(cafile=str(files.authority))


def test_it_is_made_once(tmp_path):
    first = home_certificate(tmp_path, HOSTS, now=NOW)
    serial = leaf(first).serial_number
    assert leaf(home_certificate(tmp_path, HOSTS, now=NOW + timedelta(days=200))).serial_number == serial


def test_a_new_address_gets_a_new_certificate_from_the_same_authority(tmp_path):
    first = home_certificate(tmp_path, HOSTS, now=NOW)
    authority, serial = first.authority.read_bytes(), leaf(first).serial_number
    again = home_certificate(tmp_path, (*HOSTS, "10.0.0.5"), now=NOW)
    assert leaf(again).serial_number != serial and "10.0.0.5" in names(again)
    assert again.authority.read_bytes() == authority


def test_it_is_renewed_before_it_ends(tmp_path):
    serial = leaf(home_certificate(tmp_path, HOSTS, now=NOW)).serial_number
    later = home_certificate(tmp_path, HOSTS, now=NOW + timedelta(days=380))
    assert leaf(later).serial_number != serial
    assert leaf(later).not_valid_after_utc > NOW + timedelta(days=700)


def test_the_authority_can_vouch_for_homes_only(tmp_path):
    files = home_certificate(tmp_path, HOSTS, now=NOW)
    authority = x509.load_pem_x509_certificate(files.authority.read_bytes())
    limits = authority.extensions.get_extension_for_class(x509.NameConstraints)
    assert limits.critical
    assert "192.168.0.0/16" in {str(name.value) for name in limits.value.permitted_subtrees}
    assert authority.extensions.get_extension_for_class(x509.BasicConstraints).value.path_length == 0


def test_the_keys_are_their_owners(tmp_path):
    home_certificate(tmp_path / "made", HOSTS, now=NOW)
    for name in ("computer.key", "authority.key"):
        assert (tmp_path / "made" / name).stat().st_mode & 0o077 == 0


def test_a_damaged_certificate_is_told_with_what_to_do(tmp_path):
    files = home_certificate(tmp_path, HOSTS, now=NOW)
    files.authority.write_text("nonsense")
    with pytest.raises(CertificateTrouble, match="Delete that folder"):
        home_certificate(tmp_path, HOSTS, now=NOW)
