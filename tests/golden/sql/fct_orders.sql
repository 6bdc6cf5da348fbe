-- one row per order the shop holds now, with what its lines add up to
with

orders as (
    select * from afterimage.cur_shop__orders
),

order_lines as (
    select * from afterimage.cur_shop__order_lines
),

versions as (
    select * from afterimage.hist_shop__orders
),

statuses as (
    select * from afterimage.code_order_statuses
),

lines_per_order as (
    select
        order_id,
        count(*) as lines,
        sum(qty * unit_price) as lines_total
    from order_lines
    group by order_id
),

changes_per_order as (
    select
        id as order_id,
        count(*) as versions
    from versions
    group by id
)

select
    orders.id as order_id,
    orders.customer_id,
    orders.status,
    statuses.label as status_label,
    statuses.is_open,
    orders.placed_at,
    orders.total,
    coalesce(lines_per_order.lines, 0) as lines,
    lines_per_order.lines_total,
    changes_per_order.versions
from orders
left join statuses on orders.status = statuses.status
left join lines_per_order on orders.id = lines_per_order.order_id
left join changes_per_order on orders.id = changes_per_order.order_id
