{{ afterimage.change_log(source('shop', 'carts')) }}
