{{ afterimage.current_state(ref('hist_shop__products')) }}
