{{ afterimage.history(ref('stg_shop__order_lines')) }}
