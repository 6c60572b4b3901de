1 2 call_i 3 4
