/* Messages and totals of more than 2^31 bytes, and more elements than an int counts. */
#include "check.h"
#include "tutti/collectives.h"

#define GIB (UINT64_C(1) << 30)
/* Bytes between the places that are looked at; memory between them stays untouched. */
#define STEP (UINT64_C(1) << 20)

static unsigned char mark(uint64_t place, int salt)
{
  return (unsigned char)(place / STEP * 37 + (uint64_t)salt * 11 + 1);
}

/* Marks at every step and in the last byte. */
static void write_marks(unsigned char *memory, uint64_t bytes, int salt)
{
  for (uint64_t i = 0; i < bytes; i += STEP)
    memory[i] = mark(i, salt);
  memory[bytes - 1] = mark(bytes, salt);
}

static bool has_marks(const unsigned char *memory, uint64_t bytes, int salt)
{
  bool right = memory[bytes - 1] == mark(bytes, salt);
  for (uint64_t i = 0; i < bytes; i += STEP)
    right = right && (memory[i] == mark(i, salt) || i == bytes - 1);
  return right;
}

static void large_bcast(struct checks *checks, const tutti_view *view, const char *name, uint64_t bytes)
{
  tutti_method method;
  tutti_error error = {.message = ""};
  unsigned char *memory = calloc(bytes, 1);
  tutti_method_parse(name, &method, &error);
  if (view->rank == 0)
    write_marks(memory, bytes, 5);
  tutti_status status = tutti_bcast(&method, memory, bytes, MPI_BYTE, 0, view, &error);
  check(checks, status == TUTTI_OK && has_marks(memory, bytes, 5), "%s of %llu bytes is wrong on rank %d %s", name,
        (unsigned long long)bytes, view->rank, error.message);
  free(memory);
}

static void large_allgather(struct checks *checks, const tutti_view *view, const char *name, uint64_t bytes)
{
  tutti_method method;
  tutti_error error = {.message = ""};
  unsigned char *own = calloc(bytes, 1), *all = calloc((size_t)view->size, bytes);
  bool right = true;
  tutti_method_parse(name, &method, &error);
  write_marks(own, bytes, view->rank);
  tutti_status status = tutti_allgather(&method, own, bytes, MPI_BYTE, all, bytes, MPI_BYTE, view, &error);
  for (int r = 0; r < view->size; r++)
    right = right && has_marks(all + (size_t)r * bytes, bytes, r);
  check(checks, status == TUTTI_OK && right, "%s of %llu bytes a rank is wrong on rank %d %s", name,
        (unsigned long long)bytes, view->rank, error.message);
  free(own);
  free(all);
}

static void large_reduce(struct checks *checks, const tutti_view *view, const char *name, uint64_t bytes)
{
  tutti_method method;
  tutti_error error = {.message = ""};
  unsigned char *own = calloc(bytes, 1), *result = view->rank == 0 ? calloc(bytes, 1) : NULL;
  tutti_method_parse(name, &method, &error);
  if (view->rank == view->size - 1) /* the others add nothing */
    write_marks(own, bytes, 9);
  tutti_status status = tutti_reduce(&method, own, result, bytes, MPI_BYTE, MPI_BOR, 0, view, &error);
  check(checks, status == TUTTI_OK && (!result || has_marks(result, bytes, 9)), "%s of %llu bytes is wrong: %s", name,
        (unsigned long long)bytes, error.message);
  free(own);
  free(result);
}

int main(int argc, char **argv)
{
  struct checks checks = {0, 0};
  tutti_view world;
  check_begin(&argc, &argv, &world);
  large_bcast(&checks, &world, "bcast/binomial", 2 * GIB + 11);
  large_bcast(&checks, &world, "bcast/split-binary/64MB", 2 * GIB + 11);
  large_allgather(&checks, &world, "allgather/ring", GIB + 3);
  large_reduce(&checks, &world, "reduce/in-order-binomial/16MB", 2 * GIB + 11);
  return check_end(&checks);
}
