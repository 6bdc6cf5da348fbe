create extension hstore;
create extension citext;
create extension ltree;
create extension postgis;
create extension isn;
create extension cube;
create schema shop;
create type shop.mood as enum ('sad', 'so, so', 'quo"ted', 'back\slash', 'NULL');
create domain shop.amount as numeric(12,2);
create domain shop.price as shop.amount check (value >= 0);
create domain shop.code as char(3);
create domain shop.codes as shop.code;
create domain shop.moment as timestamp(3);
create domain shop.moments as shop.moment;
create domain shop.tags as text[];
create type shop.pair as (a int, b text);
create table shop.mark (n int primary key, note text);
create table shop.bits (
  id int primary key, again int,
  one bit, one_n bit(1), three bit(3), twelve bit(12), var1 bit varying(1), var5 varbit(5), var_any varbit,
  bits1 bit(1)[], bits5 bit(5)[], vars varbit(5)[]
);
insert into shop.bits values
  (1, 0, '1', '1', '101', '101100000001', '1', '10101', '101100000001', '{1,0}', '{10101,00001}', '{1,101}'),
  (2, 0, '0', '0', '000', '000000000001', '0', '00001', '000000000001', '{0,NULL}', '{NULL}', '{}'),
  (3, 0, '0', '0', '011', '000000000000', '', '', '', '{}', '{}', '{0}'),
  (4, 0, null, null, null, null, null, null, null, null, null, null);
create table shop.times (
  id int primary key, again int,
  d date, t time, t0 time(0), t3 time(3), tz timetz, tz3 timetz(3), ts timestamp, ts0 timestamp(0), ts3 timestamp(3),
  tstz timestamptz, tstz3 timestamptz(3), i interval,
  da date[], ta time[], t0a time(0)[], t3a time(3)[], t4a time(4)[], tza timetz[],
  tsa timestamp[], ts0a timestamp(0)[], ts3a timestamp(3)[], ts4a timestamp(4)[], tstza timestamptz[], tstz3a timestamptz(3)[],
  ia interval[]
);
insert into shop.times values
  (1, 0, '2024-02-29', '12:34:56.789012', '12:34:56', '12:34:56.789', '12:34:56.789012+02', '12:34:56.789-05:30',
   '2024-02-29 12:34:56.789012', '2024-02-29 12:34:56', '2024-02-29 12:34:56.789', '2024-02-29 12:34:56.789012+02',
   '2024-02-29 12:34:56.789+02', '1 year 2 mons -3 days 04:05:06.789',
   '{2024-02-29,NULL,1969-12-31}', '{12:34:56.789012,NULL,00:00}', '{12:34:56,NULL}', '{12:34:56.789,NULL}',
   '{12:34:56.7890,NULL}', '{12:34:56.789012+02,NULL}', '{2024-02-29 12:34:56.789012,NULL,1969-12-31 23:59:59.999999}',
   '{2024-02-29 12:34:56,NULL}', '{2024-02-29 12:34:56.789,NULL}', '{2024-02-29 12:34:56.7890,NULL}',
   '{2024-02-29 12:34:56.789012+02,NULL}', '{2024-02-29 12:34:56.789+02,NULL}', '{1 day,NULL}'),
  (2, 0, '0001-01-01', '00:00:00', '00:00', '00:00:00.001', '00:00:00+14', '23:59:59.999-14',
   '0001-01-01 00:00:00.000001', '1969-12-31 23:59:59', '1969-12-31 23:59:59.999', '0001-01-01 00:00:00.000001+00',
   '1969-12-31 23:59:59.999+00', '-00:00:00.000001',
   '{}', '{00:00:00.000001}', '{}', '{00:00:00.001}', '{}', '{}', '{1960-07-04 12:00:00.5}', '{}', '{1960-07-04 12:00:00.5}', '{}', '{}', '{}', '{}'),
  (3, 0, '9999-12-31', '23:59:59.999999', '23:59:59', '23:59:59.999', '23:59:59.999999+00', '12:00+00',
   '9999-12-31 23:59:59.999999', '9999-12-31 23:59:59', '9999-12-31 23:59:59.999', '9999-12-31 23:59:59.999999+00',
   '9999-12-31 23:59:59.999+00', '10000 days',
   '{9999-12-31}', '{23:59:59.999999}', '{23:59:59}', '{23:59:59.999}', '{23:59:59.9999}', '{00:00-05:30}',
   '{9999-12-31 23:59:59.999999}', '{9999-12-31 23:59:59}', '{9999-12-31 23:59:59.999}', '{9999-12-31 23:59:59.9999}',
   '{9999-12-31 23:59:59.999999+00}', '{9999-12-31 23:59:59.999+00}', null),
  (4, 0, null, '24:00:00', '24:00:00', '24:00:00', '24:00:00+00', null, null, null, null, null, null, null,
   null, '{24:00}', '{24:00}', '{24:00}', null, '{24:00+00}', null, null, null, null, null, null, null),
  (5, 0, 'infinity', null, null, null, null, null, 'infinity', 'infinity', 'infinity', 'infinity', 'infinity', null,
   '{infinity,-infinity}', null, null, null, null, null, '{infinity,-infinity}', null, '{infinity,-infinity}', null, '{infinity,-infinity}', null, null),
  (6, 0, '-infinity', null, null, null, null, null, '-infinity', '-infinity', '-infinity', '-infinity', '-infinity', null,
   null, null, null, null, null, null, null, null, null, null, null, null, null);
