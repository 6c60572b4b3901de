/*@ requries x > 0;
  @ ensure \result > 0;
  @*/
int f(int x);
