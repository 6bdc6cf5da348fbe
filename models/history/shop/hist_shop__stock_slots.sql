{{ afterimage.history(ref('stg_shop__stock_slots')) }}
