"""A generated small MongoDB: collections of documents, its oplogs, and what it held at every
position.

    database = Mongo(random, log=0)
    database.insert("rs0", document)
    database.marks      # [({"rs0": place, ...}, {identity of _id: document})]
    database.oplogs     # rs -> changes in the order of their cluster times

An update changes the document itself, member by member; the change stream's account of it
(`Description`) is recorded with it. `mongo_connector.py` reads the oplogs as Debezium does.

A document is in one replica set. The clock of a replica set counts seconds, and changes within one;
all changes of a transaction have one cluster time.
"""

import copy
from dataclasses import dataclass, field
from random import Random

from tests.oracle.bson import (
    MAX_KEY,
    MIN_KEY,
    Binary,
    Code,
    Date,
    Decimal128,
    Int32,
    Int64,
    ObjectId,
    Regex,
    Timestamp,
    double,
    identity,
)

# one of each type that an _id may have, by the number of its log and its own
IDS = (
    lambda log, n: ObjectId(f"{log:016x}{n:08x}"),
    lambda log, n: Int32(log * 1000 + n),
    lambda log, n: Int64(2**40 + log * 1000 + n),
    lambda log, n: double(log * 1000 + n + 0.5),
    lambda log, n: Decimal128(f"{log * 1000 + n}.250"),
    lambda log, n: str(log * 1000 + n),
    lambda log, n: f'{log} "é☃" \\ {{{{ {n} }}}}',
    lambda log, n: Date(1_558_965_508_000 + log * 1000 + n),
    lambda log, n: Binary(f"{log:012d}{n:04d}".encode(), 4),
    lambda log, n: Binary(f"{log} {n}".encode(), 0),
    lambda log, n: {"log": Int32(log), "n": Int64(n), "deep": {"x": [Int32(1)] if n % 2 else []}},
    # the same members in another order are another _id
    lambda log, n: {"deep": {"x": [Int32(1)] if n % 2 else []}, "n": Int64(n), "log": Int32(log)},
    lambda log, n: Timestamp(log + 1, n),
    lambda log, n: bool(n % 2) if log == 0 else f"{log} {bool(n % 2)}",
)
TEXTS = ("", "x", "null", "é☃'\"\\ {{ x }}\n%s", '{"$oid": "no"}', "1")
NUMBERS = (Int32(0), Int32(-7), Int64(2**53 + 1), Int64(5), double(12.34), double(1e20))
NUMBERS += (Decimal128("1.10"), Decimal128("-9999999999999999999999999999999999"))
ODD_NUMBERS = (double(float("nan")), double(float("-inf")), double(-0.0), double(5e-324))
ODD_NUMBERS += (Decimal128("NaN"), Decimal128("1E+3"), Int64(2**63 - 1), Int64(-(2**63)))
MOMENTS = (Date(0), Date(1_558_965_508_123), Date(-62_135_596_800_000), Date(1_700_000_000_000))
RARE = (Regex("^a.*", "im"), Code("function() {}"), Timestamp(7, 1), MIN_KEY, MAX_KEY)


@dataclass(frozen=True)
class Place:
    """A cluster time: seconds, and the ordinal within one. `clock`: the server's clock at that
    time, in milliseconds, if the connector sends that and not the seconds."""

    seconds: int
    increment: int
    clock: int | None = None

    @property
    def pair(self) -> tuple[int, int]:
        """What an event carries of it: milliseconds, and the ordinal within the second."""
        return self.seconds * 1000 if self.clock is None else self.clock, self.increment


@dataclass
class Description:
    """A change stream's description of an update. Paths are texts with dots."""

    updated: dict = field(default_factory=dict)
    removed: list[str] = field(default_factory=list)
    truncated: list[tuple[str, int]] = field(default_factory=list)


@dataclass
class Transaction:
    number: int
    session: bytes


@dataclass
class Change:
    """An entry of an oplog. `kind`: insert, update, replace, delete."""

    kind: str
    id: object
    place: Place
    before: dict | None
    after: dict | None
    description: Description | None = None
    transaction: Transaction | None = None
    wall: int = 0


