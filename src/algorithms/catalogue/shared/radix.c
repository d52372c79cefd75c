#include "algorithms/catalogue/shared/radix.h"

int tutti_radix_first(const struct radix_fold *fold, int v)
{
  int whole = fold->rest / (fold->k - 1); /* virtual ranks that are k ranks */
  return v <= whole ? v * fold->k : v + fold->rest;
}

struct radix_fold tutti_radix_fold(const tutti_call *call)
{
  struct radix_fold fold = {.size = call->size, .rank = call->rank, .k = call->parameters.k, .power = 1};
  for (; fold.power <= fold.size / fold.k; fold.power *= fold.k)
    fold.phases++;
  fold.rest = fold.size - fold.power;
  int whole = fold.rest / (fold.k - 1), v = call->rank / fold.k;
  if (v > whole || tutti_radix_first(&fold, v + 1) <= call->rank)
    v = call->rank - fold.rest;
  fold.v = v;
  return fold;
}
