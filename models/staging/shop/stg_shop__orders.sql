{{ afterimage.change_log(source('shop', 'orders'), operator_events=ref('operator_events')) }}
