"""A small depot on MariaDB and seeded random work on it, as SQL statements.

Like `workload`, for what a binary log has and PostgreSQL's has not: rows replaced, keys that move
over each other within a statement, a table without a key, many files of the log.
"""

import random
from collections.abc import Iterator

from tests.live.workload import Step, delete, insert, literal, transaction, update
from tests.oracle.spec import Spec, build_spec

SCHEMA = [
    "create table shop.orders (id int primary key, customer varchar(40), total decimal(12,2), "
    "note text, placed datetime(6))",
    "create table shop.stock (hall int unsigned, slot int, label varchar(20), qty bigint, "
    "primary key (hall, slot))",
    "create table shop.visits (page varchar(40), seconds int)",
    "create table shop.mark (n int primary key, note text)",
]
TEXTS = [None, "", "it's", "back\\slash", "emoji 🚀 漢字", '{"a": 1}', "two\nlines", "__debezium"]
PAGES = ["start", "search", "cart"]
HALLS = range(3)


def depot_spec(topic_prefix: str) -> Spec:
    """The tables after all work."""
    tables = {
        "orders": {
            "key": ["id"],
            "columns": {
                "id": "int",
                "customer": "varchar(40)",
                "total": "decimal(12,2)",
                "note": "text",
                "placed": "datetime(6)",
                "points": "int",
            },
        },
        "stock": {
            "key": ["hall", "slot"],
            "columns": {
                "hall": "int unsigned",
                "slot": "int",
                "label": "varchar(20)",
                "qty": "bigint",
            },
        },
        "visits": {"key": [], "columns": {"page": "varchar(40)", "seconds": "int"}},
        "mark": {"key": ["n"], "columns": {"n": "int", "note": "text"}},
    }
    return build_spec(
        {
            "connector": "mariadb",
            "settings": {"decimal_handling_mode": "string"},
            "tables": {
                f"shop.{name}": facts | {"topic": f"{topic_prefix}.shop.{name}"}
                for name, facts in tables.items()
            },
        }
    )


