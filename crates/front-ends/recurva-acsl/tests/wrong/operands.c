//@ assert x + ;
//@ assert x y;
//@ assert ;
//@ assert x = 1;
//@ assert # x;
//@ loop invarient x;
//@ requires
int y;
