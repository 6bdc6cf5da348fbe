{{ afterimage.change_log(source('shop', 'products'), operator_events=ref('operator_events')) }}
