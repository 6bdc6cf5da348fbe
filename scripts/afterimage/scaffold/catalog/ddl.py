"""Tables of a SQL script: `pg_dump --schema-only`, `mysqldump --no-data`, scripts of Oracle, SQL
Server and Db2, migrations.

sqlglot tokenizes the text by each database's rules of quotes and comments. Types are then read
token by token and not by its parser, which changes some (LONG becomes INT, REAL becomes FLOAT) and
fails on the table for one unknown type. Statements other than CREATE TABLE, ALTER TABLE, CREATE
TYPE, CREATE DOMAIN and COMMENT are skipped.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from sqlglot import Dialect
from sqlglot.errors import SqlglotError
from sqlglot.tokens import Token, TokenType

from afterimage.errors import UserError
from afterimage.scaffold import known
from afterimage.scaffold.catalog import CatalogColumn, CatalogTable, text_of

DIALECTS = {
    "postgresql": "postgres",
    "mysql": "mysql",
    "oracle": "oracle",
    "sqlserver": "tsql",
    "db2": "",
}
# Tokens that end a type in the definition of a column.
BEHIND_TYPE = re.compile(
    "NOT|NULL|DEFAULT|PRIMARY|UNIQUE|CHECK|REFERENCES|CONSTRAINT|GENERATED|AS|AUTO_?INCREMENT|"
    "COLLATE|COMMENT|ON|IDENTITY|ENABLE|DISABLE|VIRTUAL|STORED|STORAGE|COMPRESSION|COMPRESSED|"
    "VISIBLE|INVISIBLE|LOGGED|COMPACT|OPTIONS|SPARSE|ROWGUIDCOL|MASKED|ENCRYPTED|KEY|INLINE|HIDDEN|"
    "CHARSET|FIRST|AFTER|USING|SRID"
)
# First tokens of lines between the parentheses that are not columns.
CONSTRAINT = re.compile("CONSTRAINT|PRIMARY|UNIQUE|FOREIGN|CHECK|EXCLUDE|LIKE|PERIOD|SUPPLEMENTAL")
# Those of them that also name columns, unless followed by this.
NAMES_TOO = {"PERIOD": "FOR", "EXCLUDE": "USING", "SUPPLEMENTAL": "LOG"}
KEYS_OF_MYSQL = {"KEY", "INDEX", "FULLTEXT", "SPATIAL"}
GENERATED = {"GENERATED", "AS"}
BRACKETS = (TokenType.L_BRACKET, TokenType.R_BRACKET)
# MySQL's text types in its character set `binary`.
IN_BYTES_OF = {"char": "binary", "varchar": "varbinary", "text": "blob"}
IN_BYTES = re.compile("|".join(IN_BYTES_OF), re.IGNORECASE)
# A line of SQL Server's tools, not SQL: sqlglot would take all text after it as its argument.
BATCH = re.compile(r"^[ \t]*GO([ \t]+\d+)?[ \t]*;?[ \t\r]*$", re.IGNORECASE | re.MULTILINE)
BEGINS = {"CREATE", "ALTER", "RENAME", "COMMENT", "EXEC", "EXECUTE", "SP_RENAME"}
TEXTS = {
    TokenType.STRING,
    TokenType.NATIONAL_STRING,  # N'' of SQL Server
    TokenType.BYTE_STRING,  # E'' of PostgreSQL
}


def tables_of_script(path: Path, connector: str) -> list[CatalogTable]:
    """The tables that a script creates, in their final state.

    In: the file; the connector, which determines the SQL dialect.
    Errors: UserError when the text cannot be tokenized (an unclosed quote).
    """
    text = text_of(path)
    return _Script(text, path.name, connector).tables()


class _Script:
    def __init__(self, text: str, origin: str, connector: str) -> None:
        if connector == "sqlserver":
            text = BATCH.sub(";", text)
        self.text, self.origin, self.connector = text, origin, connector
        traits = known.connector(connector)
        # unquoted names become upper case, in PostgreSQL lower case, elsewhere neither
        of_names = str.lower if connector == "postgresql" else str
        self.fold = str.upper if traits.get("names_are_capitals") else of_names
        self.dialect = Dialect.get_or_raise(DIALECTS[known.MACROS.connector_family(connector)])
        try:
            self.tokens = self.dialect.tokenize(text)
        except SqlglotError as error:
            raise UserError(
                f"{origin} cannot be read as SQL of {connector}: {str(error).splitlines()[0]}. "
                "Give only the structure (pg_dump --schema-only, mysqldump --no-data)"
            ) from error
        self.found: dict[tuple[str, str], CatalogTable] = {}
        self.schema = ""  # from USE in MySQL's scripts
        self.is_mysql = traits.get("ddl_is_of_mysql", False)
        # user-defined types: an enum, or the base type of a domain
        self.types = {("", "serial"): "bigint unsigned"} if self.is_mysql else {}
        self.values: dict[tuple[str, str], tuple[str, ...]] = {}

    def tables(self) -> list[CatalogTable]:
        for words in self._statements():
            self._take(words)
        return list(self.found.values())

    def _statements(self) -> Iterator[list[Token]]:
        """Statements end with a semicolon or where the next one begins: SQL Server scripts have
        few semicolons."""
        words: list[Token] = []
        depth = 0
        for token in self.tokens:
            depth += _step(token)
            is_new = depth == 0 and _word(token) in BEGINS and _is_first_of_line(self.text, token)
            if token.token_type == TokenType.SEMICOLON or is_new:
                if words:
                    yield words
                words, depth = [], 0
            if token.token_type != TokenType.SEMICOLON:
                words.append(token)
        if words:
            yield words

    def _take(self, words: list[Token]) -> None:
        if words[0].token_type == TokenType.RENAME and len(words) == 2:
            # sqlglot keeps what follows as one token
            words = words[:1] + self.dialect.tokenize(words[1].text)
        heads = [_word(token) for token in words[:8]]
        if heads[0] == "USE" and len(words) > 1 and self.is_mysql:
            self.schema = self._name(words[1])
        elif heads[:2] == ["SET", "SEARCH_PATH"] and len(words) > 3:
            self.schema = self._name(words[3])
        elif "SP_RENAME" in heads[:2]:
            self._rename_of_sql_server(words)
        elif heads[0] == "RENAME":  # Oracle's, without TABLE
            for part in _parts(words[2 if heads[1:2] == ["TABLE"] else 1 :]):
                schema, name, at = self._full_name(part)
                if table := self._table(schema, name):
                    self._rename(table, part[at:])
        elif heads[:2] == ["ALTER", "TABLE"]:
            self._alter(words[2:])
        elif heads[:2] == ["COMMENT", "ON"]:
            self._comment(words[2:])
        elif (
            heads[0] == "CREATE"
            and "TABLE" in heads[1:5]
            and heads[1] not in ("PUBLICATION", "TYPE")
        ):
            self._create(words[heads.index("TABLE") + 1 :])
        elif heads[:2] in (["CREATE", "TYPE"], ["CREATE", "DOMAIN"]):
            self._own_type(words[2:])

    def _create(self, words: list[Token]) -> None:
        words = _without(words, "IF", "NOT", "EXISTS")
        schema, name, at = self._full_name(words)
        inside, behind = _in_parentheses(words[at:])
        has_list = at < len(words) and words[at].token_type == TokenType.L_PAREN
        if not inside or not has_list:
            return  # CREATE TABLE … AS, PARTITION OF: its columns are another table's
        table = CatalogTable(self.origin, schema, name)
        heads = [_word(token) for token in behind]
        if "INHERITS" in heads:
            parents, _ = _in_parentheses(behind[heads.index("INHERITS") :])
            for part in _parts(parents):
                if parent := self._table(*self._full_name(part)[:2]):
                    table.columns |= parent.columns
        for part in _parts(inside):
            self._define(table, part)
        for number, token in enumerate(behind):
            if _word(token) == "COMMENT" and self.is_mysql:
                table.comment = next(
                    (each.text for each in behind[number:] if each.token_type == TokenType.STRING),
                    "",
                )
        self.found[schema, name] = table

    def _define(self, table: CatalogTable, words: list[Token]) -> None:
        """One line of a table's definition: a column, a key, or something irrelevant here."""
        if not words:
            return
        head = _word(words[0])
        is_key = self.is_mysql and head in KEYS_OF_MYSQL
        if head == "LIKE":
            schema, name, _ = self._full_name(words[1:])
            if other := self._table(schema, name):
                table.columns |= other.columns
                table.key = list(other.key)
            return
        heads = [_word(token) for token in words]
        is_name = head in NAMES_TOO and heads[1:2] != [NAMES_TOO[head]]
        if head == "DEFAULT":  # SQL Server: ADD DEFAULT 0 FOR a
            return
        if (CONSTRAINT.fullmatch(head) and not is_name) or is_key:
            if "PRIMARY" in heads:
                inside, _ = _in_parentheses(words[heads.index("PRIMARY") :])
                table.key = [self._name(part[0]) for part in _parts(inside) if part]
            return
        name = self._name(words[0])
        before, column = table.columns.get(name), self._column(words[1:])
        # Oracle's MODIFY ("ID" NOT NULL ENABLE) has no type
        if before and (len(words) < 2 or BEHIND_TYPE.fullmatch(_word(words[1]))):
            column = replace(before, is_required=before.is_required or column.is_required)
        table.columns[name] = column
        if "PRIMARY" in heads:
            table.key = [name]

    def _column(self, words: list[Token]) -> CatalogColumn:
        depth, end = 0, 0
        for token in words:
            word = _word(token)
            # a computed column of SQL Server has no type
            is_behind = word in GENERATED or (
                end and (BEHIND_TYPE.fullmatch(word) or self._is_of_texts(words, end))
            )
            if depth == 0 and is_behind:
                break
            depth += _step(token)
            end += 1
            if depth == 0 and self._is_default_of_db2(words, end):
                break
        kind, behind = words[:end], _outside_parentheses(words[end:])
        heads = [_word(token) for token in behind]
        comment = ""
        if "COMMENT" in heads and heads.index("COMMENT") + 1 < len(behind):
            comment = behind[heads.index("COMMENT") + 1].text
        text, values = self._type(kind)
        if self._is_in_bytes(behind):
            text = IN_BYTES.sub(lambda name: IN_BYTES_OF[name[0].lower()], text)
        is_required = "NOT" in heads and heads[heads.index("NOT") + 1 :][:1] == ["NULL"]
        return CatalogColumn(
            text,
            is_required=is_required or "PRIMARY" in heads,
            is_generated=bool(GENERATED & set(heads)) and "IDENTITY" not in heads,
            comment=comment,
            values=values,
        )

    def _is_default_of_db2(self, words: list[Token], at: int) -> bool:
        heads = [_word(token) for token in words[at : at + 2]]
        return self.connector == "db2" and heads == ["WITH", "DEFAULT"]

    def _is_of_texts(self, words: list[Token], at: int) -> bool:
        """Whether MySQL's character set clause begins here, which is not part of the type."""
        return self.is_mysql and _word(words[at]) in ("CHARACTER", "BINARY", "ASCII", "UNICODE")

    def _is_in_bytes(self, behind: list[Token]) -> bool:
        """Whether a text is in MySQL's character set `binary`: then it is not a text."""
        words = " ".join(token.text.upper() for token in behind)
        return self.is_mysql and bool(re.search(r"(CHARACTER SET|CHARSET) (= )?BINARY\b", words))

    def _type(self, kind: list[Token]) -> tuple[str, tuple[str, ...]]:
        """The type as written, and the values of an enum or a set; for a user-defined type, its
        definition in the script."""
        if not kind:
            return "", ()
        text = self.text[kind[0].start : kind[-1].end + 1]
        names = [token for token in kind if token.token_type != TokenType.DOT]
        brackets = [token.text for token in names if token.token_type in BRACKETS]
        names = names[: len(names) - len(brackets)]
        own = self._name(names[-1]) if names else ""
        schema = self._name(names[0]) if len(names) == 2 else self.schema
        place = next((each for each in ((schema, own), ("", own)) if each in self.types), None)
        if len(names) <= 2 and place:
            return self.types[place] + "".join(brackets), self.values.get(place, ())
        return text, tuple(each.text for each in kind if each.token_type == TokenType.STRING)

    def _own_type(self, words: list[Token]) -> None:
        *place, at = self._full_name(words)
        place, rest = tuple(place), words[at:]
        heads = [_word(token) for token in rest]
        if heads[:2] == ["AS", "ENUM"]:
            self.types[place] = "enum"
            strings = [each.text for each in rest if each.token_type == TokenType.STRING]
            self.values[place] = tuple(strings)
        elif rest and heads[:1] in (["AS"], ["FROM"]) and len(rest) > 1:
            self.types[place] = self._column(rest[1:]).type
        elif rest and self.connector == "postgresql":
            self.types[place] = self._column(rest).type  # CREATE DOMAIN without AS

    def _alter(self, words: list[Token]) -> None:
        words = _without(_without(words, "IF", "EXISTS"), "ONLY")
        schema, name, at = self._full_name(words)
        table = self._table(schema, name)
        if table is None:
            return
        parts = _parts(words[at:])
        for part in parts:
            # SQL Server: ADD a int, b int
            is_more = (
                self.connector == "sqlserver"
                and part is not parts[0]
                and _word(parts[0][0]) == "ADD"
            )
            self._change(table, parts[0][:1] + part if is_more else part)

    def _change(self, table: CatalogTable, words: list[Token]) -> None:
        """One action of an ALTER TABLE."""
        heads = [_word(token) for token in words]
        if heads[:2] == ["REPLICA", "IDENTITY"]:
            identity = heads[2].lower() if len(heads) > 2 else ""
            table.replica_identity = {"using": "index"}.get(identity, identity)
            return
        if heads[:1] == ["WITH"] and "ADD" in heads:  # SQL Server: WITH CHECK ADD CONSTRAINT
            words, heads = words[heads.index("ADD") :], heads[heads.index("ADD") :]
        action, rest = heads[:1], _without(words[1:], "COLUMN")
        rest = _without(_without(rest, "IF", "NOT", "EXISTS"), "IF", "EXISTS")
        if not rest:
            return
        if action in (["ADD"], ["MODIFY"]):
            has_list = rest[0].token_type == TokenType.L_PAREN
            for part in _parts(_in_parentheses(rest)[0]) if has_list else [rest]:
                self._define(table, part)
        elif action == ["DROP"]:
            is_key = self.is_mysql and _word(rest[0]) in KEYS_OF_MYSQL and len(rest) > 1
            has_list = rest[0].token_type == TokenType.L_PAREN
            if not is_key and not CONSTRAINT.fullmatch(_word(rest[0])):
                for part in _parts(_in_parentheses(rest)[0]) if has_list else [rest]:
                    table.columns.pop(self._name(part[0]), None)
        elif action == ["CHANGE"] and len(rest) > 1:
            table.columns = _renamed(table.columns, self._name(rest[0]), self._name(rest[1]))
            self._define(table, rest[1:])
        elif action == ["RENAME"]:
            self._rename(table, words[1:])
        elif action == ["ALTER"]:
            name, kind = self._name(rest[0]), rest[1:]
            kind = _without(_without(kind, "SET", "DATA"), "TYPE")
            is_type = len(kind) < len(rest) - 1 or self.connector == "sqlserver"
            if is_type and name in table.columns and kind:
                kind = self._column(kind).type
                table.columns[name] = replace(table.columns[name], type=kind, values=())

    def _rename(self, table: CatalogTable, words: list[Token]) -> None:
        words = _without(words, "COLUMN")
        heads = [_word(token) for token in words]
        if "TO" not in heads:
            return
        at = heads.index("TO")
        if at:
            self._give_name(table, self._name(words[0]), self._name(words[at + 1]))
        else:  # a schema may precede it
            self._give_name(table, None, self._name(words[-1]))

    def _give_name(self, table: CatalogTable, column: str | None, name: str) -> None:
        """Renames a column of a table, or the table."""
        if column is not None:
            table.columns = _renamed(table.columns, column, name)
            table.key = [name if each == column else each for each in table.key]
            return
        del self.found[table.schema, table.name]
        table.name = name
        self.found[table.schema, name] = table

    def _rename_of_sql_server(self, words: list[Token]) -> None:
        """EXEC sp_rename 'dbo.orders.note', 'remark', 'COLUMN'."""
        arguments = [token.text for token in words if token.token_type in TEXTS]
        path, name, kind = [*arguments, "", "", ""][:3]
        kind = kind.upper()
        tokens = self.dialect.tokenize(path)
        names = [self._name(each) for each in tokens if each.token_type != TokenType.DOT]
        column = names.pop() if kind == "COLUMN" and names else None
        if not (names and name) or kind not in ("", "COLUMN", "OBJECT"):
            return
        if table := self._table(names[-2] if len(names) > 1 else self.schema, names[-1]):
            self._give_name(table, column, name)

    def _comment(self, words: list[Token]) -> None:
        what = _word(words[0])
        names = [token for token in words[1:] if token.token_type != TokenType.DOT]
        heads = [_word(token) for token in names]
        if what not in ("TABLE", "COLUMN") or "IS" not in heads:
            return
        path = [self._name(token) for token in names[: heads.index("IS")]]
        text = names[-1].text if names[-1].token_type in TEXTS else ""
        column = path.pop() if what == "COLUMN" else None
        if not path:
            return
        table = self._table(path[-2] if len(path) > 1 else self.schema, path[-1])
        if table is None:
            return
        if column is None:
            table.comment = text
        elif before := table.columns.get(column):
            table.columns[column] = replace(before, comment=text)

    def _full_name(self, words: list[Token]) -> tuple[str, str, int]:
        """Schema and name of a statement's object, and the number of their tokens."""
        names, at = [], 0
        while at < len(words):
            names.append(self._name(words[at]))
            at += 1
            if at < len(words) and words[at].token_type == TokenType.DOT:
                at += 1
            else:
                break
        return (names[-2] if len(names) > 1 else self.schema), (names or [""])[-1], at

    def _name(self, token: Token) -> str:
        is_quoted = token.token_type in (TokenType.IDENTIFIER, TokenType.STRING)
        return token.text if is_quoted else self.fold(token.text)

    def _table(self, schema: str, name: str) -> CatalogTable | None:
        """A table this script created; found without its schema if only one has the name."""
        named = [table for table in self.found.values() if table.name == name]
        loose = named[0] if not schema and len(named) == 1 else None
        return self.found.get((schema, name)) or loose


