"""Which fields of `source` give a position in the log, and which do not (`missing_position`)."""

import json

import pytest

from afterimage.macros import Macros

MACROS = Macros()
LSN = "00000027:00000758:0005"
LSN_TEXT = "00000027000007580005"
NONE = "00000000000000000000"
DB2_LSN = "00000000:00000000:0000000000031e15"
# connector -> [(source, position)], every documented form and similar ones
PLACES = {
    "sqlserver": [
        (
            {"commit_lsn": LSN, "change_lsn": "00000027:00000758:000A", "event_serial_no": "2"},
            f"{LSN_TEXT}.0000002700000758000a.{2:019d}",
        ),
        ({"commit_lsn": LSN}, f"{LSN_TEXT}.{NONE}.{0:019d}"),
        ({"commit_lsn": LSN, "change_lsn": "null"}, f"{LSN_TEXT}.{NONE}.{0:019d}"),
        ({"commit_lsn": None}, None),
        ({"commit_lsn": "null"}, None),
        ({"commit_lsn": "0x0000002700000758000A"}, None),
        ({"commit_lsn": "00000027:00000758:5"}, None),
        ({"commit_lsn": LSN + "\n"}, None),
        ({"commit_lsn": LSN.replace(":", ".")}, None),
        ({"commit_lsn": LSN, "change_lsn": "00000027:00000758"}, None),
        ({"commit_lsn": LSN, "change_lsn": ""}, None),
        ({"commit_lsn": LSN, "event_serial_no": "-1"}, None),
        ({"commit_lsn": LSN, "event_serial_no": "1.5"}, None),
        ({"commit_lsn": LSN, "event_serial_no": "1\n"}, None),
    ],
    "oracle": [
        ({"scn": "1513734"}, f"{1513734:020d}"),
        ({"scn": "18446744073709551615"}, "18446744073709551615"),
        ({"scn": None}, None),
        ({"scn": ""}, None),
        ({"scn": "-1"}, None),
        ({"scn": "1.5"}, None),
        ({"scn": "1e6"}, None),
        ({"scn": " 15"}, None),
        ({"scn": "15\n"}, None),
        ({"scn": "324567897:0x2832343233323:1"}, None),
        ({"scn": "184467440737095516150"}, None),
    ],
    "db2": [
        (
            {"commit_lsn": DB2_LSN, "change_lsn": "00000000:00000000:0000000000031DFF"},
            "00000000000000000000000000031e15.00000000000000000000000000031dff",
        ),
        ({"commit_lsn": LSN}, f"0000002700000758{5:016x}.{0:032x}"),
        ({"commit_lsn": None}, None),
        ({"commit_lsn": DB2_LSN + "\n"}, None),
        ({"commit_lsn": DB2_LSN + "0"}, None),
        ({"commit_lsn": "31e15"}, None),
        ({"commit_lsn": DB2_LSN, "change_lsn": "x"}, None),
    ],
}


@pytest.mark.parametrize("connector", PLACES)
def test_a_place_is_read_or_there_is_none(spark, connector):
    known = MACROS[f"connector_{connector}"]({})
    type_ = ", ".join(f"{name}: string" for name in known["source_fields"])
    cases = [source for source, _ in PLACES[connector]]
    rows = spark.createDataFrame(list(enumerate(map(json.dumps, cases))), "n int, text string")
    read = rows.selectExpr("n", f"from_json(text, 'struct<{type_}>') as source")
    told = read.selectExpr("n", f"{known['position']} as place").orderBy("n").collect()
    assert [row["place"] for row in told] == [place for _, place in PLACES[connector]]
    form = known["position_form"]
    places = spark.createDataFrame([(p,) for _, p in PLACES[connector] if p], "place string")
    assert places.where(f"not place rlike '^{form}$'").count() == 0
