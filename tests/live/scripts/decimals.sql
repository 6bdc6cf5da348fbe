-- Decimals as columns, elements and keys: with and without a declared precision, beyond 38 digits,
-- NaN and the infinities. Keys are decimals, and change.

create schema shop;
create table shop.mark (n int primary key, note text);
create table shop.decimals (
  id int primary key, again int, p numeric(12,2), whole numeric(20,0), wide numeric(60,20), negative numeric(5,-2), small_scale numeric(2,4),
  free numeric, ps numeric(12,2)[], frees numeric[], m money
);
insert into shop.decimals values
  (1, 0, 1.50, 12345678901234567890, 1234567890123456789012345678901234567890.12345678901234567890, 12300, 0.0012,
   12345678901234567890.1234567890, '{1.50,NULL,-0.01}', '{1.50,NULL,12345678901234567890.10,1e20}', 1234.50),
  (2, 0, 0.00, 0, 0, 0, 0, 0.000, '{}', '{0.000}', 0),
  (3, 0, -9999999999.99, -12345678901234567890, -0.00000000000000000001, -99900, -0.0099, 1e30, '{100.00}', '{}', -0.01),
  (4, 0, null, null, null, null, null, null, null, null, null),
  (5, 0, 1e3, 1e3, 1e39, 1e4, 0.0001, 1e-20, '{1000}', '{1000,0.1e-7}', 100000);
create table shop.keyed (price numeric(10,2) primary key, note text);
insert into shop.keyed values (1.50, 'a'), (100.00, 'b'), (-0.01, 'c');
create table shop.keyed_free (price numeric primary key, note text);
insert into shop.keyed_free values (1.50, 'a'), (100, 'b'), (1e20, 'c'), (0.0001, 'd'), (12345678901234567890.123, 'e');
insert into shop.mark values (0, 'before the snapshot');
-- the snapshot happens here
-- mark 1
insert into shop.mark values (1, 'after the snapshot');
update shop.decimals set again = 1;
update shop.keyed set note = 'again';
update shop.keyed set price = 2.10 where price = 1.50;
update shop.keyed_free set note = 'again';
update shop.keyed_free set price = 2.10 where price = 1.50;
update shop.keyed_free set price = 1e21 where price = 1e20;
delete from shop.keyed_free where price = 0.0001;
-- mark 2
insert into shop.mark values (2, 'end');
