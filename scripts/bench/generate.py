"""A landing table of Debezium events, made by Spark itself from a range and hashes.

Everything is a function of a change's number and the seed: the same workload gives the same rows
on any number of partitions and in any table format. Keys take turns in rounds, so a batch spreads
over the keys; round 0 is each key's birth (by snapshot or insert), later rounds update, delete and
insert again.
"""

from dataclasses import dataclass

TOPIC = "bench.public.orders"
PLACEHOLDER = "__debezium_unavailable_value"
COLUMNS = {
    "order_id": "bigint",
    "customer_id": "integer",
    "status": "varchar(20)",
    "amount": "numeric(12,2)",
    "quantity": "integer",
    "placed_at": "timestamptz",
    "updated_at": "timestamp",
    "is_gift": "boolean",
    "notes": "text",
}
# Of a wide table each column beyond those is one of these in turn: its type, its value by the hash
# `wide` of the change and the column's own number.
MORE = (
    ("integer", "cast(pmod(wide + {number} * 7919, 1000000) as int)"),
    ("text", "concat('v', pmod(wide + {number} * 104729, 1000000))"),
)
# Of a record in JSON: with the columns above, and what each further one adds.
RECORD_BYTES, MORE_BYTES = 900, 21
LANDING_DDL = """
create table {table} (
    topic string, partition int, offset bigint, timestamp timestamp, key binary, value binary,
    headers array<struct<key: string, value: binary>>
) using {file_format}
"""
# Offsets of a delivery begin here, times its number.
DELIVERY = 10_000_000_000
_MULTIPLIER = 1_000_003  # prime: the keys of a round come in a scattered order, each once
_SNAPSHOT_LSN = 1_000_000


