"""A small shop and a seeded random day of work on it, as SQL statements.

`workload(seed, transactions)` gives the same steps for the same arguments: it reads no clock and no
database. A `Shop` remembers which rows exist, so that every statement does something.
"""

import random
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

SCHEMA = [
    "create schema shop",
    "create type shop.order_status as enum ('new','paid','shipped','cancelled','returned')",
    "create type shop.category as enum ('book','toy','food','café & bar')",
    """create table shop.customers (
  id bigint primary key, email text not null, full_name text, tier char(3),
  is_active boolean not null default true, birth_date date, signed_up timestamptz not null,
  last_seen timestamp, notes text)""",
    "alter table shop.customers alter column notes set storage external",
    """create table shop.products (
  sku uuid primary key, name text not null, price numeric(12,2), weight numeric, attributes jsonb,
  tags text[], category shop.category, description text)""",
    "alter table shop.products alter column description set storage external",
    """create table shop.orders (
  id bigint primary key, customer_id int, status shop.order_status, placed_at timestamptz not null,
  total numeric(12,2), comment text)""",
    """create table shop.order_lines (
  order_id bigint, line_no smallint, sku uuid, qty int, unit_price numeric(12,4),
  "Gift Wrap" boolean, primary key (order_id, line_no))""",
    """create table shop.stock_slots (
  id int primary key deferrable initially immediate, label text, qty int)""",
    "alter table shop.stock_slots replica identity full",
    "create table shop.carts (id int primary key, owner bigint, items jsonb)",
    "create table shop.mark (n int primary key, note text)",
]

TEXTS = [
    None, "", " ", "null", "NULL", "None", "plain", "it's", 'say "hi"', "back\\slash", "trail \\",
    "{{ jinja }}", "{% if x %}{# y #}", "'; drop table shop.orders; --", "select 'a' as \"b\"",
    "emoji 🚀👩‍👩‍👧 ok", "line\u2028separator", "one\ntwo\r\nthree", "tab\there",
    "é ü ß 漢字 עברית",
    '{"looks":"like json"}', "[1,2]", "%s ${x} $1", "true", "0", "1e5", "2024-01-01",
    "comma, semi; pipe|", "<b>&amp;</b>", "\u00a0 no-break", "\ufeffmark", "__debezium_unavailable",
]  # fmt: skip
DATES = [None, "1969-12-31", "1970-01-01", "1984-02-29", "1999-12-31", "2001-06-15", "9999-12-31"]
TIMES = [
    None, "1960-07-04 12:00:00.5", "1969-12-31 23:59:59.999999", "2024-02-29 12:34:56.789012",
    "2024-03-10 02:30:00", "2024-10-27 01:30:00.1",
]  # fmt: skip
ENDLESS = ["infinity", "-infinity"]
WEIGHTS = [
    None, "0", "0.10", "1", "2.500", "-3.50", "0.000001", "12345678901234567890.123456789",
]  # fmt: skip
PRICES = [None, "0.00", "9.90", "9.99", "19.95", "1234.50", "9999999999.99", "-5.00"]
JSONS = [
    None, "null", "{}", "[]", '{"a": 2, "big": 12345678901234567890}', '{"k": [1, 2.50, null]}',
    '{"é": "\\"q\\" \\\\ {{ x }}"}', '"text"', '{"nested": {"deep": [true, {"x": 1e3}]}}',
]  # fmt: skip
TAGS = [None, "{}", "{a}", "{a,b,NULL}", '{"x","y,z","q\\"uote","back\\\\slash",""}', "{null,NULL}"]
TIERS = [None, "", "A", "BB", "CCC"]
CATEGORIES = [None, "book", "toy", "food", "café & bar"]
STATUSES = ["new", "paid", "shipped", "cancelled", "returned"]
WORDS = ["paper", "lamp", "river", "green", "quiet", "seven", "träume", "box", "north", "salt"]


@dataclass(frozen=True)
class Sizes:
    """Rows in the snapshot."""

    customers: int = 30
    products: int = 15
    orders: int = 30
    slots: int = 8
    carts: int = 10


@dataclass(frozen=True)
class Step:
    """One step: `sql` in a session, or, before the `sql` of a mark, a read of all tables.

    kind is `sql`, `snapshot` (wait until the snapshot was read; no sql) or `mark`. No transaction
    is open at a mark, and its insert is the next commit: everything before it is the mark's state.
    """

    kind: str
    sql: str = ""
    session: str = "main"
    mark: int = 0


