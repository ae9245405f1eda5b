"""What no database may refuse: file names and an agent's words hold anything."""

from __future__ import annotations

import math

import pytest
from sqlalchemy import Engine, text

from app.breaker import Circuit, Outcome, State, Step, Transition
from app.store.circuits import CircuitKey, CircuitStore
from app.store.columns import storable
from app.store.reviews import ReviewStore
from tests.app.breaker.builders import NOON, outcome
from tests.app.store.builders import A, finished

ODD = {
    "nul": "a\0b",
    "surrogate": "a\udc80b",
    "pair": "a\ud83d\ude00b",
    "long": "x" * 999,
}


@pytest.fixture(params=ODD)
def odd(request: pytest.FixtureRequest) -> str:
    """Return a text that PostgreSQL refuses, or a column cannot hold."""
    return ODD[request.param]


@pytest.fixture
def reviews(database: Engine) -> ReviewStore:
    """Return a store on a new database."""
    return ReviewStore(database)


def test_a_review_with_odd_words_is_kept(reviews: ReviewStore, odd: str) -> None:
    """Its row and everything inside of its result can be read back."""
    result = {"paths": [odd], odd: {"deep": (odd, 1, None, True)}}
    reviews.keep(finished(odd, agent=odd, situation=odd, result=result))

    [row] = reviews.latest()
    mended = storable(odd)
    assert row.result == {"paths": [mended], mended: {"deep": [mended, 1, None, True]}}
    assert row.agent == storable(odd, 200)


def test_a_review_with_an_odd_id_is_kept_once(reviews: ReviewStore, odd: str) -> None:
    """It is found again by the id as it was given."""
    reviews.keep(finished(odd))
    reviews.keep(finished(odd))

    assert len(reviews.latest()) == 1


def test_what_an_odd_name_wants_is_found_again(reviews: ReviewStore, odd: str) -> None:
    """The key is mended alike when it is written and when it is asked for."""
    name = f"o/{odd[:90]}"
    reviews.want(
        repository=name,
        number=7,
        installation_id=1,
        head_sha=A,
        reason=odd,
        asked_by=odd,
        now=NOON,
    )

    found = reviews.wanted(f"{name}#7")
    assert found is not None
    assert found.reason == storable(odd, 200)


def test_a_configuration_with_odd_words_is_kept(reviews: ReviewStore, odd: str) -> None:
    """Also when the name of the default branch is a long one."""
    reviews.keep_config("o/r", source=odd, text=odd, now=NOON)

    assert reviews.last_config("o/r") == storable(odd)


def test_a_circuit_with_odd_words_is_kept(database: Engine, odd: str) -> None:
    """A model's name is what the configuration says, of any length."""
    circuits = CircuitStore(database)
    key = CircuitKey(repository="o/r", agent=f"builtin:{odd}")
    told = outcome(Circuit(), review_id=odd, reason=odd)

    def trip(circuit: Circuit, told: Outcome = told) -> Step:
        transition = Transition(
            at=NOON,
            source=State.CLOSED,
            target=State.OPEN,
            reason=told.reason,
            reading=1.0,
            p0=0.1,
            generation=1,
            actor=odd,
        )
        return Step(circuit=Circuit(state=State.OPEN), transition=transition)

    circuits.tell(key, told, trip, now=NOON)
    circuits.tell(key, told, trip, now=NOON)

    [(found, circuit)] = circuits.all()
    [transition] = circuits.transitions(found)
    assert circuit == circuits.get(key)
    assert circuit.state is State.OPEN
    assert transition.reason == storable(odd)


def test_numbers_that_are_none_are_kept(reviews: ReviewStore) -> None:
    """JSON has no NaN; the text in its place is read as the same number."""
    reviews.keep(finished(result={"confidence": [math.nan, math.inf, 0.5]}))

    [row] = reviews.latest()
    kept = [float(each) for each in row.result["confidence"]]
    assert math.isnan(kept[0])
    assert kept[1:] == [math.inf, 0.5]


def test_the_database_itself_can_read_what_is_kept(
    database: Engine, reviews: ReviewStore
) -> None:
    """PostgreSQL stores an escaped NUL in JSON, and then refuses to look at it."""
    reviews.keep(finished(result={"path": "a\0b\udc80", "x": math.nan}))

    query = (
        "select result::jsonb ->> 'path' from reviews"
        if database.dialect.name == "postgresql"
        else "select result ->> 'path' from reviews"
    )
    with database.connect() as connection:
        assert connection.execute(text(query)).scalar_one() == "a\ufffdb\ufffd"


def test_long_texts_that_differ_at_the_end_still_differ() -> None:
    """Cutting must not make one circuit out of two."""
    one, other = storable("x" * 300 + "1", 200), storable("x" * 300 + "2", 200)

    assert one != other
    assert len(one) == len(other) == 200
    assert storable(one, 200) == one
