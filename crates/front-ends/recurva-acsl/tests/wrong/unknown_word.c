//@ assert \reslut == 1;
int y;