create table shop.far_times (
  id int primary key, again int, d date, ts timestamp, ts3 timestamp(3), tstz timestamptz
);
insert into shop.far_times values
  (1, 0, '0044-03-15 BC', '0044-03-15 12:00:00.5 BC', '0044-03-15 12:00:00.5 BC', '0044-03-15 12:00:00.5+00 BC'),
  (2, 0, '10000-01-01', '10000-01-01 00:00:00.5', '10000-01-01 00:00:00.5', '10000-01-01 00:00:00.5+00'),
  (3, 0, '5874897-12-31', '294276-12-31 23:59:59.999999', '294276-12-31 23:59:59.999', '294276-12-31 23:59:59.999999+00'),
  (4, 0, '4713-01-01 BC', '4713-01-01 00:00:00 BC', '4713-01-01 00:00:00 BC', '4713-01-01 00:00:00+00 BC'),
  (5, 0, '1582-10-10', '1582-10-10 00:00:00', '1582-10-10 00:00:00', '1582-10-10 00:00:00+00'),
  (6, 0, '2262-04-12', '2262-04-12 00:00:00', '2262-04-12 00:00:00', '2262-04-12 00:00:00+00');
create table shop.lists (
  id int primary key, again int,
  bools boolean[], smalls smallint[], ints int[], bigs bigint[], oids oid[], reals real[], doubles float8[],
  numerics numeric[], amounts numeric(12,2)[], moneys money[], texts text[], varchars varchar(20)[], chars char(3)[],
  names name[], citexts citext[], moods shop.mood[], uuids uuid[], jsons json[], jsonbs jsonb[], xmls xml[],
  byteas bytea[], inets inet[], cidrs cidr[], macs macaddr[], mac8s macaddr8[], i4ranges int4range[], i8ranges int8range[],
  numranges numrange[], tsranges tsrange[], tstzranges tstzrange[], dateranges daterange[], ltrees ltree[], hstores hstore[],
  points point[], tsvectors tsvector[], intervals interval[], doms shop.amount[], geoms geometry[],
  nested int[][], nested_text text[][], cube3 int[3], dom_list shop.tags
);
insert into shop.lists values
  (1, 0, '{t,NULL,f}', '{1,NULL,-32768}', '{1,NULL,-2147483648}', '{1,NULL,-9223372036854775808}', '{1,NULL,4294967295}',
   '{1.5,NULL,NaN,Infinity,-Infinity,-0}', '{1.5,NULL,NaN,Infinity,-Infinity,-0,1e300}', '{1.50,NULL,12345678901234567890.123456789,-3}',
   '{1.50,NULL,-9999999999.99}', '{1.50,NULL}', '{a,NULL,"","NULL","q\"uote","b\\ack","{x}","é, 🚀"}', '{a,NULL,"b c"}', '{a,NULL,abc}',
   '{a,NULL}', '{Ab,NULL}', '{sad,NULL,"so, so","quo\"ted","back\\slash","NULL"}', '{00000000-0000-0000-0000-000000000001,NULL}',
   '{"{\"a\": 1.10}",NULL,"null"}', '{"{\"a\": 1.10}",NULL,"null"}', '{"<a>1</a>",NULL}', '{"\\x00ff",NULL,"\\x"}',
   '{10.0.0.1,NULL,10.0.0.0/8,::1}', '{10.0.0.0/8,NULL}', '{08:00:2b:01:02:03,NULL}', '{08:00:2b:01:02:03:04:05,NULL}',
   '{"[1,5)",NULL,empty,"(,)"}', '{"[1,5)",NULL}', '{"[1.5,2.50)",NULL}', '{"[2024-01-01 00:00,2024-01-02 00:00)",NULL}',
   '{"[2024-01-01 00:00+00,2024-01-02 00:00+00)",NULL}', '{"[2024-01-01,2024-01-02)",NULL}', '{a.b,NULL}', '{"a=>1,b=>NULL",NULL}',
   '{"(1,2)",NULL}', '{"a b",NULL}', '{1 day,NULL}', '{1.50,NULL}', array['POINT(1 2)'::geometry, null],
   '{{1,NULL},{3,4}}', '{{a,NULL},{"c d",e}}', '{1,2,3}', '{a,NULL}'),
  (2, 0, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}',
   '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}'),
  (3, 0, '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}',
   '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}',
   '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{NULL}', '{{NULL}}', '{{NULL}}', '{NULL}', '{NULL}');
