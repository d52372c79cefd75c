/* A method whose ranks combine the operands in different orders, called directly: it is what runs, and the ranks get
   sums that differ in their last bits. That is what the interposer keeps from unchanged programs (interpose/bits.c). */
#include "check.h"
#include "tutti/collectives.h"

enum { RANKS = 16 };

static void check_method(struct checks *checks, const tutti_view *view, const char *name, bool apart)
{
  const tutti_method method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_ALLREDUCE, name));
  const double term = 1 / (3 + 0.7 * view->rank * view->rank);
  const long long number = view->rank;
  double sum = 0, sums[RANKS];
  long long whole = -1;
  tutti_error error = {.message = ""};
  int others = 0;
  check(checks, tutti_method_rounds_apart(&method) == apart, "%s: the catalogue", name);
  check(checks, tutti_allreduce(&method, &term, &sum, 1, MPI_DOUBLE, MPI_SUM, view, &error) == TUTTI_OK, "%s: %s", name,
        error.message);
  check(checks, tutti_allreduce(&method, &number, &whole, 1, MPI_LONG_LONG, MPI_SUM, view, &error) == TUTTI_OK,
        "%s: %s", name, error.message);
  check(checks, whole == RANKS * (RANKS - 1) / 2, "%s: rank %d: a sum of %lld", name, view->rank, whole);
  MPI_Allgather(&sum, 1, MPI_DOUBLE, sums, 1, MPI_DOUBLE, view->comm);
  for (int r = 1; r < RANKS; r++)
    others += memcmp(&sums[r], &sums[0], sizeof sum) != 0;
  check(checks, (others > 0) == apart, "%s: %d ranks have other bits than rank 0", name, others);
}

int main(int argc, char **argv)
{
  struct checks checks = {0};
  tutti_view world;
  check_begin(&argc, &argv, &world);
  if (world.size != RANKS)
    MPI_Abort(MPI_COMM_WORLD, 1);
  check_method(&checks, &world, "swing-latency", true);
  check_method(&checks, &world, "census", true);
  check_method(&checks, &world, "trivance-latency", true);
  check_method(&checks, &world, "recursive-doubling", false);
  return check_end(&checks);
}
