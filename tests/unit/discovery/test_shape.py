import pytest

from crawler.discovery.shape import shape_of

AT = "https://hall.example"


@pytest.mark.parametrize(
    ("url", "shape"),
    [
        ("/events/17", "/events/<int>"),
        ("/events/17-jazz", "/events/<int>-jazz"),
        ("/2027/01/31/", "/<int>/<int>/<int>/"),
        ("/calendar?month=2027-01&view=list", "/calendar?month&view"),
        ("/calendar?view=list&month=&month=2", "/calendar?month&view"),
        ("/s/8f3a9c01d2/list", "/s/<id>/list"),
        ("/s/123e4567-e89b-12d3-a456-426614174000", "/s/<id>"),
        ("/s/aZ09-xY17_kk28mm39pp", "/s/<id>"),
        ("/docs/getting-started-with-everything", "/docs/getting-started-with-everything"),
        ("/facade/deadbeef", "/facade/deadbeef"),
        ("", ""),
    ],
)
def test_numbers_ids_and_values_make_no_other_shape(url: str, shape: str) -> None:
    assert shape_of(AT + url) == AT + shape


def test_hosts_are_told_apart() -> None:
    assert shape_of("https://a.example/1") != shape_of("https://b.example/1")
