#include "tutti/sort.h"

uint64_t tutti_sort_first_place(uint64_t n, int p, int rank)
{
  uint64_t whole = n / (uint64_t)p, rest = n % (uint64_t)p, r = (uint64_t)rank;
  return r * whole + (r < rest ? r : rest);
}

int tutti_sort_owner(uint64_t n, int p, uint64_t place)
{
  uint64_t whole = n / (uint64_t)p, rest = n % (uint64_t)p;
  uint64_t larger = rest * (whole + 1); /* places of the processes that have one more */
  return (int)(place < larger ? place / (whole + 1) : rest + (place - larger) / whole);
}
