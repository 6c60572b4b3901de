int main(void) {
  return missing + 1;
}
