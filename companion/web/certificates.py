"""The certificate for HTTPS at home: an authority of the table's own, made once, and a certificate for this computer.

A phone that trusts the authority shows no warning. The authority can vouch for home addresses only (private networks and
`.local` names, as its name constraints say), so a stolen key is of no use against any site on the internet.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from companion.errors import CompanionError

AUTHORITY_LASTS = timedelta(days=3650)
COMPUTER_LASTS = timedelta(days=390)
"""Phones refuse certificates of an own authority that last much longer than a year (Apple: 825 days, browsers: 398)."""
RENEW_BEFORE = timedelta(days=30)

HOME_NETWORKS = (
    *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8"),
    *("fc00::/7", "fe80::/10", "::1/128"),
)
HOME_NAMES = ("local", "localhost", "home.arpa", "lan", "home", "internal", "fritz.box")

_Key = ec.EllipticCurvePrivateKey


class CertificateTrouble(CompanionError):
    """The certificate cannot be made, read or kept."""


@dataclass(frozen=True, slots=True)
class HomeCertificate:
    """Where the files lie: the computer's chain and key (PEM) for the server, the authority for phones."""

    chain: Path
    key: Path
    authority: Path


def home_certificate(folder: Path, hosts: Iterable[str], *, now: datetime) -> HomeCertificate:
    """The certificate for these addresses and names, made or renewed where it does not fit.

    Args:
        folder: where the files are kept; made if missing, readable by its owner only.
        hosts: IP addresses and host names of this computer. Those that no home has are left out.
        now: the time, UTC.

    Raises:
        CertificateTrouble: the folder cannot be used.
    """
    files = HomeCertificate(folder / "computer.pem", folder / "computer.key", folder / "authority.crt")
    names = [name for name in map(_as_name, hosts) if name is not None]
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        authority, authority_key = _authority(files.authority, folder / "authority.key", now)
        if not _still_fits(files, authority, names, now):
            key = ec.generate_private_key(ec.SECP256R1())
            leaf = _sign_for_computer(key, names, authority, authority_key, now)
            _write(files.key, _key_bytes(key), private=True)
            _write(files.chain, _pem(leaf) + _pem(authority))
    except OSError as error:
        raise CertificateTrouble(
            f"The certificate for HTTPS cannot be kept in {folder}: {error.strerror}. Start with --no-tls, or choose "
            "another folder with --data."
        ) from error
    except ValueError as error:
        raise CertificateTrouble(
            f"A certificate in {folder} is damaged. Delete that folder and start again."
        ) from error
    return files


def _as_name(host: str) -> x509.GeneralName | None:
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        at_home = any(host == suffix or host.endswith("." + suffix) for suffix in HOME_NAMES)
        return x509.DNSName(host) if at_home and host.isascii() else None
    networks = map(ipaddress.ip_network, HOME_NETWORKS)
    at_home = any(address in network for network in networks if network.version == address.version)
    return x509.IPAddress(address) if at_home else None


def _authority(path: Path, key_path: Path, now: datetime) -> tuple[x509.Certificate, _Key]:
    if path.exists() and key_path.exists():
        certificate = x509.load_pem_x509_certificate(path.read_bytes())
        key = serialization.load_pem_private_key(key_path.read_bytes(), password=None)
        if certificate.not_valid_after_utc > now + COMPUTER_LASTS and isinstance(key, _Key):
            return certificate, key
    key = ec.generate_private_key(ec.SECP256R1())
    name = _name("Mexican Train companion at home")
    permitted: list[x509.GeneralName] = [x509.IPAddress(ipaddress.ip_network(network)) for network in HOME_NETWORKS]
    permitted += [x509.DNSName(suffix) for suffix in HOME_NAMES]
    certificate = (
        _builder(name, name, key.public_key(), now, AUTHORITY_LASTS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    _write(key_path, _key_bytes(key), private=True)
    _write(path, _pem(certificate))
    return certificate, key


def _sign_for_computer(
    key: _Key, names: list[x509.GeneralName], authority: x509.Certificate, authority_key: _Key, now: datetime
) -> x509.Certificate:
    authority_id = authority.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    return (
        _builder(_name("Mexican Train companion"), authority.subject, key.public_key(), now, COMPUTER_LASTS)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(authority_id), critical=False)
        .sign(authority_key, hashes.SHA256())
    )


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, now: datetime, lasts: timedelta
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))  # a phone's clock may be behind this computer's
        .not_valid_after(now + lasts)
    )


def _still_fits(
    files: HomeCertificate, authority: x509.Certificate, names: list[x509.GeneralName], now: datetime
) -> bool:
    if not (files.chain.exists() and files.key.exists()):
        return False
    leaf = x509.load_pem_x509_certificates(files.chain.read_bytes())[0]
    has = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    own = leaf.issuer == authority.subject and leaf.extensions.get_extension_for_class(
        x509.AuthorityKeyIdentifier
    ).value.key_identifier == (authority.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value.digest)
    return own and set(names) <= set(has) and leaf.not_valid_after_utc > now + RENEW_BEFORE


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _key_bytes(key: _Key) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _write(path: Path, data: bytes, *, private: bool = False) -> None:
    beside = path.with_suffix(".new")
    beside.unlink(missing_ok=True)
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o644), "wb") as file:
        file.write(data)
    beside.replace(path)