insert into shop.lists (id, again) values (4, 0);
insert into shop.lists (id, again, ints, nested) values (5, 0, '[5:6]={1,2}', '[0:1][2:3]={{1,2},{3,4}}');
create table shop.names (
  id int primary key, again int,
  price shop.price, amount shop.amount, codes shop.codes, moments shop.moments, negative numeric(5,-2), small_scale numeric(2,4),
  money money, name name, pair shop.pair, pairs shop.pair[], ranges int4multirange, range int4range, lsn pg_lsn, xid xid, xid8 xid8,
  query tsquery, path jsonpath, isbn isbn, ean ean13, cube cube, box box, line line, lseg lseg, route path, area polygon, circle circle, point point,
  geometry geometry, geometry_point geometry(Point, 4326), geometry_z geometry, geography geography, geography_point geography(Point, 4326),
  cls regclass, tid tid, quoted "char", bpchar bpchar, tsv tsvector, json json, hs hstore, ci citext, dd double precision, rr real
);
insert into shop.names values
  (1, 0, 12.50, 12.50, 'ab', '2024-02-29 12:34:56.789', 12345, 0.0012, -1234.50, 'a name', '(1,"x y")', '{"(1,x)"}', '{[1,3),[5,7)}', '[1,5)', '0/16B3748', '42', '42',
   'fat & rat', '$.a[*]', '978-0-393-04002-9', '9780393040029', '(1,2,3)', '(2,2),(0,0)', '{1,-1,0}', '[(0,0),(1,1)]', '[(0,0),(1,1)]', '((0,0),(1,0),(1,1))', '<(1,2),3>', '(1.5,-2)',
   'POINT(1 2)', 'SRID=4326;POINT(1 2)', 'SRID=4326;POINT Z (1 2 3)', 'POINT(1 2)', 'SRID=4326;POINT(1 2)',
   'shop.mark', '(0,1)', 'x', 'pad  ', 'a:1A b:2', '{"a":1.10}', 'a=>1', 'Ab', 'NaN', 'Infinity'),
  (2, 0, 0, 0, 'abc', '1969-12-31 23:59:59.999', -12300, -0.0099, 0, '', '(,)', '{}', '{}', 'empty', '0/0', '0', '0',
   '', '$', null, null, '(0)', '(0,0),(0,0)', '{0,1,0}', '[(0,0),(0,0)]', '((0,0),(1,1))', '((0,0))', '<(0,0),0>', '(0,0)',
   'POINT EMPTY', 'SRID=4326;POINT(-1.5 2.25)', 'LINESTRING(0 0,1 1)', 'LINESTRING(0 0,1 1)', 'POINT(0 0)',
   '0', '(0,0)', '', '', '', 'null', '', '', '-0', '-Infinity');
insert into shop.names (id, again) values (3, 0);
insert into shop.mark values (0, 'before the snapshot');
-- the snapshot happens here
insert into shop.mark values (1, 'after the snapshot');
update shop.bits set again = 1;
update shop.times set again = 1;
update shop.far_times set again = 1;
update shop.lists set again = 1;
update shop.names set again = 1;
insert into shop.mark values (2, 'end');
