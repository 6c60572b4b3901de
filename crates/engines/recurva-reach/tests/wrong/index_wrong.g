1 2 call_i x