class Depot:
    """The existing rows, and operations that return statements and keep this memory up to date."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.orders: list[int] = []
        self.next_order = 1
        self.slots = {hall: list(range(1, 7)) for hall in HALLS}

    def text(self) -> str | None:
        text = self.random.choice(TEXTS)
        return text and text.replace("\\", "\\\\")

    def order(self, number: int) -> dict[str, object]:
        pick = self.random
        return {
            "id": number,
            "customer": pick.choice([f"Customer {number % 9}", self.text()]),
            "total": f"{pick.randrange(-500, 10**6) / 100:.2f}",
            "note": self.text(),
            "placed": f"2024-0{pick.randint(1, 9)}-28 23:59:07.{pick.randrange(10**6):06d}",
        }

    def before(self) -> list[str]:
        """The schema and the first rows."""
        slots = [(hall, slot) for hall in HALLS for slot in self.slots[hall]]
        rows = [insert("stock", self.slot(*place)) for place in slots]
        orders = [statement for _ in range(12) for statement in self.new_orders()]
        end = insert("mark", {"n": 0, "note": "snapshot"})
        return [*SCHEMA, *rows, *orders, *self.visit(), *self.visit(), end]

    def slot(self, hall: int, slot: int) -> dict[str, object]:
        return {"hall": hall, "slot": slot, "label": f"{hall}-{slot}", "qty": slot * 10**10}

    def new_orders(self) -> list[str]:
        """Several rows of one statement."""
        rows = []
        for _ in range(self.random.randint(1, 3)):
            rows.append(self.order(self.next_order))
            self.orders.append(self.next_order)
            self.next_order += 1
        values = ", ".join(f"({','.join(map(literal, row.values()))})" for row in rows)
        return [f"insert into shop.orders ({','.join(rows[0])}) values {values}"]

    def change(self) -> str:
        number = self.random.choice(self.orders)
        row = self.order(number)
        columns = self.random.sample([c for c in row if c != "id"], self.random.randint(1, 3))
        return update("orders", {c: row[c] for c in columns}, f"id={number}")

    def edit(self) -> list[str]:
        return [self.change()]

    def edit_often(self) -> list[str]:
        number = self.random.choice(self.orders)
        changes = [update("orders", {"note": note}, f"id={number}") for note in ("a", "b", "a")]
        return transaction(*changes, self.change())

    def edit_many(self) -> list[str]:
        return ["update shop.orders set total = total + 1 where id % 3 = 0"]

    def replace(self) -> list[str]:
        """A delete and an insert of one key at one position, or an update."""
        row = self.order(self.random.choice(self.orders))
        if self.random.random() < 0.5:
            return [insert("orders", row).replace("insert into", "replace into", 1)]
        return [insert("orders", row) + " on duplicate key update note = concat(id, ' again')"]

    def drop(self) -> list[str]:
        number = self.random.choice(self.orders)
        gone, back = delete("orders", f"id={number}"), insert("orders", self.order(number))
        chance = self.random.random()
        if chance < 0.3:
            return transaction(gone, back)
        if chance < 0.6:
            return [gone, *self.shift(), back]
        if len(self.orders) > 5:
            self.orders.remove(number)
            return [gone]
        return []

    def move(self) -> list[str]:
        old, new = self.random.choice(self.orders), self.next_order
        self.next_order += 1
        self.orders[self.orders.index(old)] = new
        return transaction(update("orders", {"id": new}, f"id={old}"), self.change())

    def shift(self) -> list[str]:
        """Each row takes the key that the row before it has left."""
        hall = self.random.choice(HALLS)
        up = max(self.slots[hall]) < 20
        self.slots[hall] = [slot + (1 if up else -1) for slot in self.slots[hall]]
        by, order = ("1", "desc") if up else ("-1", "asc")
        return [f"update shop.stock set slot = slot + {by} where hall={hall} order by slot {order}"]

    def swap(self) -> list[str]:
        hall = self.random.choice(HALLS)
        one, other = self.random.sample(self.slots[hall], 2)
        steps = ((one, 99), (other, one), (99, other))
        return transaction(
            *(update("stock", {"slot": to}, f"hall={hall} and slot={at}") for at, to in steps)
        )

    def visit(self) -> list[str]:
        page, seconds = self.random.choice(PAGES), self.random.randint(1, 2)
        return [insert("visits", {"page": page, "seconds": seconds})] * self.random.randint(1, 3)

    def forget_visit(self) -> list[str]:
        return [delete("visits", f"page='{self.random.choice(PAGES)}' limit 1")]

    def longer_visit(self) -> list[str]:
        rows = self.random.randint(1, 2)
        return [f"update shop.visits set seconds = seconds % 3 + 1 limit {rows}"]

    def undo(self) -> list[str]:
        kept = self.change()
        return ["begin", "delete from shop.orders", "rollback", kept]

    def savepoint(self) -> list[str]:
        undone = ["savepoint here", "delete from shop.stock", "rollback to savepoint here"]
        return transaction(self.change(), *undone, self.change())

    def next_file(self) -> list[str]:
        return ["flush binary logs"]


def depot(seed: int, transactions: int) -> list[Step]:
    """The steps: the first rows, a snapshot, marks 1 to 3 among the work and 4 at its end."""
    made = Depot(seed)
    fixed = {
        transactions // 5: lambda: ["truncate shop.visits"],
        transactions // 2: lambda: [
            "alter table shop.orders add column points int after customer",
            "update shop.orders set points = id % 7",
        ],
    }
    marks = {0: 1, transactions // 3: 2, transactions * 2 // 3: 3}
    steps = [Step("sql", statement) for statement in made.before()] + [Step("snapshot")]
    for done, statements in enumerate(_work(made, transactions)):
        if number := marks.get(done):
            steps.append(mark(number))
        for statement in statements + (fixed[done]() if done in fixed else []):
            steps.append(Step("sql", statement))
    return [*steps, mark(4)]


def mark(number: int) -> Step:
    return Step("mark", insert("mark", {"n": number, "note": "mark"}), mark=number)


def _work(made: Depot, transactions: int) -> Iterator[list[str]]:
    usual = {
        made.new_orders: 4, made.edit: 8, made.edit_often: 4, made.edit_many: 1, made.replace: 4,
        made.drop: 4, made.move: 3, made.shift: 3, made.swap: 3, made.visit: 6,
        made.forget_visit: 2, made.longer_visit: 2, made.undo: 1, made.savepoint: 1,
        made.next_file: 1,
    }  # fmt: skip
    every = [made.next_file, *usual]  # each at least once
    for number in range(transactions):
        pick = made.random.choices(list(usual), list(usual.values()))[0]
        yield (every[number] if number < len(every) else pick)()
