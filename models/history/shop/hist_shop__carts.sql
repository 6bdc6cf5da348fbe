{{ afterimage.history(ref('stg_shop__carts')) }}