def literal(value: object) -> str:
    """A value as an SQL literal (standard_conforming_strings is on, so backslashes are plain)."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return "'" + str(value).replace("'", "''") + "'"


def insert(table: str, row: dict[str, object]) -> str:
    """An INSERT of one row; column names are not quoted."""
    values = ",".join(literal(v) for v in row.values())
    return f"insert into shop.{table} ({','.join(row)}) values ({values})"


def update(table: str, change: dict[str, object], where: str) -> str:
    """An UPDATE that sets the given columns."""
    changes = ", ".join(f"{column}={literal(value)}" for column, value in change.items())
    return f"update shop.{table} set {changes} where {where}"


def delete(table: str, where: str) -> str:
    return f"delete from shop.{table} where {where}"


def transaction(*statements: str) -> list[str]:
    return ["begin", *statements, "commit"]


class Shop:
    """The existing rows, and operations that return statements and keep this memory up to date.

    Every operation returns a list of complete statements: a single statement, or one or more
    transactions with their begin and commit.
    """

    def __init__(self, seed: int, sizes: Sizes) -> None:
        self.random = random.Random(seed)
        self.clock = datetime(2024, 1, 1, tzinfo=UTC)
        self.customers: dict[int, dict] = {}
        self.big_customers: list[int] = []
        self.products: list[str] = []
        self.big_products: list[str] = []
        self.orders: dict[int, list[int]] = {}
        self.gone_orders: list[int] = []
        self.slots: list[int] = []
        self.carts: list[int] = []
        self.has_points = False
        self.swaps = 0
        self.next_customer = self.next_order = self.next_cart = 1
        self.sizes = sizes

    # -- values ------------------------------------------------------------------------------------

    def now(self) -> str:
        micros = self.random.randrange(10**6)
        self.clock += timedelta(seconds=self.random.randint(1, 900), microseconds=micros)
        return self.clock.isoformat()

    def seldom(self, usual: list, rare: list) -> object:
        """One of the usual values, rarely one of the rare ones."""
        return self.random.choice(rare if self.random.random() < 0.06 else usual)

    def text(self) -> str | None:
        return self.random.choice(TEXTS)

    def big_text(self, low: int, high: int) -> str:
        """Long text that TOAST stores out of line (more than 2 KB) and gzip compresses well."""
        sentence = " ".join(self.random.choices(WORDS, k=12)) + ", "
        size = self.random.randint(low, high)
        return (sentence * (size // len(sentence) + 1))[:size]

    def customer_row(self, number: int) -> dict:
        row = {
            "id": number,
            "email": f"c{number}.{self.random.randrange(10**6)}@example.com",
            "full_name": self.random.choice([None, *[f"Customer {number}"] * 2, self.text()]),
            "tier": self.random.choice(TIERS),
            "is_active": self.random.random() < 0.8,
            "birth_date": self.seldom(DATES, ENDLESS),
            "signed_up": self.seldom([self.now()], ENDLESS),
            "last_seen": self.seldom(TIMES, ENDLESS),
            "notes": self.text(),
        }
        if self.has_points and self.random.random() < 0.7:
            row["points"] = self.random.choice([None, 0, 7, -1, 2147483647])
        return row

    def product_row(self) -> dict:
        sku = str(uuid.UUID(int=self.random.getrandbits(128), version=4))
        return {
            "sku": sku,
            "name": self.random.choice([f"Product {sku[:4]}", self.text() or ""]),
            "price": self.random.choice(PRICES),
            "weight": self.seldom(WEIGHTS, ["NaN"]),
            "attributes": self.random.choice(JSONS),
            "tags": self.random.choice(TAGS),
            "category": self.random.choice(CATEGORIES),
            "description": self.text(),
        }

    def order_row(self, number: int) -> dict:
        return {
            "id": number,
            "customer_id": self.random.choice([*self.customers, None]),
            "status": self.random.choice(["new", "new", "new", None]),
            "placed_at": self.now(),
            "total": f"{self.random.randrange(100, 10**5) / 100:.2f}",
            "comment": self.text(),
        }

    def line_row(self, order: int, line: int) -> dict:
        return {
            "order_id": order,
            "line_no": line,
            "sku": self.random.choice(self.products),
            "qty": self.random.randint(1, 9),
            "unit_price": f"{self.random.randrange(1, 10**7) / 10**4:.4f}",
            '"Gift Wrap"': self.random.choice([True, False, None]),
        }

    def slot_row(self, number: int) -> dict:
        return {"id": number, "label": f"slot {number}", "qty": number * 10}

    def cart_row(self) -> dict:
        number, self.next_cart = self.next_cart, self.next_cart + 1
        self.carts.append(number)
        owner = self.random.choice([*self.customers, None])
        return {"id": number, "owner": owner, "items": self.random.choice(JSONS)}

    # -- before the snapshot -----------------------------------------------------------------------

    def snapshot(self) -> list[str]:
        statements = []
        for _ in range(self.sizes.customers):
            statements += self.new_customer()
        for _ in range(self.sizes.products):
            statements += self.new_product()
        for _ in range(2):
            statements += self.write_note() + self.write_description()
        for _ in range(self.sizes.orders):
            statements += [s for s in self.new_order() if s not in ("begin", "commit")]
        for number in range(1, self.sizes.slots + 1):
            self.slots.append(number)
            statements.append(insert("stock_slots", self.slot_row(number)))
        statements += [insert("carts", self.cart_row()) for _ in range(self.sizes.carts)]
        statements.append(insert("mark", {"n": 0, "note": "snapshot"}))
        return statements

    # -- customers ---------------------------------------------------------------------------------

    def new_customer(self) -> list[str]:
        number, self.next_customer = self.next_customer, self.next_customer + 1
        self.customers[number] = {}
        return [insert("customers", self.customer_row(number))]

    def customer_change(self) -> dict:
        row = self.customer_row(0)
        columns = [c for c in row if c not in ("id", "email", "notes", "signed_up")]
        return {c: row[c] for c in self.random.sample(columns, self.random.randint(1, 3))}

    def edit_customer(self) -> list[str]:
        """One to four updates of one row in one transaction, some of them of a big note."""
        number = self.random.choice(self.big_customers * 6 + list(self.customers))
        changes = [self.customer_change() for _ in range(self.random.randint(1, 4))]
        if number not in self.big_customers:
            changes.append({"notes": self.text()})
        return transaction(*(update("customers", c, f"id={number}") for c in changes))

    def touch_customer(self) -> list[str]:
        number = self.random.choice(list(self.customers))
        return [update("customers", self.customer_change(), f"id={number}")]

    def write_note(self) -> list[str]:
        """Writes a note that TOAST stores out of line: the first of 10 KB, others of 2 KB."""
        number = self.random.choice(list(self.customers))
        first = not self.big_customers or number == self.big_customers[0]
        size = (10300, 11500) if first else (2200, 2500)
        if number not in self.big_customers:
            self.big_customers.append(number)
        statements = [update("customers", {"notes": self.big_text(*size)}, f"id={number}")]
        if len(self.big_customers) > 2:
            shrunk = self.big_customers.pop(1)
            statements.append(update("customers", {"notes": self.text()}, f"id={shrunk}"))
        return statements

    def move_customer(self) -> list[str]:
        """A new key for a customer with a big note: the note itself is not sent."""
        old = self.random.choice(self.big_customers)
        new, self.next_customer = self.next_customer, self.next_customer + 1
        self.customers[new] = self.customers.pop(old)
        self.big_customers[self.big_customers.index(old)] = new
        return transaction(
            update("customers", {"id": new}, f"id={old}"),
            update("orders", {"customer_id": new}, f"customer_id={old}"),
        )

    def drop_customer(self) -> list[str]:
        """Deletes a customer; half of the time the same key returns, at once or soon after."""
        if len(self.customers) <= self.sizes.customers * 2 // 3:
            return self.new_customer()
        number = self.random.choice([c for c in self.customers if c not in self.big_customers])
        gone = delete("customers", f"id={number}")
        back = insert("customers", self.customer_row(number))
        chance = self.random.random()
        if chance < 0.3:
            return transaction(gone, back)
        if chance < 0.6:
            return [gone, *self.touch_product(), back]
        del self.customers[number]
        return [gone]

    # -- products ----------------------------------------------------------------------------------

    def new_product(self) -> list[str]:
        row = self.product_row()
        self.products.append(row["sku"])
        return [insert("products", row)]

    def touch_product(self) -> list[str]:
        """Changes some columns of a product; a long description stays unchanged."""
        sku = self.random.choice(self.big_products * 4 + self.products)
        row = self.product_row()
        columns = [c for c in row if c not in ("sku", "description")]
        change = {c: row[c] for c in self.random.sample(columns, self.random.randint(1, 3))}
        return [update("products", change, f"sku='{sku}'")]

    def write_description(self) -> list[str]:
        sku = self.random.choice(self.products)
        first = not self.big_products or sku == self.big_products[0]
        size = (5000, 6000) if first else (2200, 2500)
        if sku not in self.big_products:
            self.big_products.append(sku)
        statements = [update("products", {"description": self.big_text(*size)}, f"sku='{sku}'")]
        if len(self.big_products) > 2:
            shrunk = self.big_products.pop(1)
            statements.append(update("products", {"description": self.text()}, f"sku='{shrunk}'"))
        return statements

    def reprice(self) -> list[str]:
        """One statement, many rows."""
        where = f"category='{self.random.choice(CATEGORIES[1:])}' and price<1000"
        return [f"update shop.products set price=price+0.01 where {where}"]

    def drop_product(self) -> list[str]:
        if len(self.products) <= self.sizes.products * 2 // 3:
            return self.new_product()
        sku = self.random.choice([p for p in self.products if p not in self.big_products])
        self.products.remove(sku)
        return transaction(
            delete("products", f"sku='{sku}'"), update("order_lines", {"sku": None}, f"sku='{sku}'")
        )

    # -- orders ------------------------------------------------------------------------------------

    def new_order(self) -> list[str]:
        if len(self.orders) > self.sizes.orders * 5 // 4:
            return self.drop_order()
        number, self.next_order = self.next_order, self.next_order + 1
        return transaction(*self.order_with_lines(number))

    def order_with_lines(self, number: int) -> list[str]:
        self.orders[number] = list(range(1, self.random.randint(1, 3) + 1))
        lines = [insert("order_lines", self.line_row(number, n)) for n in self.orders[number]]
        return [insert("orders", self.order_row(number)), *lines]

    def some_order(self) -> int:
        return self.random.choice(list(self.orders))

    def edit_order(self) -> list[str]:
        """A status, and often a second change of the same row in the same transaction."""
        number = self.some_order()
        first = update("orders", {"status": self.random.choice(STATUSES)}, f"id={number}")
        if self.random.random() < 0.4:
            return [first]
        second = update("orders", {"comment": self.text()}, f"id={number}")
        third = f"update shop.orders set total=total+1.10 where id={number}"
        return transaction(first, second, third)

    def edit_line(self) -> list[str]:
        number = self.some_order()
        if not self.orders[number]:
            self.orders[number].append(1)
            return [insert("order_lines", self.line_row(number, 1))]
        line = self.random.choice(self.orders[number])
        where = f"order_id={number} and line_no={line}"
        if self.random.random() < 0.25:
            self.orders[number].remove(line)
            return [delete("order_lines", where)]
        row = self.line_row(number, line)
        columns = self.random.sample(["sku", "qty", "unit_price", '"Gift Wrap"'], 2)
        change = {c: row[c] for c in columns}
        return [update("order_lines", change, where)]

    def drop_order(self) -> list[str]:
        if len(self.orders) < 4:
            return self.new_order()
        number = self.some_order()
        del self.orders[number]
        self.gone_orders.append(number)
        return transaction(
            delete("order_lines", f"order_id={number}"), delete("orders", f"id={number}")
        )

    def revive_order(self) -> list[str]:
        """A deleted order returns under its old key."""
        if not self.gone_orders:
            return self.drop_order()
        number = self.gone_orders.pop(self.random.randrange(len(self.gone_orders)))
        return transaction(*self.order_with_lines(number))

    def move_order(self) -> list[str]:
        """A new key for an order and its lines, in one transaction with another change."""
        old = self.some_order()
        new, self.next_order = self.next_order, self.next_order + 1
        self.orders[new] = self.orders.pop(old)
        return transaction(
            update("orders", {"comment": self.text()}, f"id={old}"),
            update("orders", {"id": new}, f"id={old}"),
            update("order_lines", {"order_id": new}, f"order_id={old}"),
            update("orders", {"status": "paid"}, f"id={new}"),
        )

    def swap_lines(self) -> list[str]:
        """Two lines of an order swap numbers through a free number."""
        several = [o for o, lines in self.orders.items() if len(lines) > 1]
        if not several:
            return self.new_order()
        number = self.random.choice(several)
        a, b = self.random.sample(self.orders[number], 2)
        return transaction(
            *(
                update("order_lines", {"line_no": to}, f"order_id={number} and line_no={of}")
                for of, to in ((a, 0), (b, a), (0, b))
            )
        )

    # -- slots and carts ---------------------------------------------------------------------------

    def shift_slots(self) -> list[str]:
        """Every slot from one on moves up or, if there is room, down: keys collide on the way."""
        self.slots.sort()
        gaps = [n for n in range(1, self.slots[-1]) if n not in self.slots]
        if gaps and self.random.random() < 0.7:
            gap = self.random.choice(gaps)
            moved = f"update shop.stock_slots set id=id-1 where id>{gap}"
            self.slots = [n - 1 if n > gap else n for n in self.slots]
        else:
            first = self.random.choice(self.slots)
            moved = f"update shop.stock_slots set id=id+1 where id>={first}"
            self.slots = [n + 1 if n >= first else n for n in self.slots]
        if self.random.random() < 0.5:
            return [moved]
        label = update("stock_slots", {"label": self.text()}, f"id={self.slots[0]}")
        return transaction(moved, label)

    def swap_slots(self) -> list[str]:
        """Two slots swap keys, in one statement or with the check deferred to the commit."""
        a, b = self.random.sample(self.slots, 2)
        count = f"update shop.stock_slots set qty=qty+1 where id={a}"
        if self.random.random() < 0.5:
            swap = f"update shop.stock_slots set id=case id when {a} then {b} else {a} end"
            return transaction(f"{swap} where id in ({a},{b})", count)
        self.swaps += 1
        label = literal(f"swap {self.swaps}")
        return transaction(
            "set constraints all deferred",
            f"update shop.stock_slots set id={b}, label={label} where id={a}",
            f"update shop.stock_slots set id={a} where id={b} and label is distinct from {label}",
            count,
        )

    def edit_cart(self) -> list[str]:
        if len(self.carts) < 3 or self.random.random() < 0.3:
            return [insert("carts", self.cart_row())]
        number = self.random.choice(self.carts)
        if self.random.random() < 0.25:
            self.carts.remove(number)
            return [delete("carts", f"id={number}")]
        return [update("carts", {"items": self.random.choice(JSONS)}, f"id={number}")]

    def empty_carts(self) -> list[str]:
        """TRUNCATE, then new rows; the first of them reuses an old key."""
        old, self.carts = self.carts[0], []
        rows = [self.cart_row() for _ in range(4)]
        rows[0]["id"] = self.carts[0] = old
        return ["truncate table shop.carts", *(insert("carts", row) for row in rows)]

    # -- transactions of a special shape -----------------------------------------------------------

    def rolled_back(self) -> list[str]:
        number = self.some_order()
        return [
            "begin",
            update("orders", {"comment": "never to be seen"}, f"id={number}"),
            delete("order_lines", f"order_id={number}"),
            insert("customers", self.customer_row(10**6)),
            "rollback",
        ]

    def with_savepoint(self) -> list[str]:
        number = self.some_order()
        return transaction(
            update("orders", {"comment": "before the savepoint"}, f"id={number}"),
            "savepoint s",
            update("orders", {"comment": "never to be seen"}, f"id={number}"),
            delete("orders", f"id={number}"),
            "rollback to savepoint s",
            update("orders", {"status": "shipped"}, f"id={number}"),
        )

    def message(self) -> list[str]:
        return transaction(
            "select pg_logical_emit_message(true, 'shop.note', 'a message in the log')",
            *self.touch_product(),
        )

    def add_points(self) -> list[str]:
        self.has_points = True
        number = self.random.choice(list(self.customers))
        return [
            "alter table shop.customers add column points int",
            update("customers", {"points": 10}, f"id={number}"),
        ]

    def widen_customer_id(self) -> list[str]:
        number = self.some_order()
        return [
            "alter table shop.orders alter column customer_id type bigint",
            update("orders", {"customer_id": 2**40}, f"id={number}"),
        ]

    def interleaved(self) -> list[Step]:
        """A long transaction of session b, begun first and committed after short ones of main.

        Its log positions are below theirs though it is delivered after them. Both sessions write
        one row (`theirs`), main first.
        """
        mine, theirs = self.random.sample(list(self.orders), 2)
        number, self.next_order = self.next_order, self.next_order + 1

        def main(statements: list[str]) -> list[Step]:
            return [Step("sql", s) for s in statements]

        def b(*statements: str) -> list[Step]:
            return [Step("sql", s, session="b") for s in statements]

        return [
            *b("begin", update("orders", {"comment": "b was first"}, f"id={mine}")),
            *main([update("orders", {"comment": "main, in between"}, f"id={theirs}")]),
            *main(self.touch_customer() + self.touch_product()),
            *b(*self.order_with_lines(number)),
            *main(transaction(*self.edit_cart(), *self.touch_customer())),
            *b(update("orders", {"comment": "b, later"}, f"id={theirs}"), "commit"),
        ]


def workload(seed: int, transactions: int, sizes: Sizes | None = None) -> list[Step]:
    """The steps: schema, rows, `snapshot`, then about that many transactions with four marks.

    Mark 1 comes before any change, 2 and 3 after a third and two thirds, 4 at the end.
    """

    def mark(number: int, note: str) -> Step:
        return Step("mark", insert("mark", {"n": number, "note": note}), mark=number)

    shop = Shop(seed, sizes or Sizes())
    steps = before_the_snapshot(shop)
    steps += [Step("snapshot"), mark(1, "after the snapshot, before any change")]
    due = {2: transactions // 3, 3: transactions * 2 // 3}
    done = 0
    for operation in day(shop, transactions):
        for number in [n for n, at in due.items() if done >= at]:
            steps.append(mark(number, f"after {done} transactions"))
            del due[number]
        steps += operation
        done += commits(operation)
    return [*steps, mark(4, "end of workload")]


def before_the_snapshot(shop: Shop) -> list[Step]:
    """The schema and the first rows."""
    return _steps(SCHEMA + shop.snapshot())


def day(shop: Shop, transactions: int, changes_schema: bool = True) -> Iterator[list[Step]]:
    """About that many transactions, operation by operation; none is open after an operation.

    A further day on the same shop cannot change the schema again.
    """
    usual: dict[Callable[[], list[str]], int] = {
        shop.new_customer: 3, shop.edit_customer: 12, shop.touch_customer: 8, shop.write_note: 1,
        shop.move_customer: 2, shop.drop_customer: 5, shop.new_product: 1, shop.touch_product: 10,
        shop.write_description: 1, shop.reprice: 1, shop.drop_product: 2, shop.new_order: 9,
        shop.edit_order: 12, shop.edit_line: 9, shop.drop_order: 4, shop.revive_order: 3,
        shop.move_order: 3, shop.swap_lines: 3, shop.shift_slots: 2, shop.swap_slots: 3,
        shop.edit_cart: 6, shop.rolled_back: 1, shop.with_savepoint: 1,
    }  # fmt: skip
    # What every day must contain, at a fixed part of its way; the rest is random.
    fixed: list[tuple[float, Callable[[], list]]] = [
        (0.04, shop.move_customer), (0.08, shop.shift_slots), (0.12, shop.swap_slots),
        (0.16, shop.interleaved), (0.22, shop.empty_carts), (0.26, shop.rolled_back),
        (0.30, shop.with_savepoint), (0.38, shop.message), (0.42, shop.move_order),
        (0.46, shop.add_points), (0.50, shop.move_customer), (0.54, shop.interleaved),
        (0.58, shop.widen_customer_id), (0.62, shop.drop_order), (0.64, shop.revive_order),
        (0.72, shop.swap_lines), (0.76, shop.empty_carts), (0.80, shop.shift_slots),
        (0.84, shop.interleaved), (0.90, shop.swap_slots), (0.94, shop.drop_customer),
    ]  # fmt: skip
    if not changes_schema:
        ddl = (shop.add_points, shop.widen_customer_id)
        fixed = [(at, operation) for at, operation in fixed if operation not in ddl]
    done = 0
    while done < transactions or fixed:
        if fixed and done >= fixed[0][0] * transactions:
            operation = fixed.pop(0)[1]
        else:
            operation = shop.random.choices(list(usual), list(usual.values()))[0]
        steps = _steps(operation())
        yield steps
        done += commits(steps)


def _steps(parts: list[str | Step]) -> list[Step]:
    return [part if isinstance(part, Step) else Step("sql", part) for part in parts]


def commits(steps: list[Step]) -> int:
    """How many transactions these steps commit; a statement outside of one counts as one."""
    count, open_in = 0, set()
    for step in steps:
        if step.sql == "begin":
            open_in.add(step.session)
        elif step.sql in ("commit", "rollback"):
            open_in.discard(step.session)
            count += step.sql == "commit"
        else:
            count += step.session not in open_in
    return count
