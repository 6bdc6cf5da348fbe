{{ afterimage.change_log(source('shop', 'orders')) }}
