0 1 a
1 2 a
2 0 a
2 3 b
3 4 a
