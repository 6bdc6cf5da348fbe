{{ afterimage.current_state(ref('hist_shop__order_lines')) }}
