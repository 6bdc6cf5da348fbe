{{ afterimage.change_log(source('shop', 'products')) }}