@dataclass(frozen=True)
class Workload:
    """The changes of one table: `events` of them as base, then `increments` of `increment`.

    Redeliveries and the tombstones of deletes come on top. Shares: of deletes among later changes,
    of keys born by the snapshot, of changes delivered twice, of each increment that consists of
    updates held back from the base, of updates that do not send `notes`, of updates that are all of
    one key, of updates that change the key (none of which is late). `per_key`: changes of the base
    for each key. `more`: columns beyond the nine. `truncate`: the first increment has one in its
    middle; keys go on after it as new rows (and a delete of a row that is gone is none).
    """

    events: int = 1_000_000
    increment: int = 10_000
    increments: int = 2
    seed: int = 7
    deletes: float = 0.05
    snapshot: float = 0.3
    duplicates: float = 0.01
    late: float = 0.01
    unsent: float = 0.2
    hot: float = 0.0
    moves: float = 0.0
    per_key: int = 4
    more: int = 0
    truncate: bool = False

    @property
    def columns(self) -> dict[str, str]:
        """The table's columns and their types in the database."""
        return COLUMNS | {_more(number): MORE[number % len(MORE)][0] for number in range(self.more)}

    @property
    def record_bytes(self) -> int:
        return RECORD_BYTES + MORE_BYTES * self.more

    @property
    def keys(self) -> int:
        return max(self.events // self.per_key, 1)

    @property
    def truncated_at(self) -> int:
        """The truncate comes before the change of this number."""
        return self.events + self.increment // 2

    def batch_events(self, batch: int) -> int:
        return self.increment if batch else self.events

    def changes(self, batch: int | None = None) -> str:
        """Select: one row per change, typed, with `number` (its place in the log), `batch`, the
        delivery it lands with (0 is the base), `row_id`, which stays when the key changes, and
        `left_id`, the key it had then. In: only the changes delivered up to a batch."""
        held_back = self.late * self.increment * self.increments / max(self.events / 2, 1)
        redelivered_later = f"number >= {self.events - self.increment}"
        return f"""
with numbered as (
    select
        id as number,
        id div {self.keys} as round,
        pmod(id * {_MULTIPLIER} + (id div {self.keys}) * 7919, {self.keys}) as order_id
    from range(0, {self.events + self.increment * self.increments}, 1, 8)
),
lives as (
    select
        *,
        {self._dies(0)} as is_delete,
        {self._dies(1)} as is_dead
    from numbered
),
operations as (
    select
        *,
        case
            when round = 0 then if({self._chance("snapshot", "order_id", self.snapshot)}, 'r', 'c')
            when is_delete then 'd'
            when is_dead then 'c'
            else 'u'
        end as op
    from lives
),
skewed as (
    -- key 0 is the first one born, and never dies
    select
        * except (order_id),
        if(op = 'u' and {self._chance("hot", "number", self.hot)}, 0, order_id) as order_id
    from operations
),
{self._truncated()}
moved as (
    select {self._moved()}
    from truncated
),
delivered as (
    select
        *,
        case
            when number >= {self.events} then 1 + (number - {self.events}) div {self.increment}
            when op = 'u' and not is_move and round in (1, 2)
                and {self._chance("late", "number", held_back)}
                then 1 + pmod({self._hash("delivery", "number")}, {self.increments or 1})
            else 0
        end as batch,
        {self._chance("redelivered", "number", self.duplicates)} as is_redelivered
    from moved
)
select
    number,
    order_id as row_id,
    order_id + {self.keys} * moves as order_id,
    if(is_move, order_id + {self.keys} * (moves - 1), null) as left_id,
    op,
    batch,
    if(
        {redelivered_later},
        least(batch + pmod({self._hash("restart", "number")}, 2), {self.increments}),
        batch
    ) as redelivery_batch,
    is_redelivered,
    op = 'u' and {self._chance("unsent", "number", self.unsent)} as is_unsent,
    if(op = 'r', {_SNAPSHOT_LSN}, {_SNAPSHOT_LSN} + (number + 1) * 128) as lsn,
    if(op = 'r', 1790000000000000, 1790003600000000 + number * 1000) as source_us,
    cast(pmod({self._hash("customer", "order_id")}, 50000) as int) as customer_id,
    element_at(
        array('placed', 'paid', 'packed', 'shipped', 'delivered', 'returned'),
        cast(1 + pmod({self._hash("status", "number")}, 6) as int)
    ) as status,
    cast(pmod({self._hash("amount", "number")}, 100000000) / 100 as decimal(12, 2)) as amount,
    cast(1 + pmod({self._hash("quantity", "number")}, 20) as int) as quantity,
    timestamp_micros(1780000000000000 + order_id * 1000003) as placed_at,
    timestamp_micros(1790003600000000 + number * 1000) as updated_at,
    {self._chance("gift", "order_id", 0.1)} as is_gift,
    if(
        {self._chance("no notes", "number", 0.05)},
        null,
        concat('Leave with "', sha1(string(number)), '" é ', sha2(concat(number, 'n'), 512))
    ) as notes{self._more_values()}
from (select *, {self._hash("wide", "number")} as wide from delivered)
{"" if batch is None else f"where batch <= {batch}"}
"""

    def records(self, batch: int) -> str:
        """Select: the records of one delivery, as rows of the landing table."""
        changes = self.changes()
        kinds = [
            ("batch", 2, "if(left_id is null, op, 'c')", "order_id", "true"),
            ("redelivery_batch", 5, "if(left_id is null, op, 'c')", "order_id", "is_redelivered"),
            ("batch", 3, "null", "order_id", "op = 'd'"),
        ]
        if self.moves:
            # a key that changes is two records: the old one is deleted, the new one created
            kinds += [
                ("batch", 0, "'d'", "left_id", "left_id is not null"),
                ("batch", 1, "null", "left_id", "left_id is not null"),
                ("redelivery_batch", 4, "'d'", "left_id", "left_id is not null and is_redelivered"),
            ]
        selects = [
            f"select * except (op), {op} as op, {key} as record_id, {delivery} as delivery, "
            f"{slot} as slot from ({changes}) where {where}"
            for delivery, slot, op, key, where in kinds
        ]
        truncate = f"""
union all
select '{TOPIC}', 0, {DELIVERY + self.truncated_at * 8 + 7}, timestamp_micros(source_us + 700000),
    null, cast({self._envelope("null", "null")} as binary), {_headers()}
from (
    select 't' as op, {self.truncated_at} as number, 0 as slot,
        {_SNAPSHOT_LSN + self.truncated_at * 128 + 64} as lsn, {self._truncated_us} as source_us
)
"""
        return f"""
with records as ({" union all ".join(selects)})
select
    '{TOPIC}' as topic,
    cast(pmod(xxhash64(record_id), 3) as int) as partition,
    delivery * {DELIVERY} + (number + if(slot > 3, 5000, 0)) * 8 + slot as offset,
    timestamp_micros(source_us + 700000) as timestamp,
    cast(to_json(named_struct('order_id', record_id)) as binary) as key,
    if(op is null, null, cast({self._envelope()} as binary)) as value,
    case
        when left_id is null or op is null then {_headers()}
        when op = 'd' then {_headers("newkey", "order_id")}
        else {_headers("oldkey", "left_id")}
    end as headers
from records
where delivery = {batch}
{truncate if self.truncate and batch == 1 else ""}"""

    def counts(self, batch: int) -> str:
        """Select one row: what must have become of the records delivered up to a batch."""
        truncates = int(self.truncate and batch > 0)
        return f"""
select
    count(*) + count(left_id) + {truncates} as accepted,
    count_if(is_redelivered and redelivery_batch <= {batch})
        + count_if(is_redelivered and redelivery_batch <= {batch} and left_id is not null)
        as redelivered,
    count_if(op = 'd') + count(left_id) as tombstones
from ({self.changes(batch)})
"""

    def history(self, batch: int) -> str:
        """Select: the versions of each key after a batch, folded from the changes themselves."""
        columns = ", ".join(name for name in self.columns if name != "notes")
        following = "lead({}) over (partition by row_id order by number)"
        ended = following.format("timestamp_micros(source_us)")
        if self.truncate and batch:
            after = f"coalesce({following.format('number')} >= {self.truncated_at}, true)"
            ended = (
                f"if(number < {self.truncated_at} and {after}, "
                f"timestamp_micros({self._truncated_us}), {ended})"
            )
        return f"""
select * except (op)
from (
    select
        op,
        {columns},
        last(if(op = 'd' or is_unsent, null, named_struct('sent', notes)), true)
            over (partition by row_id order by number).sent as notes,
        timestamp_micros(source_us) as valid_from,
        {ended} as valid_to
    from ({self.changes(batch)})
)
where op <> 'd'
"""

    def current(self, batch: int) -> str:
        """Select: the live rows after a batch, folded from the changes themselves."""
        columns = ", ".join(name for name in self.columns if name != "notes")
        fields = ", ".join(f"'{name}', {name}" for name in self.columns if name != "notes")
        emptied = self.truncate and batch
        truncated = f" and newest_number >= {self.truncated_at}" if emptied else ""
        return f"""
select {", ".join(f"newest.{name}" for name in columns.split(", "))}, known.notes
from (
    select
        max_by(named_struct('op', op, {fields}), number) as newest,
        max(number) as newest_number,
        max_by(named_struct('notes', notes), number)
            filter (where op <> 'd' and not is_unsent) as known
    from ({self.changes(batch)})
    group by row_id
)
where newest.op <> 'd'{truncated}
"""

    def _hash(self, salt: str, *of: str) -> str:
        return f"xxhash64({self.seed}L, '{salt}', {', '.join(of)})"

    def _chance(self, salt: str, of: str, share: float) -> str:
        return f"pmod({self._hash(salt, of)}, 1000000) < {round(share * 1_000_000)}"

    def _more_values(self) -> str:
        return "".join(
            f",\n    {MORE[number % len(MORE)][1].format(number=number)} as {_more(number)}"
            for number in range(self.more)
        )

    def _more_fields(self, value: str) -> str:
        return "".join(
            f", '{_more(number)}', {value.format(name=_more(number))}"
            for number in range(self.more)
        )

    def _dies(self, ago: int) -> str:
        """Whether the key's change `ago` rounds before is a delete: never its birth, never two
        rounds in a row."""

        def wants(round_ago: int) -> str:
            return (
                f"(order_id > 0 and round > {round_ago} and "
                + self._chance("delete", f"order_id, round - {round_ago}", self.deletes)
                + ")"
            )

        return f"({wants(ago)} and not {wants(ago + 1)})"

    @property
    def _truncated_us(self) -> int:
        return 1_790_003_600_000_000 + self.truncated_at * 1000 - 500

    def _truncated(self) -> str:
        """CTE: a row's first change after the truncate is its birth; a delete finds nothing."""
        if not self.truncate:
            return "truncated as (select * from skewed),"
        return f"""
placed as (
    select
        *,
        number >= {self.truncated_at} and row_number() over (
            partition by order_id, number >= {self.truncated_at} order by number
        ) = 1 as is_first
    from skewed
),
truncated as (
    select * except (op, is_first), if(is_first, 'c', op) as op
    from placed
    where not (is_first and op = 'd')
),"""

    def _moved(self) -> str:
        """Columns: whether a change is one of the key, and how many its row has had by then."""
        if not self.moves:
            return "*, false as is_move, 0 as moves"
        is_move = f"op = 'u' and {self._chance('move', 'number', self.moves)}"
        return f"""*,
        {is_move} as is_move,
        sum(if({is_move}, 1, 0)) over (partition by order_id order by number) as moves"""

    def _envelope(self, image: str | None = None, key_image: str | None = None) -> str:
        """JSON of a record. In: images of it after and before, where they are no row's."""
        image = image or self._image()
        key_image = key_image or self._key_image()
        before = f"if(op = 'd', {key_image}, null)"
        after = f"if(op not in ('d', 't'), {image}, null)"
        return f"""to_json(named_struct(
        'before', {before},
        'after', {after},
        'source', named_struct(
            'version', '3.6.3.Final', 'connector', 'postgresql', 'name', 'bench',
            'ts_ms', source_us div 1000, 'snapshot', if(op = 'r', 'true', 'false'), 'db', 'bench',
            'sequence', concat('["', lsn - 64, '","', lsn, '"]'),
            'ts_us', source_us, 'ts_ns', source_us * 1000, 'schema', 'public', 'table', 'orders',
            'txId', if(op = 'r', 700, 701 + number div 3), 'lsn', lsn,
            'xmin', cast(null as bigint), 'origin', cast(null as string),
            'origin_lsn', cast(null as bigint)
        ),
        'transaction', cast(null as string),
        'op', op,
        'ts_ms', (source_us + 500000 + int(slot > 3) * 60000000) div 1000,
        'ts_us', source_us + 500000 + int(slot > 3) * 60000000,
        'ts_ns', (source_us + 500000 + int(slot > 3) * 60000000) * 1000
    ), map('ignoreNullFields', 'false'))"""

    def _image(self) -> str:
        return f"""named_struct(
            'order_id', record_id,
            'customer_id', customer_id,
            'status', status,
            'amount', cast(amount as string),
            'quantity', quantity,
            'placed_at', date_format(placed_at, "yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'"),
            'updated_at', unix_micros(updated_at),
            'is_gift', is_gift,
            'notes', if(is_unsent, '{PLACEHOLDER}', notes){self._more_fields("{name}")}
        )"""

    def _key_image(self) -> str:
        """REPLICA IDENTITY DEFAULT: the key, and what the connector invents for NOT NULL."""
        return f"""named_struct(
            'order_id', record_id,
            'customer_id', 0,
            'status', cast(null as string),
            'amount', '0.00',
            'quantity', 0,
            'placed_at', cast(null as string),
            'updated_at', 0L,
            'is_gift', false,
            'notes', cast(null as string){self._more_fields("cast(null as string)")}
        )"""


def _headers(name: str = "", key: str = "") -> str:
    """A record's headers: the other key of a key change, or none."""
    value = f"cast(to_json(named_struct('order_id', {key})) as binary)"
    header = f"named_struct('key', '__debezium.{name}', 'value', {value})" if name else ""
    return f"cast(array({header}) as array<struct<key: string, value: binary>>)"


def _more(number: int) -> str:
    return f"more_{number:03d}"


def create_landing(spark, table: str, file_format: str = "parquet") -> None:
    """An empty landing table `schema.table`, in the place of any that stood there."""
    spark.sql(f"create schema if not exists {table.split('.')[0]}")
    spark.sql(f"drop table if exists {table}")
    spark.sql(LANDING_DDL.format(table=table, file_format=file_format))


def land(spark, table: str, workload: Workload, batch: int) -> int:
    """Append one delivery to the landing table. Out: how many records it has."""
    before = spark.table(table).count()
    spark.sql(f"insert into {table} {workload.records(batch)}")
    return spark.table(table).count() - before
