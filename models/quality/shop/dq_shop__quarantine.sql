{{ afterimage.quarantine(
    [
        ref('stg_shop__customers'),
        ref('stg_shop__products'),
        ref('stg_shop__orders'),
        ref('stg_shop__order_lines'),
        ref('stg_shop__stock_slots'),
        ref('stg_shop__carts'),
    ],
    [source('shop', 'orders')],
    remedies=ref('afterimage_remedies')
) }}
