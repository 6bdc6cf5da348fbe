{{ afterimage.history(ref('stg_shop__products')) }}
