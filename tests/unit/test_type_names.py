"""How names of source types are read: a contract accepts any type that the database accepts."""

import pytest

from tests.functional.cells import MACROS, Cell, decoder_of

# connector, the type as the database names it, the Spark type
TYPES = [
    ("postgresql", "dec(10, 2)", "decimal(10,2)"),
    ("postgresql", "serial2", "smallint"),
    ("postgresql", "serial4", "int"),
    ("postgresql", "SERIAL8", "bigint"),
    ("postgresql", "float(24)", "float"),
    ("postgresql", "float(25)", "double"),
    ("postgresql", "float", "double"),
    ("postgresql", "national character varying(20)", "string"),
    ("postgresql", "national  character (3)", "string"),
    ("postgresql", "nchar varying(3)", "string"),
    ("postgresql", "interval day to second", "bigint"),
    ("postgresql", "interval day to second(3)", "bigint"),
    ("postgresql", "interval(3)", "bigint"),
    ("postgresql", "interval year to month", "bigint"),
    ("postgresql", "timestamp(3) with time zone", "timestamp"),
    ("postgresql", "time without time zone", "string"),
    ("postgresql", "int[3]", "array<int>"),
    ("postgresql", "integer ARRAY[4]", "array<int>"),
    ("postgresql", "integer array", "array<int>"),
    ("postgresql", "varchar(20) []", "array<string>"),
    ("postgresql", "geometry(Point,4326)", "struct<srid: int, wkb: binary>"),
    ("postgresql", "geography(PolygonZM, 4326)", "struct<srid: int, wkb: binary>"),
    ("postgresql", "geometry[]", "array<struct<srid: int, wkb: binary>>"),
    ("postgresql", "vector(3)", "array<float>"),
    ("postgresql", "path", "string"),
    ("mysql", "serial", "decimal(20,0)"),
    ("mysql", "int1", "smallint"),
    ("mysql", "int2 unsigned", "int"),
    ("mysql", "int3", "int"),
    ("mysql", "middleint unsigned zerofill", "int"),
    ("mysql", "int4 unsigned", "bigint"),
    ("mysql", "int8", "bigint"),
    ("mysql", "bigint(20) signed", "bigint"),
    ("mysql", "float8", "double"),
    ("mysql", "nchar(3)", "string"),
    ("mysql", "nvarchar(3)", "string"),
    ("mysql", "national varchar(10)", "string"),
    ("mysql", "long varchar", "string"),
    ("mysql", "long varbinary", "binary"),
    ("mysql", "char byte", "binary"),
    ("mysql", "varchar(20) character set latin1 collate latin1_german1_ci", "string"),
    ("mysql", "text charset=utf8mb4", "string"),
    ("mysql", "enum('a)','b') character set utf8mb4", "string"),
    ("mysql", "point srid 4326", "struct<x: double, y: double, srid: int, wkb: binary>"),
    ("mysql", "vector(3)", "array<float>"),
    ("mariadb", "vector(3)", "array<float>"),
]
# MySQL makes char character set binary a binary, so it must be declared as what it is
NONE = [
    ("postgresql", "int[][]"),
    ("postgresql", "int[3][3]"),
    ("postgresql", "numeric(a,b)"),
    ("postgresql", "timestamp day to second"),
    ("postgresql", "hyperloglog"),
    ("postgresql", "int unsigned unsigned"),
    ("postgresql", "point srid 4326"),
    ("mysql", "char(3) character set binary"),
    ("mysql", "interval day to second"),
    ("mysql", ""),
]


@pytest.mark.parametrize(("connector", "kind", "spark"), TYPES)
def test_a_type_is_read(connector, kind, spark):
    assert decoder_of(Cell(connector, kind, None))["type"] == spark


@pytest.mark.parametrize(("connector", "kind"), NONE)
def test_what_is_no_type_is_none(connector, kind):
    assert decoder_of(Cell(connector, kind, None)) is None


@pytest.mark.parametrize("connector", ["postgresql", "mysql", "mariadb"])
def test_every_name_that_is_offered_is_read(connector):
    contract = {"connector": connector, "replica_identity": "default"}
    names = MACROS.type_names(contract)
    assert len(names) == len(set(names))
    for name in names:
        assert decoder_of(Cell(connector, name, None)), name
