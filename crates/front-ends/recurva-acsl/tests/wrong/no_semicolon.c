//@ assert x > 0
int y;
