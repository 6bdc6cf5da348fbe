{{ afterimage.change_log(source('shop', 'stock_slots'), operator_events=ref('operator_events')) }}
