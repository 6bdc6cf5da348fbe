-- Columns of every kind of type, read with column.propagate.source.type: what the schema block says of them.
create extension hstore;
create extension citext;
create extension ltree;
create extension postgis;
create schema shop;
create type shop.mood as enum ('sad', 'so, so');
create domain shop.amount as numeric(12,2);
create table shop.mark (n int primary key, note text);
create table shop.kinds (
  id bigserial primary key, s serial, b bool, bit1 bit, bit9 bit(9), vb varbit(12), vb_any varbit,
  i2 int2, i4 int, i8 int8, o oid, f4 real, f8 double precision, n numeric, n102 numeric(10,2), n5030 numeric(50,30), m money,
  c char(5), vc varchar(40), vc_any varchar, t text, ct citext, nm name, by bytea,
  d date, tm time, tm3 time(3), tmtz timetz, tmtz3 timetz(3), ts timestamp, ts0 timestamp(0), ts3 timestamp(3),
  tstz timestamptz, tstz3 timestamptz(3), iv interval, iv3 interval(3),
  js json, jsb jsonb, x xml, u uuid, hs hstore, lt ltree, ip inet, cd cidr, mac macaddr, mac8 macaddr8, tsv tsvector,
  ir int4range, nr numrange, tr tsrange, tzr tstzrange, dr daterange, pt point, geo geometry(Point,4326), geog geography,
  md shop.mood, amount shop.amount, ia int[], ta text[], vca varchar(20)[], na numeric(10,2)[], da date[], ts3a timestamp(3)[],
  mda shop.mood[], "Mixed-Case" text
);
insert into shop.kinds (id, n, n102, m, by, ts3, md) values (1, 1.5, 12.50, 3, '\x00ff10', '2024-01-01 00:00:00.123', 'sad');
insert into shop.mark values (0, 'start');
-- the snapshot happens here
-- mark 1
insert into shop.mark values (1, 'after the snapshot');
update shop.kinds set i4 = 7, by = '\xfbffbf', na = '{1.50}' where id = 1;
-- mark 2
insert into shop.mark values (2, 'end');