def _word(token: Token) -> str:
    """A token without quotes in upper case, only the first word of `PRIMARY KEY`, which is one
    token; empty for quoted names and texts."""
    if token.token_type in (TokenType.IDENTIFIER, TokenType.STRING):
        return ""
    return token.text.upper().partition(" ")[0]


def _step(token: Token) -> int:
    return {TokenType.L_PAREN: 1, TokenType.R_PAREN: -1}.get(token.token_type, 0)


def _is_first_of_line(text: str, token: Token) -> bool:
    return not text[text.rfind("\n", 0, token.start) + 1 : token.start].strip()


def _without(words: list[Token], *heads: str) -> list[Token]:
    """The tokens after some optional first ones."""
    found = tuple(_word(token) for token in words[: len(heads)])
    return words[len(heads) :] if found == heads else words


def _in_parentheses(words: list[Token]) -> tuple[list[Token], list[Token]]:
    """The tokens between the first parentheses, and those after them."""
    depth, begin = 0, None
    for number, token in enumerate(words):
        depth += _step(token)
        if begin is None and depth == 1:
            begin = number + 1
        elif begin is not None and depth == 0:
            return words[begin:number], words[number + 1 :]
    return [], []


def _outside_parentheses(words: list[Token]) -> list[Token]:
    """The tokens outside parentheses: those of a default or a check are not the column's."""
    found, depth = [], 0
    for token in words:
        depth += _step(token)
        if depth == 0 and token.token_type != TokenType.R_PAREN:
            found.append(token)
    return found


def _parts(words: list[Token]) -> list[list[Token]]:
    """Tokens between commas outside parentheses."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in words:
        depth += _step(token)
        if depth == 0 and token.token_type == TokenType.COMMA:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _renamed(columns: dict[str, CatalogColumn], old: str, new: str) -> dict[str, CatalogColumn]:
    return {new if name == old else name: column for name, column in columns.items()}
