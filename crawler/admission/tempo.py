"""How much slower than its site file says a scope is asked, judged by how it answers.

It is never asked faster. Pure, and without a clock: a change of pace shows in the answers that
come after it, so answers are what is counted.
"""

from dataclasses import dataclass, replace

WEIGHT = 0.2
"""Of one answer in the moving mean of latencies."""
WARM_UP = 5
"""Answers that say what is usual; before them nothing is judged."""
LOOK_EVERY = 8
"""Answers from one change of pace to the next look: those in flight know nothing of it."""
STRAIN = (3.0, 0.5)
"""A scope strains when its latency is so many times, and so many seconds, above the usual."""
CALM = (2.0, 0.25)
"""It is calm again below either of these."""
STEP = 1.5
SHORTEST, LONGEST = 0.1, 30.0
"""Seconds: the first delay of a scope that has none, and the last of one that only strains."""
REMEMBERED = 200
"""Answers for which a refusal is remembered: a second one within them slows the scope down."""


@dataclass(frozen=True, slots=True)
class Tempo:
    """``delay`` is in seconds; 0 while the pace of the site file will do."""

    delay: float = 0.0
    usual: float = 0.0
    """Seconds: the lowest that ``recent`` has been."""
    recent: float = 0.0
    """Seconds: moving mean of the time to an answer."""
    answers: int = 0
    looked_at: int = 0
    """How many answers there had been at the last change."""
    refused_at: int | None = None
    """How many answers there had been at the last refusal."""


def note_answer(tempo: Tempo, latency: float, base: float) -> Tempo:
    """Return the tempo after one more answer; *base* is the delay of the site file in seconds."""
    answers = tempo.answers + 1
    weight = max(WEIGHT, 1 / answers)
    recent = tempo.recent + weight * (latency - tempo.recent)
    usual = recent if answers <= WARM_UP else min(tempo.usual, recent)
    seen = replace(tempo, answers=answers, recent=recent, usual=usual)
    if answers < WARM_UP or answers < tempo.looked_at + LOOK_EVERY:
        return seen
    if _is_beyond(seen, STRAIN):
        return _slow_down(seen, base)
    if tempo.delay and not _is_beyond(seen, CALM):
        return _speed_up(seen, base)
    return seen


def note_refusal(tempo: Tempo, base: float) -> Tempo:
    """Return the tempo after a refusal: the first costs its cool-down, the next ones the pace."""
    last = tempo.refused_at
    seen = replace(tempo, refused_at=tempo.answers)
    if last is None or tempo.answers - last > REMEMBERED:
        return seen
    return _slow_down(seen, base)


def _is_beyond(tempo: Tempo, threshold: tuple[float, float]) -> bool:
    times, seconds = threshold
    return tempo.recent > times * tempo.usual and tempo.recent - tempo.usual > seconds


def _slow_down(tempo: Tempo, base: float) -> Tempo:
    delay = min(max(SHORTEST, STEP * max(tempo.delay, base)), max(LONGEST, base))
    return replace(tempo, delay=delay, looked_at=tempo.answers)


def _speed_up(tempo: Tempo, base: float) -> Tempo:
    delay = tempo.delay / STEP
    is_over = delay <= base or delay < SHORTEST / STEP
    return replace(tempo, delay=0.0 if is_over else delay, looked_at=tempo.answers)
