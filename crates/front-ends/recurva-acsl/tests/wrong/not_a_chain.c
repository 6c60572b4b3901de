//@ assert 0 < x > 1;
//@ assert a != b != c;
int y;
