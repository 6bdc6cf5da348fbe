select *
from afterimage.hist_shop__carts
where valid_from <= current_timestamp() and (valid_to is null or valid_to > current_timestamp())
