"""Certificates made for one test, signed by an authority that is made with them."""

import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

PEM = serialization.Encoding.PEM
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Authority:
    """Signs certificates; with None in its place a certificate signs itself."""

    name: x509.Name
    key: ec.EllipticCurvePrivateKey
    file: Path
    """Its own certificate, for those who trust it."""


def make_authority(folder: Path, name: str = "Test authority") -> Authority:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = _named(name)
    certificate = (
        _describe(subject, subject, key, (-DAY, DAY))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / f"{name.replace(' ', '-')}.pem"
    file.write_bytes(certificate.public_bytes(PEM))
    return Authority(subject, key, file)


def make_tls(
    folder: Path,
    authority: Authority | None,
    address: str = "127.0.0.1",
    valid: tuple[timedelta, timedelta] = (-DAY, DAY),
) -> ssl.SSLContext:
    """Return what a server at *address* needs; *valid* is its time from now on."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = _named(address)
    issuer = authority.name if authority else subject
    addresses = x509.SubjectAlternativeName([x509.IPAddress(ip_address(address))])
    certificate = (
        _describe(subject, issuer, key, valid)
        .add_extension(addresses, critical=False)
        .sign(authority.key if authority else key, hashes.SHA256())
    )
    private = key.private_bytes(
        PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file = folder / "server.pem"
    file.write_bytes(private + certificate.public_bytes(PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _describe(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    valid: tuple[timedelta, timedelta],
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now + valid[0])
        .not_valid_after(now + valid[1])
    )
