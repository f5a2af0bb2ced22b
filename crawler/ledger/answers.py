"""What models answered, kept before anything is derived from it. The first answer stands."""

import sqlalchemy as sa

from crawler.contracts.model import AnswerKey, ModelAnswer
from crawler.ledger.database import upsert
from crawler.ledger.tables import model_answers


def find_answer(conn: sa.Connection, key: AnswerKey) -> ModelAnswer | None:
    query = sa.select(
        model_answers.c.capture_id,
        model_answers.c.answer,
        model_answers.c.input_tokens,
        model_answers.c.output_tokens,
    ).where(
        model_answers.c.site == key.site,
        model_answers.c.zone_hash == key.zone_hash,
        model_answers.c.rule_version == key.rule_version,
        model_answers.c.model == key.model,
    )
    found = conn.execute(query).one_or_none()
    return ModelAnswer(key, *found) if found else None


def keep_answer(conn: sa.Connection, answer: ModelAnswer, now: float) -> ModelAnswer:
    """Return the answer that stands: this one, or what another worker was told before."""
    values = {
        "site": answer.key.site,
        "zone_hash": answer.key.zone_hash,
        "rule_version": answer.key.rule_version,
        "model": answer.key.model,
        "capture_id": answer.capture_id,
        "answer": answer.text,
        "input_tokens": answer.input_tokens,
        "output_tokens": answer.output_tokens,
        "answered_at": now,
    }
    conn.execute(upsert(conn, model_answers).on_conflict_do_nothing(), values)
    kept = find_answer(conn, answer.key)
    assert kept is not None
    return kept
