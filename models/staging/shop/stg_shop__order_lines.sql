{{ afterimage.change_log(source('shop', 'order_lines')) }}
