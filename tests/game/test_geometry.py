"""Points, vertices, neighbours, symmetries and star points of every board size."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from foogo import BLACK, EMPTY, PASS, WHITE, ArgumentError, SizeError, VertexError
from foogo.game.geometry import Geometry, check_color, geometry, opponent
from tests import oracle

SIZES = range(2, 20)


def test_constants_are_plain_ints() -> None:
    assert (EMPTY, BLACK, WHITE, PASS) == (0, 1, 2, -1)
    assert opponent(BLACK) == WHITE
    assert opponent(WHITE) == BLACK


@pytest.mark.parametrize("size", SIZES)
def test_vertices_and_points_are_inverse(size: int) -> None:
    board = geometry(size)
    vertices = [board.vertex(point) for point in range(board.area)]
    assert [board.point(vertex) for vertex in vertices] == list(range(size * size))
    assert [board.point(vertex.lower()) for vertex in vertices] == list(range(size * size))
    assert len(set(vertices)) == board.area == size * size
    assert not any("I" in vertex for vertex in vertices)


@pytest.mark.parametrize(
    ("size", "vertex", "point"),
    [(9, "A1", 0), (9, "J1", 8), (9, "A2", 9), (9, "e5", 40), (19, "T19", 360), (19, " q16 ", 300)],
)
def test_known_vertices(size: int, vertex: str, point: int) -> None:
    assert geometry(size).point(vertex) == point


@pytest.mark.parametrize("text", ["pass", "PASS", "Pass", " pass "])
def test_pass_is_a_vertex(text: str) -> None:
    assert geometry(9).point(text) == PASS
    assert geometry(9).vertex(PASS) == "pass"


@pytest.mark.parametrize(
    "vertex", ["I5", "K1", "A0", "A10", "", " ", "5E", "E", "5", "E5E", "AA", "E٥", "E-5", "E 5", "E+5"]
)
def test_other_text_is_no_vertex(vertex: str) -> None:
    with pytest.raises(VertexError, match="is not on a 9x9 board: columns are A-H and J, rows 1-9"):
        geometry(9).point(vertex)


@pytest.mark.parametrize(("size", "columns"), [(2, "A-B"), (8, "A-H"), (9, "A-H and J"), (19, "A-H and J-T")])
def test_the_message_names_the_columns(size: int, columns: str) -> None:
    with pytest.raises(VertexError, match=f"columns are {columns}, rows 1-{size}$"):
        geometry(size).point("Z1")


@pytest.mark.parametrize("size", SIZES)
def test_neighbors_and_diagonals(size: int) -> None:
    board = geometry(size)
    for point in range(board.area):
        assert board.neighbors[point] == tuple(sorted(oracle.neighbors(size, point)))
        assert board.diagonals[point] == tuple(sorted(oracle.diagonals(size, point)))


@pytest.mark.parametrize("size", SIZES)
def test_symmetries_keep_neighbors_and_form_a_group(size: int) -> None:
    board = geometry(size)
    images = board.symmetries
    assert images.shape == (8, board.area)
    np.testing.assert_array_equal(images[0], np.arange(board.area))
    rows = {tuple(row) for row in images.tolist()}
    assert len(rows) == 8
    for image in images.tolist():
        assert sorted(image) == list(range(board.area))
        for point, near in enumerate(board.neighbors):
            assert {image[p] for p in near} == set(board.neighbors[image[point]])
        assert {tuple(images[s][image].tolist()) for s in range(8)} == rows
    with pytest.raises(ValueError, match="read-only"):
        images[0, 0] = 1


@pytest.mark.parametrize(("size", "groups"), [(2, 1), (3, 3), (9, 15), (13, 28), (19, 55)])
def test_orbits_partition_the_board(size: int, groups: int) -> None:
    orbits = geometry(size).orbits
    assert len(orbits) == groups
    assert sorted(point for orbit in orbits for point in orbit) == list(range(size * size))


@pytest.mark.parametrize(
    ("size", "stars"),
    [
        (4, ""), (5, "C3"), (7, "D4"), (8, "C3 F3 C6 F6"), (9, "C3 G3 E5 C7 G7"), (13, "D4 K4 G7 D10 K10"),
        (19, "D4 K4 Q4 D10 K10 Q10 D16 K16 Q16"),
    ],
)  # fmt: skip
def test_star_points(size: int, stars: str) -> None:
    assert [geometry(size).vertex(point) for point in geometry(size).star_points] == stars.split()


@pytest.mark.parametrize("size", [1, 0, -9, 20, 9.0, True, "9", None, np.float64(9)])
def test_bad_sizes(size: object) -> None:
    with pytest.raises(SizeError, match="sizes are whole numbers from 2 to 19"):
        geometry(size)  # type: ignore[arg-type]
    with pytest.raises(SizeError):
        Geometry(size)  # type: ignore[arg-type]


@pytest.mark.parametrize("point", [-2, 81, 4.0, True, None])
def test_bad_points(point: object) -> None:
    with pytest.raises(VertexError, match="points are 0-80"):
        geometry(9).check_move(point)  # type: ignore[arg-type]


def test_numpy_integers_are_whole_numbers() -> None:
    assert geometry(np.int64(9)) is geometry(9)
    assert type(geometry(9).check_vertex(np.int16(80))) is int
    assert geometry(9).check_move(np.int8(-1)) == PASS


@pytest.mark.parametrize("color", [0, 3, -1, True, "black", None, 1.0])
def test_bad_colors(color: object) -> None:
    with pytest.raises(ArgumentError, match=r"colors are BLACK \(1\) and WHITE \(2\)"):
        check_color(color)  # type: ignore[arg-type]


def test_there_is_one_geometry_of_a_size() -> None:
    assert pickle.loads(pickle.dumps(geometry(9))) is geometry(9)
    assert copy.deepcopy(geometry(9)) is geometry(9)
