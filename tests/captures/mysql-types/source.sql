create table mark (n int primary key, note text);
create table times (
  id int primary key, again int,
  d date, t time, t3 time(3), t6 time(6), dt datetime, dt3 datetime(3), dt6 datetime(6), ts timestamp null, ts6 timestamp(6) null, y year
);
insert into times values
  (1, 0, '2024-02-29', '12:34:56', '12:34:56.789', '12:34:56.789012', '2024-02-29 12:34:56', '2024-02-29 12:34:56.789', '2024-02-29 12:34:56.789012', '2024-02-29 12:34:56', '2024-02-29 12:34:56.789012', 2024),
  (2, 0, '1000-01-01', '-12:34:56', '-12:34:56.789', '-12:34:56.789012', '1000-01-01 00:00:00', '1969-12-31 23:59:59.999', '1969-12-31 23:59:59.999999', '1970-01-01 00:00:01', '2038-01-19 03:14:07.999999', 1901),
  (3, 0, '9999-12-31', '838:59:59', '838:59:59', '838:59:59', '9999-12-31 23:59:59', '9999-12-31 23:59:59.999', '9999-12-31 23:59:59.999999', null, null, 2155),
  (4, 0, '2262-04-12', '-838:59:59', '-838:59:59', '-838:59:59', '2262-04-12 00:00:00', '2262-04-12 00:00:00', '2262-04-12 00:00:00', null, null, null),
  (5, 0, null, '-00:30:00', '-00:30:00.5', '-00:00:00.000001', null, null, null, null, null, null),
  (6, 0, null, '24:00:00', '24:00:00', '24:00:00.000001', null, null, null, null, null, null),
  (7, 0, null, '00:00:00', '00:00:00', '00:00:00', null, null, null, null, null, null);
create table texts (
  id int primary key, again int,
  c char(5) character set binary, v varchar(10) character set binary, t text character set binary, cb char(5) collate utf8mb4_bin, vb varchar(10) binary,
  b binary(5), vbin varbinary(10), bl blob
);
insert into texts values
  (1, 0, 'abc', 'abc', 'abc', 'abc', 'abc', 'abc', 'abc', 'abc'),
  (2, 0, x'00ff', x'00ff', x'00ff00', 'é', 'é', x'00ff', x'00ff', x'00ff00'),
  (3, 0, null, null, null, null, null, null, null, null),
  (4, 0, '', '', '', '', '', '', '', '');
create table docs (id int primary key, again int, j json);
insert into docs values
  (1, 0, '{"a": 1.0, "b": 1e2, "c": 1.10, "d": 100, "e": -0.0, "f": 0.1, "g": 1e300, "h": 1e-7, "i": 18446744073709551615, "j": -9223372036854775808, "k": 18446744073709551616}'),
  (2, 0, json_object('date', cast('2024-01-01' as date), 'time', cast('12:34:56.789' as time(3)), 'datetime', cast('2024-01-01 12:34:56.789' as datetime(3)),
                     'decimal', cast(1.50 as decimal(5,2)), 'blob', x'00ff', 'bit', b'101')),
  (3, 0, '{"bb": 1, "a": [true, false, null, "x\\u00e9\\"\\\\/", {}], "": "", "aaa": "🚀"}'),
  (4, 0, 'null'), (5, 0, '1.0'), (6, 0, '"text"'), (7, 0, '[]'), (8, 0, null),
  (9, 0, '[123456789012345.678, 1e15, 1e16, 1e17, 1.5e-10, 100000000000000000000, 3.0, 12345678.9]');
create table flags (id int primary key, again int, b boolean, t1 tinyint(1), t1u tinyint(1) unsigned, t4 tinyint(4));
insert into flags values (1, 0, true, 1, 1, 1), (2, 0, false, 0, 0, 0), (3, 0, 2, -1, 255, 127), (4, 0, null, null, null, null);
create table vectors (id int primary key, again int, v vector(3), w vector);
insert into vectors values (1, 0, to_vector('[1,-2.5,3e10]'), to_vector('[0.1]')), (2, 0, null, null);
create table places (id int primary key, again int, p point, p4326 point srid 4326, g geometry, l linestring srid 3857);
insert into places values
  (1, 0, st_geomfromtext('POINT(1 2)'), st_geomfromtext('POINT(10 20)', 4326), st_geomfromtext('POLYGON((0 0,1 0,1 1,0 0))'), st_geomfromtext('LINESTRING(0 0,1 1)', 3857)),
  (2, 0, null, null, null, null);
create table odd (
  id serial primary key, again int, e enum('x,l', 's', 'a\'b', 'NULL'), s set('a', 'b', 'x y'), b1 bit, b9 bit(9), dec1 decimal(20,4), dbl double, flt float,
  u bigint unsigned, m mediumint unsigned, n nchar(3), nv nvarchar(5), lt longtext
);
insert into odd values (1, 0, 'x,l', 'a,x y', 1, b'100000001', 1234567890123456.7890, 1e300, 1.1, 18446744073709551615, 16777215, 'é', 'ab', 'long'),
  (2, 0, 'a\'b', '', 0, 0, -0.0001, -0.0, 16777216, 0, 0, '', '', ''), (3, 0, 'NULL', null, null, null, null, null, null, null, null, null, null, null);
insert into mark values (0, 'before the snapshot');
-- the snapshot happens here
insert into mark values (1, 'after the snapshot');
update times set again = 1;
update texts set again = 1;
update docs set again = 1;
update flags set again = 1;
update vectors set again = 1;
update places set again = 1;
update odd set again = 1;
insert into mark values (2, 'all sent again');
alter table flags add column late boolean, add column late1 tinyint(1), add column late4 tinyint(4);
update flags set late = true, late1 = 1, late4 = 1 where id = 1;
update flags set late = 2, late1 = 2, late4 = 2 where id = 2;
create table late_flags (id int primary key, b boolean, t1 tinyint(1), bo bool not null default true, t tinyint);
insert into late_flags values (1, true, 1, true, 1), (2, false, 0, false, 0), (3, 2, -1, 1, 127), (4, null, null, 1, null);
alter table texts add column late_c char(5) character set binary, add column late_v varchar(10) character set binary,
  add column late_t text character set binary, add column late_byte char(5) byte;
update texts set late_c = x'00ff', late_v = x'00ff', late_t = x'00ff00', late_byte = x'00ff' where id in (1, 2);
create table late_texts (id int primary key, c char(5) character set binary, v varchar(10) character set binary, t text character set binary,
  lb long varchar, b binary(5), cb char(5) collate utf8mb4_bin);
insert into late_texts values (1, 'abc', 'abc', 'abc', 'abc', 'abc', 'abc'), (2, x'00ff', x'00ff', x'00ff00', 'é', x'00ff', 'é');
insert into times values (11, 1, '2024-02-29', '-00:30:00', '-00:30:00.5', '-838:59:59', null, null, null, null, null, null);
insert into mark values (3, 'end');
