-- Long values that an UPDATE leaves alone, of every type that PostgreSQL can store outside of the
-- row: what stands in their place in the event, under REPLICA IDENTITY DEFAULT and FULL.

create extension hstore;
create extension citext;
create extension ltree;
create extension postgis;
create schema shop;
create type shop.mood as enum ('sad', 'happy');
create domain shop.long_text as text;
create table shop.mark (n int primary key, note text);
create table shop.long_values (
  id int primary key, touched int,
  t text,
  vc varchar(400),
  ch char(60),
  ci citext,
  b bytea,
  j json,
  jb jsonb,
  x xml,
  h hstore,
  vb varbit,
  bt bit(400),
  n numeric,
  np numeric(300,2),
  tsv tsvector,
  lt ltree,
  dm shop.long_text,
  geo public.geometry,
  ta text[],
  vca varchar(20)[],
  cha char(8)[],
  cia citext[],
  ba bytea[],
  ja json[],
  jba jsonb[],
  sa smallint[],
  ia int[],
  la bigint[],
  oa oid[],
  ra real[],
  fa float8[],
  na numeric[],
  npa numeric(12,2)[],
  boa boolean[],
  ua uuid[],
  da date[],
  tia time[],
  tza timetz[],
  tsa timestamp[],
  ts3a timestamp(3)[],
  tsza timestamptz[],
  ea shop.mood[],
  ina inet[],
  cda cidr[],
  maa macaddr[],
  i4ra int4range[],
  tszra tstzrange[],
  lta ltree[],
  ha hstore[]
);
alter table shop.long_values
  alter column t set storage external,
  alter column vc set storage external,
  alter column ch set storage external,
  alter column ci set storage external,
  alter column b set storage external,
  alter column j set storage external,
  alter column jb set storage external,
  alter column x set storage external,
  alter column h set storage external,
  alter column vb set storage external,
  alter column bt set storage external,
  alter column n set storage external,
  alter column np set storage external,
  alter column tsv set storage external,
  alter column lt set storage external,
  alter column dm set storage external,
  alter column geo set storage external,
  alter column ta set storage external,
  alter column vca set storage external,
  alter column cha set storage external,
  alter column cia set storage external,
  alter column ba set storage external,
  alter column ja set storage external,
  alter column jba set storage external,
  alter column sa set storage external,
  alter column ia set storage external,
  alter column la set storage external,
  alter column oa set storage external,
  alter column ra set storage external,
  alter column fa set storage external,
  alter column na set storage external,
  alter column npa set storage external,
  alter column boa set storage external,
  alter column ua set storage external,
  alter column da set storage external,
  alter column tia set storage external,
  alter column tza set storage external,
  alter column tsa set storage external,
  alter column ts3a set storage external,
  alter column tsza set storage external,
  alter column ea set storage external,
  alter column ina set storage external,
  alter column cda set storage external,
  alter column maa set storage external,
  alter column i4ra set storage external,
  alter column tszra set storage external,
  alter column lta set storage external,
  alter column ha set storage external,
  set (toast_tuple_target = 128);
