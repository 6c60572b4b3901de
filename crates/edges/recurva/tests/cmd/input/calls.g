# two calls of one procedure: 4 is entered, 5 left
0 1 a
1 4 call_i 1
4 5 a
5 2 ret_i 1
2 3 a
6 4 call_i 2
5 7 ret_i 2
