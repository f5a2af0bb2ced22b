"""What Scrapy 2.19 does by default and must not do here."""

import json
import os
import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.e2e.bulletins import article, board, write_bulletins
from tests.e2e.ledger import read_rows
from tests.e2e.project import Project
from tests.e2e.server import Hit, Server, Step, page, redirect

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize("concurrency", [1, 2, 8])
def test_the_concurrency_of_a_site_is_enforced_without_a_delay(
    project: Project, server: Server, concurrency: int
) -> None:
    server.compute("/p/*", lambda hit: Step(board(article(hit.path)).body, delay=0.03))
    pages = [f"/p/{number}" for number in range(40)]
    access = {"concurrency": concurrency, "delay": 0}
    write_bulletins(project, server, *pages, access=access)

    finished = project.scrapy("crawl", "bulletins")

    assert finished.code == 0, finished.stderr
    assert server.most_in_flight == concurrency
    assert [server.hits(target) for target in pages] == [1] * 40


def test_the_concurrency_setting_holds_where_the_site_file_says_nothing(
    project: Project, server: Server
) -> None:
    server.compute("/p/*", lambda hit: Step(board(article(hit.path)).body, delay=0.03))
    write_bulletins(project, server, *(f"/p/{number}" for number in range(40)))

    finished = project.scrapy("crawl", "bulletins", settings={"CONCURRENT_REQUESTS_PER_DOMAIN": 3})

    assert finished.code == 0, finished.stderr
    assert server.most_in_flight == 3


def test_a_redirect_is_charged_to_the_host_it_leads_to(project: Project, server: Server) -> None:
    with Server(host="127.0.0.2") as second:
        server.compute("/r/*", lambda hit: redirect(second.url(f"/p/{hit.path[3:]}")))
        second.compute("/p/*", lambda hit: Step(board(article(hit.path)).body, delay=0.05))
        server.compute("/p/*", lambda hit: Step(board(article(f"own{hit.path}")).body, delay=0.05))
        access = {
            "permit_private": [server.authority, second.authority],
            "hosts": [second.url("")],
            "concurrency": 2,
        }
        starts = [f"/{kind}/{number}" for number in range(20) for kind in "rp"]
        write_bulletins(project, server, *starts, access=access)

        finished = project.scrapy("crawl", "bulletins")

        assert finished.code == 0, finished.stderr
        assert server.most_in_flight <= 2
        assert second.most_in_flight == 2
        assert len([hit for hit in second.log if hit.path.startswith("/p/")]) == 20
    rows = read_rows(project.data, "bulletins")
    assert {row.scope for target, row in rows.items() if target.startswith("/r/")} == {"127.0.0.2"}
    assert {row.reason for row in rows.values()} == {"eligible"}


# Doors that stay shut


def listening(pid: int) -> list[str]:
    """Return the local addresses at which a process listens."""
    sockets = {link.readlink().name for link in Path(f"/proc/{pid}/fd").iterdir() if is_link(link)}
    lines = [
        line.split()
        for table in ("tcp", "tcp6")
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]
    ]
    return [line[1] for line in lines if line[3] == "0A" and f"socket:[{line[9]}]" in sockets]


def is_link(path: Path) -> bool:
    try:
        path.readlink()
    except OSError:
        return False
    return True


def test_a_crawl_listens_nowhere(project: Project, server: Server) -> None:
    found: list[list[str]] = []
    write_bulletins(project, server, "/look")

    def look(hit: Hit) -> Step:
        found.append(listening(process.pid))
        return board(article("look"))

    server.compute("/look", look)
    with project.start("crawl", "bulletins") as process:
        _, stderr = process.communicate(timeout=60)

    assert process.returncode == 0, stderr
    assert found == [[]]


def test_the_look_for_listeners_sees_one(server: Server) -> None:
    port = int(server.authority.rpartition(":")[2])

    assert f"0100007F:{port:04X}" in listening(os.getpid())


@pytest.mark.parametrize("scheme", ["file", "data", "ftp", "s3"])
def test_there_is_no_handler_for_a_scheme_other_than_http(project: Project, scheme: str) -> None:
    handlers = json.loads(project.scrapy("settings", "--get", "DOWNLOAD_HANDLERS").stdout)

    assert handlers[scheme] is None


@pytest.mark.parametrize("name", ["TELNETCONSOLE_ENABLED", "REMOTE_CONTROL_ENABLED"])
def test_remote_control_is_off(project: Project, name: str) -> None:
    assert project.scrapy("settings", "--getbool", name).stdout.strip() == "False"


# Certificates


def make_tls(folder: Path) -> ssl.SSLContext:
    """Return a context whose certificate for 127.0.0.1 nobody has signed but itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    addresses = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(addresses, critical=False)
        .sign(key, hashes.SHA256())
    )
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain)
    file = folder / "server.pem"
    file.write_bytes(private + certificate.public_bytes(pem))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


@pytest.mark.parametrize("obeys", [True, False], ids=["robots.txt first", "the page at once"])
def test_a_host_that_cannot_prove_who_it_is_is_not_read(
    project: Project, tmp_path: Path, obeys: bool
) -> None:
    with Server({"/bulletins": (board(article("x")),)}, tls=make_tls(tmp_path)) as server:
        write_bulletins(project, server, "/bulletins")

        finished = project.scrapy("crawl", "bulletins", settings={"ROBOTSTXT_OBEY": obeys})

        assert server.log == ()
    row = read_rows(project.data, "bulletins")["/bulletins"]
    assert (row.state, row.reason) == ("done", "refused_address"), finished.stderr
    assert "certificate of the host is not valid: nobody but the host itself" in (row.detail or "")
    assert row.decisions == () or row.decisions[-1]["action"] == "stop"


def test_a_host_whose_certificate_is_trusted_is_read(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tls = make_tls(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "server.pem"))
    with Server({"/bulletins": (board(article("x")),)}, tls=tls) as server:
        write_bulletins(project, server, "/bulletins")

        finished = project.scrapy("crawl", "bulletins")

        assert finished.code == 0, finished.stderr
        assert server.hits("/bulletins") == 1
    assert read_rows(project.data, "bulletins")["/bulletins"].reason == "eligible"


def test_no_proxy_of_the_environment_is_asked(
    project: Project, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.serve("/bulletins", board(article("x")))
    write_bulletins(project, server, "/bulletins")
    with Server({"/*": (page("proxy"),)}) as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url())

        assert project.scrapy("crawl", "bulletins").code == 0

        assert proxy.log == ()
    assert server.hits("/bulletins") == 1
