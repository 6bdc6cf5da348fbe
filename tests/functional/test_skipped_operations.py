"""Operations that the connector skips by its contract, and that arrive all the same."""

from tests.functional.small_stream import keyed


def test_what_comes_all_the_same_is_taken_in_and_counted(make_project):
    project = make_project(
        "skipped",
        tables={
            "keyed": {"topic": "t.p.keyed", "key": ["id"], "columns": {"id": "int", "note": "text"}}
        },
    )
    project.land(
        [
            keyed(0, 100, "c", (1, "a")),
            keyed(1, 110, "c", (2, "b")),
            keyed(2, 120, "t"),
            keyed(3, 200, "c", (1, "c")),
            keyed(4, 210, "c", (2, "d")),
            keyed(5, 300, "d", before=(2, None)),
        ]
    )
    project.run("run")

    def contradictions() -> dict[tuple, int]:
        return {key: n for key, n in project.counts().items() if key[1] == "contradiction"}

    # a truncate arrived: that contradicts the default, which was not declared
    assert contradictions() == {}

    for said, counted in ((["d", "u"], 1), (["d", "t"], 2), (["none"], None)):
        project.tables["keyed"]["settings"] = {"skipped_operations": said}
        project.write()
        project.run("run")
        assert list(contradictions().values()) == ([counted] if counted else [])
        assert not [key for key in project.counts() if key[1] == "alarm"]
        assert [row["note"] for row in project.rows("cur_s__keyed")] == ["c"]
