{{ afterimage.change_log(source('shop', 'stock_slots')) }}
