create schema shop;
create type shop.order_status as enum ('new','paid','shipped','cancelled','returned');
create type shop.category as enum ('book','toy','food','café & bar');
create table shop.customers (
  id bigint primary key, email text not null, full_name text, tier char(3),
  is_active boolean not null default true, birth_date date, signed_up timestamptz not null,
  last_seen timestamp, notes text);
alter table shop.customers alter column notes set storage external;
create table shop.products (
  sku uuid primary key, name text not null, price numeric(12,2), weight numeric, attributes jsonb,
  tags text[], category shop.category, description text);
alter table shop.products alter column description set storage external;
create table shop.orders (
  id bigint primary key, customer_id int, status shop.order_status, placed_at timestamptz not null,
  total numeric(12,2), comment text);
create table shop.order_lines (
  order_id bigint, line_no smallint, sku uuid, qty int, unit_price numeric(12,4),
  "Gift Wrap" boolean, primary key (order_id, line_no));
create table shop.stock_slots (
  id int primary key deferrable initially immediate, label text, qty int);
alter table shop.stock_slots replica identity full;
create table shop.carts (id int primary key, owner bigint, items jsonb);
create table shop.mark (n int primary key, note text);
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (1,'c1.969791@example.com',NULL,NULL,true,'1999-12-31','2024-01-01T00:02:14.375473+00:00','1960-07-04 12:00:00.5','  no-break');
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (2,'c2.945456@example.com',NULL,NULL,false,NULL,'2024-01-01T00:12:57.913008+00:00','1960-07-04 12:00:00.5',' ');
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (3,'c3.617740@example.com','Customer 3','CCC',true,'1999-12-31','2024-01-01T00:27:39.709702+00:00','1969-12-31 23:59:59.999999','None');
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (4,'c4.853829@example.com','Customer 4','BB',true,'2001-06-15','2024-01-01T00:30:46.881233+00:00','2024-03-10 02:30:00','{% if x %}{# y #}');
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (5,'c5.610583@example.com',NULL,NULL,true,'1999-12-31','2024-01-01T00:44:48.175443+00:00','1969-12-31 23:59:59.999999','é ü ß 漢字 עברית');
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (6,'c6.937992@example.com','Customer 6','A',true,NULL,'2024-01-01T00:58:23.916936+00:00','1960-07-04 12:00:00.5','plain');
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (7,'c7.991393@example.com','Customer 7','BB',false,'-infinity','2024-01-01T00:58:48.329426+00:00','1960-07-04 12:00:00.5','null');
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (8,'c8.564758@example.com',NULL,'A',true,'1984-02-29','2024-01-01T00:59:26.532130+00:00','2024-02-29 12:34:56.789012','tab	here');
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (9,'c9.226441@example.com',NULL,'CCC',true,'1999-12-31','2024-01-01T01:13:20.117224+00:00',NULL,'<b>&amp;</b>');
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (10,'c10.798935@example.com','[1,2]','',false,'1984-02-29','2024-01-01T01:25:10.190178+00:00','2024-02-29 12:34:56.789012','2024-01-01');
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (11,'c11.313372@example.com','Customer 11',NULL,true,'1999-12-31','2024-01-01T01:39:26.954319+00:00',NULL,'[1,2]');
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (12,'c12.589322@example.com','Customer 12','CCC',false,'2001-06-15','2024-01-01T01:39:32.239655+00:00','1960-07-04 12:00:00.5','1e5');
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (13,'c13.213480@example.com','Customer 13','BB',true,'1984-02-29','2024-01-01T01:44:16.973245+00:00','1969-12-31 23:59:59.999999','line separator');
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (14,'c14.942411@example.com','Customer 14',NULL,false,'9999-12-31','2024-01-01T01:55:46.991964+00:00','1969-12-31 23:59:59.999999','2024-01-01');
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (15,'c15.366351@example.com','Customer 15','A',true,'-infinity','2024-01-01T02:05:15.784602+00:00','2024-02-29 12:34:56.789012','''; drop table shop.orders; --');
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (16,'c16.936587@example.com','Customer 16','CCC',true,NULL,'2024-01-01T02:14:56.075617+00:00','1969-12-31 23:59:59.999999','it''s');
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (17,'c17.259630@example.com',NULL,'BB',false,'1970-01-01','2024-01-01T02:17:27.668335+00:00','2024-03-10 02:30:00','1e5');
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (18,'c18.640512@example.com','Customer 18',NULL,true,'1999-12-31','2024-01-01T02:18:09.846260+00:00','1960-07-04 12:00:00.5','say "hi"');
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (19,'c19.977494@example.com','tab	here','A',true,'9999-12-31','2024-01-01T02:28:27.891424+00:00','1960-07-04 12:00:00.5','%s ${x} $1');
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (20,'c20.96981@example.com','Customer 20','',false,'9999-12-31','2024-01-01T02:32:16.541163+00:00','2024-03-10 02:30:00','select ''a'' as "b"');
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (21,'c21.780982@example.com','é ü ß 漢字 עברית','',true,'1970-01-01','2024-01-01T02:32:58.412556+00:00','2024-10-27 01:30:00.1','trail \');
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (22,'c22.220781@example.com','{"looks":"like json"}','BB',true,'1984-02-29','2024-01-01T02:47:01.908036+00:00','1969-12-31 23:59:59.999999',' ');
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (23,'c23.703332@example.com','tab	here','',true,'1984-02-29','2024-01-01T02:56:11.925146+00:00','1960-07-04 12:00:00.5','<b>&amp;</b>');
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (24,'c24.199508@example.com',NULL,'BB',false,'1984-02-29','2024-01-01T02:57:11.192101+00:00','2024-10-27 01:30:00.1','one
two
three');
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (25,'c25.754150@example.com','Customer 25','CCC',false,'9999-12-31','2024-01-01T03:05:07.731571+00:00','2024-02-29 12:34:56.789012','﻿mark');
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (26,'c26.719836@example.com','Customer 26',NULL,true,'1999-12-31','2024-01-01T03:14:12.950273+00:00','1969-12-31 23:59:59.999999','one
two
three');
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (27,'c27.737913@example.com','tab	here','BB',false,'1999-12-31','2024-01-01T03:20:00.259857+00:00','2024-10-27 01:30:00.1','back\slash');
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (28,'c28.66397@example.com',NULL,'A',false,'9999-12-31','2024-01-01T03:21:22.870650+00:00','2024-10-27 01:30:00.1',' ');
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (29,'c29.536554@example.com','Customer 29','CCC',true,'2001-06-15','2024-01-01T03:36:19.877850+00:00','1960-07-04 12:00:00.5','{{ jinja }}');
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (30,'c30.875991@example.com','''; drop table shop.orders; --',NULL,true,'1970-01-01','2024-01-01T03:36:21.849362+00:00','2024-03-10 02:30:00','2024-01-01');
insert into shop.products (sku,name,price,weight,attributes,tags,category,description) values ('0495e26a-a2e8-440a-8bb9-79eacc484d85','Product 0495',NULL,'0.000001',NULL,'{a,b,NULL}',NULL,'  no-break');
insert into shop.products (sku,name,price,weight,attributes,tags,category,description) values ('b7d58034-abaa-4259-893f-ba46537fcb16','Product b7d5','9.99','0','{}','{}','book','it''s');
insert into shop.products (sku,name,price,weight,attributes,tags,category,description) values ('c08f8139-6d8e-4942-96a9-dfaf9d1d7e9b','Product c08f','9.99','2.500','null','{"x","y,z","q\"uote","back\\slash",""}','book','it''s');
insert into shop.products (sku,name,price,weight,attributes,tags,category,description) values ('106ef948-5b96-42d7-ae25-bd6182197f46','''; drop table shop.orders; --','1234.50','0','[]','{}','toy','comma, semi; pipe|');
insert into shop.products (sku,name,price,weight,attributes,tags,category,description) values ('8f05aefe-28d6-45cf-b793-7a0975a19e06','emoji 🚀👩‍👩‍👧 ok',NULL,'0','{}','{null,NULL}','book','NULL');
insert into shop.products (sku,name,price,weight,attributes,tags,category,description) values ('080a9cba-a30d-4128-9f6b-3b1c8fcc6047',' ',NULL,'2.500','{"k": [1, 2.50, null]}','{null,NULL}','book','  no-break');
insert into shop.products (sku,name,price,weight,attributes,tags,category,description) values ('56755ff9-ac67-470f-8779-57bfb4b482a4','Product 5675','9999999999.99','0','{"é": "\"q\" \\ {{ x }}"}','{"x","y,z","q\"uote","back\\slash",""}','food','0');
insert into shop.products (sku,name,price,weight,attributes,tags,category,description) values ('2c9a133c-0449-49e9-bb8f-a950a43544d9','Product 2c9a',NULL,'-3.50','{}',NULL,'toy','1e5');
insert into shop.products (sku,name,price,weight,attributes,tags,category,description) values ('b31f7302-ecce-41b1-b2c6-4478a233d951','back\slash','19.95','2.500','{"nested": {"deep": [true, {"x": 1e3}]}}','{"x","y,z","q\"uote","back\\slash",""}','café & bar','1e5');
insert into shop.products (sku,name,price,weight,attributes,tags,category,description) values ('99a3d27a-2d87-4666-bd4a-fc5bacd4dfd9','one
two
three','1234.50',NULL,'{"k": [1, 2.50, null]}','{a}','café & bar','None');
insert into shop.products (sku,name,price,weight,attributes,tags,category,description) values ('59d42c10-7acc-46f3-bc48-5551e11f9348','null','0.00','0',NULL,'{"x","y,z","q\"uote","back\\slash",""}','café & bar','select ''a'' as "b"');
insert into shop.products (sku,name,price,weight,attributes,tags,category,description) values ('6ccca856-5d7b-4ee2-bc2c-32afe724037b','Product 6ccc','19.95','1','[]','{null,NULL}','book','back\slash');
insert into shop.products (sku,name,price,weight,attributes,tags,category,description) values ('bef7cb8f-5244-44d9-baf8-d0f17de43c29','2024-01-01','1234.50','0.000001',NULL,'{null,NULL}','food','{"looks":"like json"}');
insert into shop.products (sku,name,price,weight,attributes,tags,category,description) values ('1ddaf213-bc4a-4b4f-8aa3-87c69758851f','Product 1dda','9.90','0','{"é": "\"q\" \\ {{ x }}"}','{a}','book','%s ${x} $1');
insert into shop.products (sku,name,price,weight,attributes,tags,category,description) values ('ab836b2f-e7f1-4ce0-99e4-d8832b48995f','true','19.95','12345678901234567890.123456789','[]','{"x","y,z","q\"uote","back\\slash",""}','food','tab	here');
update shop.customers set notes='paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet green träume lamp paper green box, paper träume lamp träume paper quiet gr' where id=17;
update shop.products set description='river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume lamp paper north seven lamp salt seven box north, river north träume' where sku='bef7cb8f-5244-44d9-baf8-d0f17de43c29';
update shop.customers set notes='seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träume quiet box lamp river green paper quiet salt north, seven lamp träu' where id=16;
update shop.products set description='north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river paper lamp lamp salt paper seven, north river river träume river river' where sku='8f05aefe-28d6-45cf-b793-7a0975a19e06';
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (1,12,'new','2024-01-01T03:46:10.622887+00:00','34.95','2024-01-01');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (1,1,'6ccca856-5d7b-4ee2-bc2c-32afe724037b',1,'5.0600',true);
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (2,3,'new','2024-01-01T03:48:34.613282+00:00','114.37','<b>&amp;</b>');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (2,1,'080a9cba-a30d-4128-9f6b-3b1c8fcc6047',8,'134.0958',true);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (2,2,'8f05aefe-28d6-45cf-b793-7a0975a19e06',1,'223.0003',true);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (2,3,'b7d58034-abaa-4259-893f-ba46537fcb16',1,'324.9434',true);
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (3,17,NULL,'2024-01-01T04:02:37.504049+00:00','1.87','1e5');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (3,1,'8f05aefe-28d6-45cf-b793-7a0975a19e06',8,'819.0207',NULL);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (3,2,'6ccca856-5d7b-4ee2-bc2c-32afe724037b',1,'76.0888',NULL);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (3,3,'59d42c10-7acc-46f3-bc48-5551e11f9348',3,'11.7774',false);
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (4,18,'new','2024-01-01T04:08:53.014952+00:00','115.86','''; drop table shop.orders; --');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (4,1,'080a9cba-a30d-4128-9f6b-3b1c8fcc6047',1,'556.9194',NULL);
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (5,21,'new','2024-01-01T04:10:10.072832+00:00','429.96','1e5');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (5,1,'1ddaf213-bc4a-4b4f-8aa3-87c69758851f',6,'524.1212',false);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (5,2,'bef7cb8f-5244-44d9-baf8-d0f17de43c29',4,'705.8757',true);
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (6,4,'new','2024-01-01T04:19:52.543297+00:00','871.75','null');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (6,1,'99a3d27a-2d87-4666-bd4a-fc5bacd4dfd9',7,'682.7671',true);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (6,2,'99a3d27a-2d87-4666-bd4a-fc5bacd4dfd9',2,'859.2548',true);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (6,3,'106ef948-5b96-42d7-ae25-bd6182197f46',4,'711.5869',NULL);
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (7,26,'new','2024-01-01T04:32:21.102637+00:00','504.39','null');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (7,1,'8f05aefe-28d6-45cf-b793-7a0975a19e06',2,'651.2607',true);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (7,2,'b31f7302-ecce-41b1-b2c6-4478a233d951',4,'53.8752',false);
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (8,24,NULL,'2024-01-01T04:45:41.268764+00:00','954.68','1e5');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (8,1,'6ccca856-5d7b-4ee2-bc2c-32afe724037b',9,'434.6381',true);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (8,2,'106ef948-5b96-42d7-ae25-bd6182197f46',6,'259.6514',true);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (8,3,'bef7cb8f-5244-44d9-baf8-d0f17de43c29',9,'262.9299',false);
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (9,8,'new','2024-01-01T04:51:49.224230+00:00','193.82','  no-break');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (9,1,'0495e26a-a2e8-440a-8bb9-79eacc484d85',4,'900.0385',false);
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (10,8,NULL,'2024-01-01T05:01:05.024655+00:00','591.60','NULL');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (10,1,'99a3d27a-2d87-4666-bd4a-fc5bacd4dfd9',9,'809.3511',true);
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (11,11,'new','2024-01-01T05:05:00.817728+00:00','419.81','trail \');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (11,1,'2c9a133c-0449-49e9-bb8f-a950a43544d9',6,'935.7845',false);
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (12,20,'new','2024-01-01T05:05:53.606508+00:00','490.39','None');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (12,1,'8f05aefe-28d6-45cf-b793-7a0975a19e06',6,'326.2985',true);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (12,2,'080a9cba-a30d-4128-9f6b-3b1c8fcc6047',8,'489.6593',NULL);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (12,3,'106ef948-5b96-42d7-ae25-bd6182197f46',4,'153.0898',true);
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (13,13,'new','2024-01-01T05:09:50.966792+00:00','419.24','it''s');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (13,1,'b7d58034-abaa-4259-893f-ba46537fcb16',9,'156.2871',true);
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (14,8,NULL,'2024-01-01T05:21:49.124242+00:00','402.72','one
two
three');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (14,1,'080a9cba-a30d-4128-9f6b-3b1c8fcc6047',6,'216.1372',NULL);
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (15,19,NULL,'2024-01-01T05:31:35.685503+00:00','351.74','{% if x %}{# y #}');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (15,1,'080a9cba-a30d-4128-9f6b-3b1c8fcc6047',8,'397.0660',true);
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (16,16,'new','2024-01-01T05:43:23.306496+00:00','121.42','None');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (16,1,'1ddaf213-bc4a-4b4f-8aa3-87c69758851f',3,'674.6072',NULL);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (16,2,'bef7cb8f-5244-44d9-baf8-d0f17de43c29',7,'999.5052',false);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (16,3,'8f05aefe-28d6-45cf-b793-7a0975a19e06',3,'658.2193',true);
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (17,5,NULL,'2024-01-01T05:49:15.069744+00:00','511.18','é ü ß 漢字 עברית');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (17,1,'8f05aefe-28d6-45cf-b793-7a0975a19e06',3,'34.8778',false);
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (18,13,'new','2024-01-01T05:51:15.208510+00:00','924.71','2024-01-01');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (18,1,'99a3d27a-2d87-4666-bd4a-fc5bacd4dfd9',6,'640.2756',false);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (18,2,'6ccca856-5d7b-4ee2-bc2c-32afe724037b',6,'352.2542',NULL);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (18,3,'56755ff9-ac67-470f-8779-57bfb4b482a4',3,'706.9680',false);
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (19,23,NULL,'2024-01-01T06:00:07.864224+00:00','103.37','trail \');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (19,1,'6ccca856-5d7b-4ee2-bc2c-32afe724037b',6,'31.4868',false);
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (20,24,'new','2024-01-01T06:04:56.363135+00:00','151.82','__debezium_unavailable');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (20,1,'0495e26a-a2e8-440a-8bb9-79eacc484d85',8,'458.1932',true);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (20,2,'106ef948-5b96-42d7-ae25-bd6182197f46',1,'249.0955',NULL);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (20,3,'99a3d27a-2d87-4666-bd4a-fc5bacd4dfd9',5,'607.5850',true);
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (21,24,'new','2024-01-01T06:08:13.273101+00:00','874.45','  no-break');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (21,1,'bef7cb8f-5244-44d9-baf8-d0f17de43c29',7,'822.1012',false);
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (22,18,'new','2024-01-01T06:20:24.067782+00:00','949.18','it''s');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (22,1,'2c9a133c-0449-49e9-bb8f-a950a43544d9',2,'134.3752',true);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (22,2,'56755ff9-ac67-470f-8779-57bfb4b482a4',3,'123.4881',false);
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (23,7,NULL,'2024-01-01T06:29:29.715207+00:00','427.82','[1,2]');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (23,1,'59d42c10-7acc-46f3-bc48-5551e11f9348',1,'860.5254',true);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (23,2,'ab836b2f-e7f1-4ce0-99e4-d8832b48995f',4,'970.3976',false);
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (24,1,'new','2024-01-01T06:35:55.039384+00:00','13.15','<b>&amp;</b>');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (24,1,'bef7cb8f-5244-44d9-baf8-d0f17de43c29',4,'626.4807',NULL);
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (25,27,'new','2024-01-01T06:50:02.565062+00:00','527.62','comma, semi; pipe|');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (25,1,'bef7cb8f-5244-44d9-baf8-d0f17de43c29',9,'373.7583',true);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (25,2,'0495e26a-a2e8-440a-8bb9-79eacc484d85',2,'865.7954',NULL);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (25,3,'bef7cb8f-5244-44d9-baf8-d0f17de43c29',8,'895.0110',NULL);
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (26,12,'new','2024-01-01T06:58:44.961206+00:00','599.23','''; drop table shop.orders; --');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (26,1,'59d42c10-7acc-46f3-bc48-5551e11f9348',8,'116.5852',false);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (26,2,'106ef948-5b96-42d7-ae25-bd6182197f46',1,'82.4018',NULL);
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (27,4,'new','2024-01-01T07:03:13.489252+00:00','349.08','__debezium_unavailable');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (27,1,'c08f8139-6d8e-4942-96a9-dfaf9d1d7e9b',4,'303.9951',false);
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (28,29,NULL,'2024-01-01T07:13:10.151892+00:00','479.28','true');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (28,1,'b7d58034-abaa-4259-893f-ba46537fcb16',1,'751.5207',false);
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (29,14,NULL,'2024-01-01T07:27:20.199266+00:00','109.00','  no-break');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (29,1,'59d42c10-7acc-46f3-bc48-5551e11f9348',4,'587.8274',true);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (29,2,'59d42c10-7acc-46f3-bc48-5551e11f9348',4,'922.1074',false);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (29,3,'2c9a133c-0449-49e9-bb8f-a950a43544d9',2,'15.4645',NULL);
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (30,10,'new','2024-01-01T07:35:21.715395+00:00','467.87','%s ${x} $1');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (30,1,'c08f8139-6d8e-4942-96a9-dfaf9d1d7e9b',3,'503.5349',false);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (30,2,'b7d58034-abaa-4259-893f-ba46537fcb16',1,'26.4988',false);
insert into shop.stock_slots (id,label,qty) values (1,'slot 1',10);
insert into shop.stock_slots (id,label,qty) values (2,'slot 2',20);
insert into shop.stock_slots (id,label,qty) values (3,'slot 3',30);
insert into shop.stock_slots (id,label,qty) values (4,'slot 4',40);
insert into shop.stock_slots (id,label,qty) values (5,'slot 5',50);
insert into shop.stock_slots (id,label,qty) values (6,'slot 6',60);
insert into shop.stock_slots (id,label,qty) values (7,'slot 7',70);
insert into shop.stock_slots (id,label,qty) values (8,'slot 8',80);
insert into shop.carts (id,owner,items) values (1,1,'"text"');
insert into shop.carts (id,owner,items) values (2,1,'{"a": 2, "big": 12345678901234567890}');
insert into shop.carts (id,owner,items) values (3,19,'[]');
insert into shop.carts (id,owner,items) values (4,29,'{"nested": {"deep": [true, {"x": 1e3}]}}');
insert into shop.carts (id,owner,items) values (5,26,'{"k": [1, 2.50, null]}');
insert into shop.carts (id,owner,items) values (6,3,NULL);
insert into shop.carts (id,owner,items) values (7,24,'null');
insert into shop.carts (id,owner,items) values (8,8,'[]');
insert into shop.carts (id,owner,items) values (9,22,'[]');
insert into shop.carts (id,owner,items) values (10,22,'{"nested": {"deep": [true, {"x": 1e3}]}}');
insert into shop.mark (n,note) values (0,'snapshot');
-- the snapshot happens here
insert into shop.mark (n,note) values (1,'after the snapshot, before any change');
begin;
update shop.order_lines set line_no=0 where order_id=25 and line_no=2;
update shop.order_lines set line_no=2 where order_id=25 and line_no=3;
update shop.order_lines set line_no=3 where order_id=25 and line_no=0;
commit;
begin;
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (31,20,'new','2024-01-01T07:39:28.060236+00:00','102.77','{"looks":"like json"}');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (31,1,'106ef948-5b96-42d7-ae25-bd6182197f46',2,'252.0225',false);
commit;
begin;
update shop.customers set id=31 where id=16;
update shop.orders set customer_id=31 where customer_id=16;
commit;
begin;
set constraints all deferred;
update shop.stock_slots set id=1, label='swap 1' where id=8;
update shop.stock_slots set id=8 where id=1 and label is distinct from 'swap 1';
update shop.stock_slots set qty=qty+1 where id=8;
commit;
begin;
update shop.stock_slots set id=id+1 where id>=3;
update shop.stock_slots set label='%s ${x} $1' where id=1;
commit;
delete from shop.order_lines where order_id=19 and line_no=1;
begin;
update shop.stock_slots set id=case id when 8 then 4 else 8 end where id in (8,4);
update shop.stock_slots set qty=qty+1 where id=8;
commit;
begin;
update shop.customers set full_name='Customer 0', tier='BB' where id=17;
update shop.customers set is_active=true, birth_date='-infinity' where id=17;
update shop.customers set is_active=true, tier='A', last_seen='2024-10-27 01:30:00.1' where id=17;
update shop.customers set is_active=true where id=17;
commit;
-- session b
begin;
update shop.orders set comment='b was first' where id=16;
-- session main
update shop.orders set comment='main, in between' where id=28;
update shop.customers set tier='CCC' where id=5;
update shop.products set price='-5.00' where sku='8f05aefe-28d6-45cf-b793-7a0975a19e06';
-- session b
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (32,1,'new','2024-01-01T08:12:47.098272+00:00','676.59','back\slash');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (32,1,'ab836b2f-e7f1-4ce0-99e4-d8832b48995f',6,'183.4988',false);
-- session main
begin;
update shop.carts set items='{"a": 2, "big": 12345678901234567890}' where id=5;
update shop.customers set tier='BB', is_active=true, birth_date='2001-06-15' where id=2;
commit;
-- session b
update shop.orders set comment='b, later' where id=28;
commit;
-- session main
truncate table shop.carts;
insert into shop.carts (id,owner,items) values (1,31,'{"k": [1, 2.50, null]}');
insert into shop.carts (id,owner,items) values (12,20,'{"a": 2, "big": 12345678901234567890}');
insert into shop.carts (id,owner,items) values (13,3,'{"k": [1, 2.50, null]}');
insert into shop.carts (id,owner,items) values (14,1,'{}');
insert into shop.mark (n,note) values (2,'after 18 transactions');
begin;
update shop.orders set comment='never to be seen' where id=19;
delete from shop.order_lines where order_id=19;
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes) values (1000000,'c1000000.641783@example.com','Customer 1000000','BB',true,'9999-12-31','2024-01-01T08:37:13.371478+00:00','2024-02-29 12:34:56.789012','true');
rollback;
begin;
update shop.orders set comment='before the savepoint' where id=19;
savepoint s;
update shop.orders set comment='never to be seen' where id=19;
delete from shop.orders where id=19;
rollback to savepoint s;
update shop.orders set status='shipped' where id=19;
commit;
begin;
select pg_logical_emit_message(true, 'shop.note', 'a message in the log');
update shop.products set price='9.99' where sku='c08f8139-6d8e-4942-96a9-dfaf9d1d7e9b';
commit;
begin;
update shop.orders set comment='back\slash' where id=7;
update shop.orders set id=33 where id=7;
update shop.order_lines set order_id=33 where order_id=7;
update shop.orders set status='paid' where id=33;
commit;
alter table shop.customers add column points int;
update shop.customers set points=10 where id=15;
begin;
update shop.customers set id=32 where id=17;
update shop.orders set customer_id=32 where customer_id=17;
commit;
begin;
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (34,1,NULL,'2024-01-01T08:43:48.749764+00:00','843.95',NULL);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (34,1,'99a3d27a-2d87-4666-bd4a-fc5bacd4dfd9',7,'598.3624',true);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (34,2,'b7d58034-abaa-4259-893f-ba46537fcb16',3,'525.6277',false);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (34,3,'1ddaf213-bc4a-4b4f-8aa3-87c69758851f',2,'535.8345',true);
commit;
-- session b
begin;
update shop.orders set comment='b was first' where id=11;
-- session main
update shop.orders set comment='main, in between' where id=26;
update shop.customers set tier='BB', birth_date='1984-02-29' where id=1;
update shop.products set weight='0.10', category='café & bar', tags='{null,NULL}' where sku='106ef948-5b96-42d7-ae25-bd6182197f46';
-- session b
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (35,10,NULL,'2024-01-01T09:04:44.643662+00:00','195.28','back\slash');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (35,1,'59d42c10-7acc-46f3-bc48-5551e11f9348',6,'403.2900',true);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (35,2,'106ef948-5b96-42d7-ae25-bd6182197f46',9,'141.5666',true);
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (35,3,'b31f7302-ecce-41b1-b2c6-4478a233d951',1,'212.7177',NULL);
-- session main
begin;
delete from shop.carts where id=12;
update shop.customers set last_seen='infinity' where id=15;
commit;
-- session b
update shop.orders set comment='b, later' where id=26;
commit;
-- session main
insert into shop.mark (n,note) values (3,'after 30 transactions');
alter table shop.orders alter column customer_id type bigint;
update shop.orders set customer_id=1099511627776 where id=21;
begin;
delete from shop.order_lines where order_id=18;
delete from shop.orders where id=18;
commit;
begin;
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (18,9,NULL,'2024-01-01T09:13:23.742242+00:00','561.46','');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (18,1,'c08f8139-6d8e-4942-96a9-dfaf9d1d7e9b',3,'554.0856',NULL);
commit;
begin;
update shop.order_lines set line_no=0 where order_id=25 and line_no=1;
update shop.order_lines set line_no=1 where order_id=25 and line_no=2;
update shop.order_lines set line_no=2 where order_id=25 and line_no=0;
commit;
truncate table shop.carts;
insert into shop.carts (id,owner,items) values (1,NULL,'"text"');
insert into shop.carts (id,owner,items) values (16,19,'{"nested": {"deep": [true, {"x": 1e3}]}}');
insert into shop.carts (id,owner,items) values (17,18,'{"a": 2, "big": 12345678901234567890}');
insert into shop.carts (id,owner,items) values (18,5,'"text"');
begin;
update shop.stock_slots set id=id+1 where id>=7;
update shop.stock_slots set label='{"looks":"like json"}' where id=1;
commit;
-- session b
begin;
update shop.orders set comment='b was first' where id=35;
-- session main
update shop.orders set comment='main, in between' where id=21;
update shop.customers set last_seen='2024-10-27 01:30:00.1', is_active=true where id=30;
update shop.products set name='line separator' where sku='8f05aefe-28d6-45cf-b793-7a0975a19e06';
-- session b
insert into shop.orders (id,customer_id,status,placed_at,total,comment) values (36,NULL,NULL,'2024-01-01T09:22:25.102141+00:00','694.02','one
two
three');
insert into shop.order_lines (order_id,line_no,sku,qty,unit_price,"Gift Wrap") values (36,1,'1ddaf213-bc4a-4b4f-8aa3-87c69758851f',5,'748.9364',true);
-- session main
begin;
insert into shop.carts (id,owner,items) values (19,21,'{"a": 2, "big": 12345678901234567890}');
update shop.customers set is_active=true where id=3;
commit;
-- session b
update shop.orders set comment='b, later' where id=21;
commit;
-- session main
begin;
set constraints all deferred;
update shop.stock_slots set id=2, label='swap 2' where id=4;
update shop.stock_slots set id=4 where id=2 and label is distinct from 'swap 2';
update shop.stock_slots set qty=qty+1 where id=4;
commit;
delete from shop.customers where id=26;
update shop.products set name='Product cd04', attributes='[]' where sku='8f05aefe-28d6-45cf-b793-7a0975a19e06';
insert into shop.customers (id,email,full_name,tier,is_active,birth_date,signed_up,last_seen,notes,points) values (26,'c26.839783@example.com',NULL,'',true,'1969-12-31','2024-01-01T09:39:23.985585+00:00','2024-10-27 01:30:00.1','é ü ß 漢字 עברית',2147483647);
insert into shop.mark (n,note) values (4,'end of workload');
