select *
from afterimage.hist_shop__carts
where _cdc_position <= '7' and (_cdc_end_position is null or _cdc_end_position > '7')
