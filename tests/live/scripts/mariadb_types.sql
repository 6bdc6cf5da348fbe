-- MariaDB: addresses, UUIDs and other types MySQL lacks, times that are no times of day, JSON, binary
-- character sets and booleans made in mid-stream. Rows of the snapshot are sent again by an UPDATE of
-- another column: mark 1 shows the snapshot's forms, the end those of the stream.

create table mark (n int primary key, note text);
create table addresses (id int primary key, again int, four inet4, six inet6, u uuid);
insert into addresses values (1, 0, '10.0.0.1', '::1', '00000000-0000-0000-0000-0000000000ff'), (2, 0, '255.255.255.255', '2001:db8::ff00:42:8329', 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
  (3, 0, '0.0.0.0', '::ffff:10.0.0.1', '01234567-89ab-cdef-0123-456789abcdef'), (4, 0, null, null, null);
create table addresses_by_key (six inet6 primary key, note text);
insert into addresses_by_key values ('::1', 'a'), ('2001:db8::1', 'b');
create table times (
  id int primary key, again int,
  d date, t time, t3 time(3), t6 time(6), dt datetime, dt3 datetime(3), dt6 datetime(6), ts timestamp null, ts6 timestamp(6) null, y year
);
insert into times values
  (1, 0, '2024-02-29', '12:34:56', '12:34:56.789', '12:34:56.789012', '2024-02-29 12:34:56', '2024-02-29 12:34:56.789', '2024-02-29 12:34:56.789012', '2024-02-29 12:34:56', '2024-02-29 12:34:56.789012', 2024),
  (2, 0, '1000-01-01', '-12:34:56', '-12:34:56.789', '-12:34:56.789012', '1000-01-01 00:00:00', '1969-12-31 23:59:59.999', '1969-12-31 23:59:59.999999', '1970-01-01 00:00:01', '2038-01-19 03:14:07.999999', 1901),
  (3, 0, '9999-12-31', '838:59:59', '838:59:59', '838:59:59', '9999-12-31 23:59:59', '9999-12-31 23:59:59.999', '9999-12-31 23:59:59.999999', null, null, 2155),
  (4, 0, null, '-838:59:59', '-838:59:59', '-838:59:59', null, null, null, null, null, null),
  (5, 0, null, '-00:30:00', '-00:30:00.5', '-00:00:00.000001', null, null, null, null, null, null),
  (6, 0, null, '24:00:00', '24:00:00', '24:00:00.000001', null, null, null, null, null, null);
create table texts (
  id int primary key, again int,
  c char(5) character set binary, v varchar(10) character set binary, t text character set binary, b binary(5), bl blob
);
insert into texts values (1, 0, 'abc', 'abc', 'abc', 'abc', 'abc'), (2, 0, x'00ff', x'00ff', x'00ff00', x'00ff', x'00ff00'), (3, 0, null, null, null, null, null);
create table docs (id int primary key, again int, j json);
insert into docs values (1, 0, '{"a": 1.0, "b": 1e2, "c":1.10}'), (2, 0, '[1,  2]'), (3, 0, 'null'), (4, 0, null);
create table flags (id int primary key, again int, b boolean, t1 tinyint(1));
insert into flags values (1, 0, true, 1), (2, 0, false, 0), (3, 0, 2, -1);
insert into mark values (0, 'before the snapshot');
-- the snapshot happens here
-- mark 1
insert into mark values (1, 'after the snapshot');
update addresses set again = 1;
update addresses_by_key set note = 'again';
update addresses_by_key set six = '2001:db8::2' where note = 'again' and six = '2001:db8::1';
update times set again = 1;
update texts set again = 1;
update docs set again = 1;
update flags set again = 1;
-- mark 2
insert into mark values (2, 'all sent again');
alter table flags add column late boolean, add column late1 tinyint(1), add column late4 tinyint(4);
update flags set late = true, late1 = 1, late4 = 1 where id = 1;
update flags set late = 2, late1 = 2, late4 = 2 where id = 2;
create table late_flags (id int primary key, b boolean, t1 tinyint(1), t tinyint, six inet6, four inet4, u uuid);
insert into late_flags values (1, true, 1, 1, '::1', '10.0.0.1', '00000000-0000-0000-0000-0000000000ff'), (2, false, 0, 0, null, null, null);
alter table texts add column late_c char(5) character set binary, add column late_t text character set binary;
update texts set late_c = x'00ff', late_t = x'00ff00' where id in (1, 2);
create table late_texts (id int primary key, c char(5) character set binary, v varchar(10) character set binary, t text character set binary, b binary(5));
insert into late_texts values (1, 'abc', 'abc', 'abc', 'abc'), (2, x'00ff', x'00ff', x'00ff00', x'00ff');
-- mark 3
insert into mark values (3, 'end');
