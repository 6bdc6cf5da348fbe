{{ afterimage.change_log(source('shop', 'customers'), operator_events=ref('operator_events')) }}
