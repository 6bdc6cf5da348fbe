create schema shop;
create table shop.mark (n int primary key, note text);
create table shop.endless (id int primary key, again int, p numeric(12,2), free numeric, frees numeric[], ps numeric(12,2)[]);
insert into shop.endless values (1, 0, 1.50, 1.50, '{1.50}', '{1.50}'), (2, 0, 'NaN', 'NaN', '{NaN,1}', '{NaN,1}');
insert into shop.mark values (0, 'before the snapshot');
-- the snapshot happens here
insert into shop.mark values (1, 'after the snapshot');
update shop.endless set again = 1;
insert into shop.endless values (3, 1, null, 'Infinity', null, null);
insert into shop.endless values (4, 1, null, '-Infinity', null, null);
insert into shop.endless values (5, 1, null, null, '{Infinity,-Infinity,1}', null);
insert into shop.mark values (2, 'end');
