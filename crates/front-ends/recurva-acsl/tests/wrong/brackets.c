//@ assert (x + 1;
//@ assert a[i) == 1;
//@ assert x + 1);
//@ assert x ? y;
//@ assert \at(x) == 1;
int y;
