create schema shop;
create table shop.mark (n int primary key, note text);
create table shop.units (
  "unit-no" int, "land (de)" varchar(3), "1st" int, "_1" int, "ab__c" int, "müll" text, "źle" numeric(10,2), "漢字c" text, "a.b" timestamp(3), "😀" text[],
  "Größe $" text, plain text,
  primary key ("unit-no", "land (de)")
);
insert into shop.units values
  (1, 'de', 10, 11, 12, 'alt', 1.50, 'kanji', '2024-02-29 12:00:00.123', '{a,NULL}', 'klein', 'p'),
  (2, 'at', null, null, null, null, null, null, null, null, null, null);
insert into shop.mark values (0, 'before the snapshot');
-- the snapshot happens here
insert into shop.mark values (1, 'after the snapshot');
update shop.units set "müll" = 'neu', "1st" = 20;
update shop.units set "unit-no" = 3 where "unit-no" = 2;
insert into shop.units values (4, 'ch', 1, 2, 3, 'x', -0.01, '字', '1999-12-31 23:59:59.999', '{}', 'groß', 'q');
delete from shop.units where "unit-no" = 1;
insert into shop.mark values (2, 'end');
