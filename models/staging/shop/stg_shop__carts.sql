{{ afterimage.change_log(source('shop', 'carts'), operator_events=ref('operator_events')) }}
