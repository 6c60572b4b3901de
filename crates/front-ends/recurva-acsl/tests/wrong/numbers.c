//@ assert x == 0x;
//@ assert x == 12abc;
//@ assert x == 123456789012345678901234567890;
int y;