@dataclass
class ReplicaSet:
    name: str
    seconds: int
    increment: int = 0
    oplog: list[Change] = field(default_factory=list)
    clock: int | None = None  # for a server that sends its own
    steps_back: float = 0  # how often that clock is set back

    def tick(self, random: Random) -> Place:
        """The next cluster time: about half the time within the same second."""
        if self.steps_back and random.random() < self.steps_back:
            self.clock -= random.randint(1, 200_000)
        # a cluster time never decreases: until the clock catches up, only the count grows
        is_behind = self.steps_back and self.increment and self.clock < self.seconds * 1000
        if is_behind:
            self.increment += 1
            self.clock += random.choice([0, 1, 40, 90_000])
            return self.here
        if self.increment and random.random() < 0.6:
            self.increment += random.randint(1, 3)
        else:
            self.seconds += random.randint(1, 90)
            self.increment = 1
        if self.clock is not None:
            self.clock = max(self.clock, self.seconds * 1000) + random.choice([0, 0, 1, 40])
        return self.here

    @property
    def here(self) -> Place:
        return Place(self.seconds, self.increment, self.clock)


class Mongo:
    """See the module. The same `random` makes the same database under any number of its log.

    `dotted`: names of members may contain dots; a change stream cannot distinguish their updates
    from paths, so such members are never updated alone. `uniform`: elements of an array have one
    type.
    `ids`: which of IDS are used. `tells_clock`: positions come from the servers' clocks, as in
    connectors from 3.4 on. `steps_back`: how often such a clock is set back.
    """

    def __init__(
        self, random: Random, log: int = 0, sets: int = 1, dotted: bool = True,
        uniform: bool = False, ids: tuple = IDS, tells_clock: bool = False, steps_back: float = 0,
    ):  # fmt: skip
        self.random, self.log, self.dotted, self.uniform = random, log, dotted, uniform
        self.kinds_of_id = ids
        self.sets = [
            ReplicaSet(
                f"rs{n}",
                1_700_000_000 - 1_000_000 * n + log * 100_000,
                clock=0 if tells_clock or steps_back else None,
                steps_back=steps_back,
            )
            for n in range(sets)
        ]
        self.documents: dict[tuple, dict] = {}
        self.ids: dict[tuple, object] = {}
        self.home: dict[tuple, ReplicaSet] = {}
        self.told: list[tuple[str, Place, tuple, dict | None]] = []  # every state of every document
        self.numbers = 0
        self.deletes = True  # else there are no deletes for a while
        self.changes_back = True  # within a transaction, which makes equal changes at one position

    # --- its state -------------------------------------------------------------------------------

    def rows(self) -> dict[tuple, dict]:
        """Identity of _id -> document, as of now; a copy."""
        return copy.deepcopy(self.documents)

    def places(self) -> dict[str, Place]:
        """A position of each replica set after all that happened and before all that will."""
        return {rs.name: rs.tick(self.random) for rs in self.sets}

    # --- the workload -----------------------------------------------------------------------------

    def work(self) -> None:
        """One write, or a transaction of several."""
        if self.random.random() < 0.2:
            self.transact()
        else:
            self._one(self.random.choice(self.sets), None)

    def transact(self) -> None:
        """Several writes at one cluster time, often of one document; or of two replica sets."""
        self.numbers += 1
        session = self.random.randbytes(16)
        transaction = Transaction(self.numbers, session)
        for rs in self.random.sample(self.sets, self.random.randint(1, len(self.sets))):
            place = rs.tick(self.random)
            for _ in range(self.random.randint(1, 4)):
                self._one(rs, transaction, place)
            mine = [key for key in self.documents if self.home[key] is rs]
            if mine and self.changes_back and self.random.random() < 0.2:
                self._to_and_fro(rs, self.random.choice(mine), place, transaction)

    def _to_and_fro(self, rs: ReplicaSet, key: tuple, place: Place, transaction) -> None:
        """One document changed and changed back: equal updates at one cluster time."""
        for number in (1, 2, 1):
            new = copy.deepcopy(self.documents[key]) | {"n": Int32(number)}
            if new != self.documents[key]:
                description = Description({"n": Int32(number)})
                self._log(rs, "update", key, place, transaction, new, description)

    def _one(self, rs: ReplicaSet, transaction: Transaction | None, place: Place | None = None):
        place = place or rs.tick(self.random)
        mine = [key for key in self.documents if self.home[key] is rs]
        chance = self.random.random()
        if chance < 0.3 or not mine:
            self._insert(rs, place, transaction)
            return
        key = self.random.choice(mine)
        if chance < 0.75:
            self._update(rs, key, place, transaction)
        elif chance < 0.82:
            was = self.documents[key]
            new = {"_id": was["_id"], **self._members()}
            self._log(rs, "replace", key, place, transaction, new)
        elif self.deletes:
            self._log(rs, "delete", key, place, transaction, None)

    def _insert(self, rs: ReplicaSet, place: Place, transaction: Transaction | None) -> None:
        """A new document. There are few ids, so they return, always in one replica set."""
        kinds, own = self.kinds_of_id, self.sets.index(rs)
        at = self.random.randrange(len(kinds) * 2)
        value = kinds[at % len(kinds)](self.log, own * 100 + at // len(kinds))
        key = identity(value)
        if key in self.documents or self.home.get(key, rs) is not rs:
            return
        self.ids[key], self.home[key] = value, rs
        self._log(rs, "insert", key, place, transaction, {"_id": value, **self._members()})

    def _log(self, rs, kind, key, place, transaction, after, description=None) -> None:
        if not self.changes_back and self._has_equal(rs, kind, key, place, after, description):
            return
        before = self.documents.get(key)
        if after is None:
            del self.documents[key]
        else:
            self.documents[key] = after
        wall = place.seconds * 1000 + self.random.randrange(1000)
        wall = wall if place.clock is None else place.clock
        rs.oplog.append(
            Change(
                kind, self.ids[key], place, copy.deepcopy(before), copy.deepcopy(after),
                description, transaction, wall,
            )
        )  # fmt: skip
        self.told.append((rs.name, place, key, copy.deepcopy(after)))

    def _has_equal(self, rs, kind, key, place, after, description) -> bool:
        """Whether the transaction already made this change, e.g. deleted the document, created it
        again and deletes it again."""
        same = (kind, key, None if description else after, description)
        return any(
            same == (c.kind, identity(c.id), None if c.description else c.after, c.description)
            for c in rs.oplog
            if c.place == place
        )

    # --- members of a document -------------------------------------------------------------------

    def _members(self) -> dict:
        """Members of a new document: some absent, some null, and of many types over time."""
        random = self.random
        found = {
            "name": random.choice(TEXTS),
            "n": random.choice([None, Int32(random.randint(-9, 9))]),
            "big": random.choice([Int64(random.randint(-(2**62), 2**62)), Int64(3)]),
            "price": random.choice([None, *(n for n in NUMBERS if isinstance(n, Decimal128))]),
            "at": random.choice(MOMENTS),
            "ok": random.choice([True, False, None]),
            "any": self._any(),
            "where": {
                "city": random.choice(TEXTS),
                "geo": {"x": double(random.choice([0.5, -1.25]))},
            },
            "items": [self._item() for _ in range(random.randint(0, 4))],
            "by": {"0": Int32(1), "1": random.choice(TEXTS)},  # names that look like indexes
        }
        if self.dotted:
            found["a.b"] = random.choice(TEXTS)
        left_out = [name for name in found if random.random() < 0.25]
        for name in left_out:
            del found[name]
        return found

    def _item(self) -> dict | object:
        random = self.random
        if not self.uniform and random.random() < 0.3:
            return self._any()
        return {"sku": random.choice(TEXTS), "qty": Int32(random.randint(0, 9))}

    def _any(self):
        """A value of any type."""
        random = self.random
        return copy.deepcopy(
            random.choice(
                [
                    None,
                    random.choice(TEXTS),
                    random.choice(NUMBERS),
                    random.choice(ODD_NUMBERS),
                    random.choice(MOMENTS),
                    random.choice(RARE),
                    True,
                    ObjectId("596e275826f08b2730779e1f"),
                    Binary(b"\x00\xff kafka", 0),
                    {},
                    [],
                    {"hi": "kafka", "nums": [double(10.0), double(100.0)]},
                    ["one"] if self.uniform else [Int32(1), "two", None, {"three": Int64(3)}],
                ]
            )
        )

    # --- updates ----------------------------------------------------------------------------------

    def _update(self, rs, key, place, transaction) -> None:
        """Several operators at once, on disjoint paths."""
        new = copy.deepcopy(self.documents[key])
        description, taken = Description(), set()
        for _ in range(self.random.choice([1, 1, 2, 3])):
            operator = self.random.choice(
                [self._set, self._set, self._set_nested, self._unset, self._push, self._element,
                 self._truncate, self._rename]
            )  # fmt: skip
            operator(new, description, taken)
        if new == self.documents[key]:  # an update that changes nothing is in no oplog
            return
        self._log(rs, "update", key, place, transaction, new, description)

    def _free(self, new: dict, taken: set, kinds: type | tuple = object) -> str | None:
        """A member that no other operator of this update touches."""
        names = [
            name
            for name, value in new.items()
            if name not in ("_id", "a.b") and name not in taken and isinstance(value, kinds)
        ]
        if not names:
            return None
        name = self.random.choice(names)
        taken.add(name)
        return name

    def _set(self, new: dict, told: Description, taken: set) -> None:
        members = self._members()
        members.pop("a.b", None)
        name = self.random.choice([*members, "later"])
        if name in taken:
            return
        taken.add(name)
        value = members.get(name, self._any())
        if new.get(name, "absent") != value:
            new[name] = value
            told.updated[name] = copy.deepcopy(value)

    def _set_nested(self, new: dict, told: Description, taken: set) -> None:
        """`where.geo.x`, `by.0`; missing documents on the path are created."""
        path = self.random.choice(
            [("where", "city"), ("where", "geo", "x"), ("where", "geo", "z"), ("by", "0"),
             ("by", "2"), ("nested", "0", "deep")]
        )  # fmt: skip
        if path[0] in taken or not isinstance(new.get(path[0], {}), dict):
            return
        inner = new
        for at, name in enumerate(path[:-1]):
            if name in inner and not isinstance(inner[name], dict):
                return
            if name not in inner:
                # the change stream carries the full created member
                taken.add(path[0])
                value = self._any()
                for missing in reversed(path[at + 1 :]):
                    value = {missing: value}
                inner[name] = value
                told.updated[".".join(path[: at + 1])] = copy.deepcopy(value)
                return
            inner = inner[name]
        taken.add(path[0])
        value = self._any()
        if inner.get(path[-1], "absent") != value:
            inner[path[-1]] = value
            told.updated[".".join(path)] = copy.deepcopy(value)

    def _unset(self, new: dict, told: Description, taken: set) -> None:
        name = self._free(new, taken)
        if name is None:
            return
        if name == "where" and isinstance(new[name], dict) and "city" in new[name]:
            del new[name]["city"]
            told.removed.append("where.city")
        else:
            del new[name]
            told.removed.append(name)

    def _push(self, new: dict, told: Description, taken: set) -> None:
        name = self._free(new, taken, list)
        if name and not (self.uniform and name[:5] != "items"):
            for _ in range(self.random.choice([1, 1, 2])):
                value = self._item()
                told.updated[f"{name}.{len(new[name])}"] = copy.deepcopy(value)
                new[name].append(value)

    def _element(self, new: dict, told: Description, taken: set) -> None:
        """`items.1`, or a member of it."""
        name = self._free(new, taken, list)
        if name is None or not new[name] or (self.uniform and name[:5] != "items"):
            return
        at = self.random.randrange(len(new[name]))
        element = new[name][at]
        if isinstance(element, dict) and self.random.random() < 0.6 and not self.uniform:
            member = self.random.choice([*element, "note"])
            value = self._any()
            if element.get(member, "absent") != value:
                element[member] = value
                told.updated[f"{name}.{at}.{member}"] = copy.deepcopy(value)
        else:
            value = self._item()
            if value != element:
                new[name][at] = value
                told.updated[f"{name}.{at}"] = copy.deepcopy(value)

    def _truncate(self, new: dict, told: Description, taken: set) -> None:
        """As change streams report `$pop` and `$pull`: elements with a new index are set, the rest
        is truncated."""
        name = self._free(new, taken, list)
        if name is None or not new[name]:
            return
        was = new[name]
        gone = self.random.randrange(len(was))
        new[name] = [element for at, element in enumerate(was) if at != gone]
        for at, element in enumerate(new[name]):
            if element != was[at]:
                told.updated[f"{name}.{at}"] = copy.deepcopy(element)
        told.truncated.append((name, len(new[name])))

    def _rename(self, new: dict, told: Description, taken: set) -> None:
        name = self._free(new, taken)
        to = f"{name}_once"
        if name is None or name.endswith("_once") or to in taken or to in new:
            return
        taken.add(to)
        new[to] = new.pop(name)
        told.removed.append(name)
        told.updated[to] = copy.deepcopy(new[to])
