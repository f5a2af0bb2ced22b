"""The schema. Times are epoch seconds; JSON is text that this package wrote itself."""

from typing import Any

import sqlalchemy as sa

from crawler.ledger.text import storable

SCHEMA_VERSION = 4
"""Of a ledger that lacks what stands here, ``upgrade`` adds it: new columns have a default or may
be null. What else a change needs is a step there.
"""
AnyRow = sa.Row[*tuple[Any, ...]]

# Literals, not parameters: a planner uses a partial index only when it can read its condition.
PENDING: sa.ColumnElement[str] = sa.literal_column("'pending'")
DEFERRED: sa.ColumnElement[str] = sa.literal_column("'deferred'")
LEASED: sa.ColumnElement[str] = sa.literal_column("'leased'")
DONE: sa.ColumnElement[str] = sa.literal_column("'done'")

ACCEPTED = "accepted"
UNCHANGED = "unchanged"
DIED = "died"
"""End of a run whose process vanished."""


class Text(sa.TypeDecorator[str]):
    """Text that may come from a page: what a database cannot store is replaced, never refused."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> str | None:
        return None if value is None else storable(value)


ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

metadata = sa.MetaData()


def _required(name: str, kind: Any, *constraints: Any, default: str | None = None) -> Any:
    return sa.Column(name, kind, *constraints, nullable=False, server_default=default)


meta = sa.Table(
    "meta",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    _required("value", sa.Text),
)

owners = sa.Table(
    "owners",
    metadata,
    sa.Column("owner", sa.Text, primary_key=True),
    _required("started_at", sa.Double),
    sa.Column("closed_at", sa.Double),
)

cycles = sa.Table(
    "cycles",
    metadata,
    sa.Column("id", ID, primary_key=True),
    _required("site", sa.Text),
    _required("number", sa.Integer),
    _required("opened_at", sa.Double),
    sa.Column("closed_at", sa.Double),
    _required("admitted", sa.Integer, default="0"),
    _required("duplicates", sa.Integer, default="0"),
    _required("listings", sa.Integer, default="0"),
    _required("retries", sa.Integer, default="0"),
    # The verdicts on its collections, and on all of them together; null until it is closed.
    sa.Column("collections", Text),
    sa.Column("complete", sa.Integer),
    sa.UniqueConstraint("site", "number"),
)
sa.Index(
    "one_open_cycle",
    cycles.c.site,
    unique=True,
    sqlite_where=cycles.c.closed_at.is_(None),
    postgresql_where=cycles.c.closed_at.is_(None),
)

runs = sa.Table(
    "runs",
    metadata,
    sa.Column("run", sa.Text, primary_key=True),
    _required("site", sa.Text),
    _required("cycle", ID, sa.ForeignKey(cycles.c.id)),
    _required("owner", sa.Text, sa.ForeignKey(owners.c.owner)),
    _required("started_at", sa.Double),
    sa.Column("ended_at", sa.Double),
    sa.Column("ended_as", sa.Text),
    _required("counters", sa.Text, default="{}"),
    _required("site_hash", sa.Text),
    _required("authorization_hash", sa.Text),
    _required("rule_version", sa.Text),
    _required("versions", sa.Text),
    sa.Index("runs_of_site", "site", "started_at"),
    sa.Index("runs_of_owner", "owner"),
)

requests = sa.Table(
    "requests",
    metadata,
    sa.Column("id", ID, primary_key=True),
    _required("cycle", ID, sa.ForeignKey(cycles.c.id)),
    _required("fingerprint", sa.Text),
    _required("scope", sa.Text),
    _required("url", Text),
    _required("requested_url", Text),
    _required("method", sa.Text),
    _required("body", sa.LargeBinary),
    _required("headers", Text),
    # What was admitted, once a redirect has made it another; null before.
    sa.Column("requested_method", sa.Text),
    sa.Column("requested_body", sa.LargeBinary),
    sa.Column("requested_headers", Text),
    sa.Column("requested_scope", sa.Text),
    sa.Column("callback", sa.Text),
    _required("cb_kwargs", Text),
    _required("priority", sa.Integer),
    _required("depth", sa.Integer),
    sa.Column("shape", Text),
    _required("listed", sa.Text, default=""),
    _required("barren", sa.Integer, default="0"),
    _required("page_kind", sa.Text),
    _required("representation", sa.Text),
    _required("state", sa.Text),
    _required("attempts", sa.Integer, default="0"),
    _required("deferrals", sa.Integer, default="0"),
    _required("interrupted", sa.Integer, default="0"),
    _required("crashes", sa.Integer, default="0"),
    _required("reopened", sa.Integer, default="0"),
    _required("spent_seconds", sa.Double, default="0"),
    _required("redirects", Text, default="[]"),
    sa.Column("not_before", sa.Double),
    sa.Column("owner", sa.Text),
    sa.Column("lease_token", sa.Text),
    sa.Column("lease_until", sa.Double),
    _required("admitted_at", sa.Double),
    sa.Column("ended_at", sa.Double),
    sa.Column("reason", sa.Text),
    sa.Column("kind", sa.Text),
    sa.Column("detail", Text),
    sa.Column("trace", Text),
    sa.Column("report", Text),
    # The row that has the page, where this one ended as redirected_to_seen.
    sa.Column("same_as", ID),
    sa.UniqueConstraint("cycle", "fingerprint"),
)


def _partial_index(name: str, state: Any, *columns: Any) -> None:
    sa.Index(name, *columns, sqlite_where=state, postgresql_where=state)


IS_PENDING = requests.c.state == PENDING
IS_DEFERRED = requests.c.state == DEFERRED
IS_LEASED = requests.c.state == LEASED
IS_OPEN = requests.c.state != DONE
IS_SESSION_EXPIRED = requests.c.reason == sa.literal_column("'session_expired'")
LEASE_ORDER = (requests.c.interrupted.desc(), requests.c.priority.desc(), requests.c.id)

_partial_index("requests_pending", IS_PENDING, requests.c.cycle, requests.c.scope, *LEASE_ORDER)
_partial_index("requests_deferred", IS_DEFERRED, requests.c.cycle, requests.c.not_before)
_partial_index("requests_leased", IS_LEASED, requests.c.owner, requests.c.cycle)
_partial_index("requests_expiring", IS_LEASED, requests.c.lease_until)
_partial_index("requests_open", IS_OPEN, requests.c.cycle)
_partial_index("requests_session_expired", IS_SESSION_EXPIRED, requests.c.cycle)

_partial_index("requests_shaped", requests.c.shape.is_not(None), requests.c.cycle, requests.c.shape)

listings = sa.Table(
    "listings",
    metadata,
    sa.Column("row_id", ID, sa.ForeignKey(requests.c.id), primary_key=True),
    _required("cycle", ID, sa.ForeignKey(cycles.c.id)),
    _required("page", Text),
    sa.Index("listings_of_cycle", "cycle"),
)

left_out = sa.Table(
    "left_out",
    metadata,
    sa.Column("id", ID, primary_key=True),
    _required("cycle", ID, sa.ForeignKey(cycles.c.id)),
    # Null for start URLs and what a hand-written spider yielded.
    sa.Column("row_id", ID, sa.ForeignKey(requests.c.id)),
    _required("bound", sa.Text),
    _required("links", sa.Integer),
    sa.Index("left_out_of_cycle", "cycle", "bound"),
    sa.Index("left_out_of_row", "row_id"),
)

aliases = sa.Table(
    "aliases",
    metadata,
    sa.Column("cycle", ID, sa.ForeignKey(cycles.c.id), primary_key=True),
    sa.Column("fingerprint", sa.Text, primary_key=True),
    _required("row_id", ID, sa.ForeignKey(requests.c.id)),
    sa.Index("aliases_of_row", "row_id"),
)

cycle_scopes = sa.Table(
    "cycle_scopes",
    metadata,
    sa.Column("cycle", ID, sa.ForeignKey(cycles.c.id), primary_key=True),
    sa.Column("scope", sa.Text, primary_key=True),
)

scopes = sa.Table(
    "scopes",
    metadata,
    sa.Column("scope", sa.Text, primary_key=True),
    _required("next_at", sa.Double, default="0"),
    _required("not_before", sa.Double, default="0"),
    _required("backoff", sa.Integer, default="0"),
    _required("trips", sa.Integer, default="0"),
    sa.Column("tripped_by", sa.Text),
)

shares = sa.Table(
    "shares",
    metadata,
    sa.Column("scope", sa.Text, primary_key=True),
    sa.Column("owner", sa.Text, sa.ForeignKey(owners.c.owner), primary_key=True),
    _required("slots", sa.Integer),
    _required("ceiling", sa.Integer),
    _required("expires_at", sa.Double),
    sa.Index("shares_of_owner", "owner"),
)

expired_sessions = sa.Table(
    "expired_sessions",
    metadata,
    sa.Column("site", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, primary_key=True),
    _required("fingerprint", sa.Text),
    _required("expired_at", sa.Double),
)

decisions = sa.Table(
    "decisions",
    metadata,
    sa.Column("id", ID, primary_key=True),
    _required("row_id", ID, sa.ForeignKey(requests.c.id)),
    _required("decided_at", sa.Double),
    _required("decision", Text),
    sa.Index("decisions_of_row", "row_id"),
)

captures = sa.Table(
    "captures",
    metadata,
    sa.Column("id", ID, primary_key=True),
    _required("capture_id", sa.Text),
    sa.Column("row_id", ID, sa.ForeignKey(requests.c.id)),
    sa.Column("cycle", ID, sa.ForeignKey(cycles.c.id)),
    _required("run", sa.Text),
    _required("site", sa.Text),
    _required("url", Text),
    _required("final_url", Text),
    _required("status", sa.Integer),
    sa.Column("kind", sa.Text),
    sa.Column("reason", sa.Text),
    _required("eligible", sa.Integer),
    _required("digest", sa.Text),
    _required("file", sa.Text),
    _required("byte_offset", sa.BigInteger),
    _required("byte_length", sa.BigInteger),
    sa.Column("refers_to", sa.Text),
    _required("observed_at", sa.Text),
    _required("media_type", Text),
    _required("representation", sa.Text),
    _required("page_kind", sa.Text),
    _required("session", sa.Text, default=""),
    sa.UniqueConstraint("capture_id"),
    sa.Index("captures_by_digest", "digest", "site", "final_url"),
    sa.Index("captures_of_row", "row_id"),
    sa.Index("captures_of_site", "site", "id"),
)

records = sa.Table(
    "records",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    _required("site", sa.Text),
    _required("source_id", Text),
    _required("type", sa.Text),
    _required("key", Text),
    sa.Column("current_version", sa.Integer),
    _required("last_version", sa.Integer),
    sa.Column("claim_cycle", ID),
    sa.Column("claim_row", ID),
    sa.UniqueConstraint("site", "type", "key"),
)

record_versions = sa.Table(
    "record_versions",
    metadata,
    sa.Column("record", sa.Text, sa.ForeignKey(records.c.id), primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True),
    _required("capture_id", sa.Text, sa.ForeignKey(captures.c.capture_id)),
    _required("digest", sa.Text),
    _required("content_hash", sa.Text),
    _required("extractor_version", sa.Text),
    _required("rule_version", sa.Text),
    _required("schema_version", sa.Text),
    _required("observed_at", sa.Text),
    _required("url", Text),
    _required("fields", Text),
    _required("position", sa.Integer),
    _required("created_at", sa.Double),
    _required("withdrawn", sa.Integer, default="0"),
    sa.UniqueConstraint(
        "record", "capture_id", "extractor_version", "rule_version", "schema_version"
    ),
)

observations = sa.Table(
    "observations",
    metadata,
    sa.Column("cycle", ID, sa.ForeignKey(cycles.c.id), primary_key=True),
    sa.Column("record", sa.Text, sa.ForeignKey(records.c.id), primary_key=True),
    _required("row_id", ID, sa.ForeignKey(requests.c.id)),
    _required("capture_id", sa.Text, sa.ForeignKey(captures.c.capture_id)),
    _required("version", sa.Integer),
    _required("status", sa.Text),
    _required("observed_at", sa.Text),
    sa.Index("observations_of_row", "row_id"),
    sa.Index("observations_of_record", "record", "cycle"),
)

disappearances = sa.Table(
    "disappearances",
    metadata,
    sa.Column("cycle", ID, sa.ForeignKey(cycles.c.id), primary_key=True),
    sa.Column("record", sa.Text, sa.ForeignKey(records.c.id), primary_key=True),
    sa.Index("disappearances_of_record", "record", "cycle"),
)

model_answers = sa.Table(
    "model_answers",
    metadata,
    sa.Column("site", sa.Text, primary_key=True),
    sa.Column("zone_hash", sa.Text, primary_key=True),
    sa.Column("rule_version", sa.Text, primary_key=True),
    sa.Column("model", sa.Text, primary_key=True),
    # Not a foreign key: an answer is durable before the page that it is about.
    _required("capture_id", sa.Text),
    _required("answer", Text),
    _required("input_tokens", sa.BigInteger),
    _required("output_tokens", sa.BigInteger),
    _required("answered_at", sa.Double),
)

rendering_needs = sa.Table(
    "rendering_needs",
    metadata,
    sa.Column("site", sa.Text, primary_key=True),
    sa.Column("page_kind", sa.Text, primary_key=True),
    _required("site_hash", sa.Text),
    _required("in_a_row", sa.Integer),
    _required("at_once", sa.Integer),
    _required("decided", sa.Integer),
    _required("missing", Text),
)

rejections = sa.Table(
    "rejections",
    metadata,
    sa.Column("id", ID, primary_key=True),
    _required("cycle", ID, sa.ForeignKey(cycles.c.id)),
    _required("row_id", ID, sa.ForeignKey(requests.c.id)),
    sa.Column("capture_id", sa.Text),
    _required("reason", sa.Text),
    _required("rejection", Text),
    _required("rule_version", sa.Text),
    _required("extractor_version", sa.Text),
    _required("rejected_at", sa.Double),
    sa.Index("rejections_of_row", "row_id"),
    sa.Index("rejections_of_cycle", "cycle", "reason"),
)