create table shop.long_values_full (like shop.long_values including all);
alter table shop.long_values_full set (toast_tuple_target = 128);
alter table shop.long_values_full replica identity full;
insert into shop.long_values select 1, 0,
  repeat('text ', 9),
  repeat('varchar ', 9),
  repeat('char ', 9),
  repeat('Citext ', 9),
  convert_to(repeat('bytes ', 9), 'UTF8') || '\xff00fe'::bytea,
  json_build_object('a', repeat('json ', 9)),
  jsonb_build_object('a', repeat('jsonb ', 9)),
  xmlelement(name a, repeat('xml ', 9)),
  hstore('a', repeat('hstore ', 9)),
  repeat('1011', 100)::varbit,
  repeat('1011', 100)::bit(400),
  (repeat('123456789', 20) || '.5')::numeric,
  (repeat('123456789', 20) || '.25')::numeric,
  array_to_tsvector(array(select 'word' || g from generate_series(1,8) g)),
  array_to_string(array(select 'label' || g from generate_series(1,8) g), '.')::ltree,
  repeat('domain ', 9),
  st_makeline(array(select st_makepoint(g, g) from generate_series(1,8) g)),
  array(select 'elem' || g from generate_series(1, 12) g)::text[],
  array(select 'elem' || g from generate_series(1, 12) g)::varchar(20)[],
  array(select 'e' || g from generate_series(1, 12) g)::char(8)[],
  array(select 'Elem' || g from generate_series(1, 12) g)::citext[],
  array(select convert_to('elem' || g, 'UTF8') from generate_series(1, 12) g)::bytea[],
  array(select json_build_object('a', g) from generate_series(1, 12) g)::json[],
  array(select jsonb_build_object('a', g) from generate_series(1, 12) g)::jsonb[],
  array(select g::smallint from generate_series(1, 12) g)::smallint[],
  array(select g::int from generate_series(1, 12) g)::int[],
  array(select g::bigint from generate_series(1, 12) g)::bigint[],
  array(select g::oid from generate_series(1, 12) g)::oid[],
  array(select g::real from generate_series(1, 12) g)::real[],
  array(select g + 0.5 from generate_series(1, 12) g)::float8[],
  array(select g + 0.5 from generate_series(1, 12) g)::numeric[],
  array(select g + 0.25 from generate_series(1, 12) g)::numeric(12,2)[],
  array(select g % 2 = 0 from generate_series(1, 12) g)::boolean[],
  array(select ('00000000-0000-0000-0000-' || lpad(g::text, 12, '0'))::uuid from generate_series(1, 12) g)::uuid[],
  array(select date '2024-01-01' + g from generate_series(1, 12) g)::date[],
  array(select time '00:00:00.5' + make_interval(mins => g) from generate_series(1, 12) g)::time[],
  array(select timetz '00:00:00.5+00' + make_interval(mins => g) from generate_series(1, 12) g)::timetz[],
  array(select timestamp '2024-01-01 00:00:00.5' + make_interval(mins => g) from generate_series(1, 12) g)::timestamp[],
  array(select timestamp '2024-01-01 00:00:00.5' + make_interval(mins => g) from generate_series(1, 12) g)::timestamp(3)[],
  array(select timestamptz '2024-01-01 00:00:00.5+00' + make_interval(mins => g) from generate_series(1, 12) g)::timestamptz[],
  array(select (case when g % 2 = 0 then 'sad' else 'happy' end)::shop.mood from generate_series(1, 12) g)::shop.mood[],
  array(select inet '10.0.0.0' + g from generate_series(1, 12) g)::inet[],
  array(select network(inet '10.0.0.0/16' + g * 65536::bigint)::cidr from generate_series(1, 12) g)::cidr[],
  array(select ('08:00:2b:01:02:' || lpad(to_hex(g), 2, '0'))::macaddr from generate_series(1, 12) g)::macaddr[],
  array(select int4range(g, g + 1) from generate_series(1, 12) g)::int4range[],
  array(select tstzrange('2024-01-01 00:00+00', timestamptz '2024-01-01 00:00+00' + make_interval(mins => g)) from generate_series(1, 12) g)::tstzrange[],
  array(select ('label' || g)::ltree from generate_series(1, 12) g)::ltree[],
  array(select hstore('a', g::text) from generate_series(1, 12) g)::hstore[];
insert into shop.long_values select 2, touched, t, vc, ch, ci, b, j, jb, x, h, vb, bt, n, np, tsv, lt, dm, geo, ta, vca, cha, cia, ba, ja, jba, sa, ia, la, oa, ra, fa, na, npa, boa, ua, da, tia, tza, tsa, ts3a, tsza, ea, ina, cda, maa, i4ra, tszra, lta, ha from shop.long_values where id = 1;
insert into shop.long_values select 3, touched, t, vc, ch, ci, b, j, jb, x, h, vb, bt, n, np, tsv, lt, dm, geo, ta, vca, cha, cia, ba, ja, jba, sa, ia, la, oa, ra, fa, na, npa, boa, ua, da, tia, tza, tsa, ts3a, tsza, ea, ina, cda, maa, i4ra, tszra, lta, ha from shop.long_values where id = 1;
insert into shop.long_values (id, touched) values (4, 0);
insert into shop.long_values_full select * from shop.long_values where id in (1, 4);
insert into shop.mark values (0, 'before the snapshot');
-- the snapshot happens here
-- mark 1
insert into shop.mark values (1, 'after the snapshot');
update shop.long_values set touched = 1 where id in (1, 4);
update shop.long_values_full set touched = 1;
-- mark 2
insert into shop.mark values (2, 'touched');
update shop.long_values set id = 12 where id = 2;
update shop.long_values set t = 'short now' where id = 3;
update shop.long_values set vc = null, ch = null, ci = null, b = null, j = null, jb = null, x = null, h = null, vb = null, bt = null, n = null, np = null, tsv = null, lt = null, dm = null, geo = null, ta = null, vca = null, cha = null, cia = null, ba = null, ja = null, jba = null, sa = null, ia = null, la = null, oa = null, ra = null, fa = null, na = null, npa = null, boa = null, ua = null, da = null, tia = null, tza = null, tsa = null, ts3a = null, tsza = null, ea = null, ina = null, cda = null, maa = null, i4ra = null, tszra = null, lta = null, ha = null where id = 3;
insert into shop.long_values select 5, touched, t, vc, ch, ci, b, j, jb, x, h, vb, bt, n, np, tsv, lt, dm, geo, ta, vca, cha, cia, ba, ja, jba, sa, ia, la, oa, ra, fa, na, npa, boa, ua, da, tia, tza, tsa, ts3a, tsza, ea, ina, cda, maa, i4ra, tszra, lta, ha from shop.long_values where id = 1;
update shop.long_values set touched = 2 where id = 5;
delete from shop.long_values where id = 1;
-- mark 3
insert into shop.mark values (3, 'end');
