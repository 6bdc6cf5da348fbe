{{ afterimage.change_log(source('shop', 'order_lines'), operator_events=ref('operator_events')) }}
