/* Sample sort and hypercube quicksort against a sort of everything on rank 0, in seeded random cases: any number of
   elements on any process, few and many keys, on all processes and on ranges of them. And the check of tutti-sort,
   which has to find what is spoilt on purpose. */
#include "check.h"
#include "harness/measure/sort/sort_check.h"
#include "unit/base/random.h"

enum { CASES = 40, MOST = 120 };

struct sorting {
  tutti_sort_how how;
  struct sort_point point;
  tutti_view view;
  char *input;
  void *output;
  uint64_t count, output_count;
};

/* ---- input ---- */

/* How many elements rank `rank` has: none anywhere, all on one, or any. */
static uint64_t count_of(uint64_t number, int size, int rank)
{
  uint64_t random = number * 1000003 + (uint64_t)rank;
  switch (number % 5) {
  case 0:
    return number % 2 == 0 ? 0 : rank == (int)(number % (uint64_t)size) ? MOST : 0;
  case 1:
    return random_below(&random, 2);
  default:
    return random_below(&random, MOST);
  }
}

/* Elements like those of a distribution of tutti-sort, but as many as the case says. */
static void fill(struct sorting *s, uint64_t number)
{
  struct sort_input what = {.distribution = (enum sort_distribution)(number % DISTRIBUTION_SINGLE),
                            .kind = (enum sort_kind)s->point.kind,
                            .seed = number,
                            .size = s->view.size,
                            .rank = s->view.rank,
                            .count = count_of(number, s->view.size, s->view.rank)};
  s->count = what.count;
  s->input = malloc((MOST + 1) * sort_kind_type(what.kind).size);
  sort_input_fill(&what, s->input);
}

/* ---- the same by rank 0 ---- */

/* At rank 0 all that the processes of the view have, *total bytes, in the order of ranks. */
static char *gather(const tutti_view *view, const void *data, uint64_t bytes, size_t *total)
{
  enum { TAG = 7 };
  int own = (int)bytes;
  char *all = NULL;
  *total = 0;
  if (view->rank != 0) {
    MPI_Send(&own, 1, MPI_INT, tutti_view_base_rank(view, 0), TAG, view->comm);
    MPI_Send(data, own, MPI_BYTE, tutti_view_base_rank(view, 0), TAG, view->comm);
    return NULL;
  }
  for (int rank = 0; rank < view->size; rank++) {
    int size = own, from = tutti_view_base_rank(view, rank);
    if (rank > 0)
      MPI_Recv(&size, 1, MPI_INT, from, TAG, view->comm, MPI_STATUS_IGNORE);
    all = realloc(all, *total + (size_t)size + 1);
    if (rank > 0)
      MPI_Recv(all + *total, size, MPI_BYTE, from, TAG, view->comm, MPI_STATUS_IGNORE);
    else if (own > 0)
      memcpy(all, data, (size_t)own);
    *total += (size_t)size;
  }
  return all;
}

static int compare_all(const void *left, const void *right, void *context)
{
  return memcmp(left, right, ((const tutti_sort_type *)context)->size);
}

/* The keys in order are those of the input sorted here; and so are the whole elements, in whatever order equal ones
   are. */
static bool is_sorted_input(const tutti_sort_type *type, char *before, char *after, size_t bytes)
{
  size_t count = bytes / type->size;
  qsort_r(before, count, type->size, type->compare, type->context);
  for (size_t i = 0; i < count; i++)
    if (type->compare(before + i * type->size, after + i * type->size, type->context) != 0)
      return false;
  qsort_r(before, count, type->size, compare_all, (void *)type);
  qsort_r(after, count, type->size, compare_all, (void *)type);
  return memcmp(before, after, bytes) == 0;
}

static void compare(struct checks *checks, const struct sorting *s, uint64_t number)
{
  tutti_sort_type type = sort_kind_type((enum sort_kind)s->point.kind);
  size_t before_bytes, after_bytes;
  char *before = gather(&s->view, s->input, s->count * type.size, &before_bytes);
  char *after = gather(&s->view, s->output, s->output_count * type.size, &after_bytes);
  if (s->view.rank == 0)
    check(checks,
          before_bytes == after_bytes && (before_bytes == 0 || is_sorted_input(&type, before, after, before_bytes)),
          "case %llu: %s of %zu bytes on %d ranks is wrong, %zu bytes", (unsigned long long)number,
          tutti_sort_algorithm_name(s->how.algorithm), before_bytes, s->view.size, after_bytes);
  free(before);
  free(after);
}

/* ---- the check of tutti-sort ---- */

static tutti_status judge(const struct sorting *s, uint64_t output_count, tutti_error *error)
{
  const struct sorted sorted = {.point = &s->point,
                                .input = s->input,
                                .output = s->output,
                                .input_count = s->count,
                                .output_count = output_count};
  struct sort_report report;
  return sort_check(&s->view, &sorted, &report, error);
}

/* Right as it is; wrong with an element that differs or is missing. All judge, rank 0 knows. */
static void spoil(struct checks *checks, const struct sorting *s)
{
  tutti_error error = {.message = ""};
  size_t bytes = sort_kind_type((enum sort_kind)s->point.kind).size;
  char *last = s->output_count > 0 ? (char *)s->output + (s->output_count - 1) * bytes : NULL;
  int own = last != NULL, all;
  MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_SUM, s->view.comm);
  tutti_status right = judge(s, s->output_count, &error), missing = judge(s, s->output_count - (last ? 1 : 0), &error);
  if (last)
    *last ^= 1;
  tutti_status changed = judge(s, s->output_count, &error);
  if (last)
    *last ^= 1;
  check(checks, right == TUTTI_OK, "what is sorted is not right");
  check(checks, s->view.rank != 0 || all == 0 || (missing == TUTTI_ERR_FAULT && changed == TUTTI_ERR_FAULT),
        "an element that is missing, or another one, is not found");
}

/* ---- a case ---- */

static void sort(struct checks *checks, struct sorting *s, uint64_t number)
{
  tutti_error error = {.message = ""};
  tutti_sort_type type = sort_kind_type((enum sort_kind)s->point.kind);
  fill(s, number);
  tutti_status status =
      tutti_sort(&s->how, &type, s->input, s->count, &s->output, &s->output_count, NULL, &s->view, &error);
  check(checks, status == TUTTI_OK, "case %llu: %s", (unsigned long long)number, error.message);
  if (status == TUTTI_OK)
    compare(checks, s, number);
}

static void test(struct checks *checks, const tutti_view *world, uint64_t number)
{
  struct sorting s = {.how = tutti_sort_how_default(), .view = *world};
  s.how.algorithm = number % 2 == 0 ? TUTTI_SORT_SAMPLE : TUTTI_SORT_HYPERCUBE;
  s.how.seed = number;
  s.point = (struct sort_point){.algorithm = (unsigned char)s.how.algorithm, .kind = number / 2 % SORT_KINDS};
  if (s.how.algorithm == TUTTI_SORT_HYPERCUBE) { /* on the last ones, from the end on */
    tutti_error ignored;
    int size = 1;
    while (2 * size <= world->size)
      size *= 2;
    tutti_view_range(world, world->size - 1, world->size - size, -1, &s.view, &ignored);
  }
  if (s.view.rank >= 0)
    sort(checks, &s, number);
  if (s.view.size == world->size)
    spoil(checks, &s);
  free(s.input);
  free(s.output);
}

static void refusals(struct checks *checks, const tutti_view *world)
{
  tutti_error error = {.message = ""};
  tutti_sort_how how = tutti_sort_how_default();
  tutti_sort_type type = tutti_sort_double();
  double input = 1;
  void *output;
  uint64_t count;
  check(checks, tutti_sort(&how, &type, NULL, 1, &output, &count, NULL, world, &error) == TUTTI_ERR_ARGUMENT,
        "elements at no address are sorted");
  check(checks,
        tutti_sort(&how, &type, &input, UINT64_MAX, &output, &count, NULL, world, &error) == TUTTI_ERR_ARGUMENT &&
            strstr(error.message, "too many"),
        "2^64 - 1 elements: %s", error.message);
  how.algorithm = TUTTI_SORT_HYPERCUBE;
  if ((world->size & (world->size - 1)) != 0)
    check(checks,
          tutti_sort(&how, &type, &input, 1, &output, &count, NULL, world, &error) == TUTTI_ERR_UNSUPPORTED &&
              strstr(error.message, "power of two"),
          "a hypercube of %d ranks: %s", world->size, error.message);
}

int main(int argc, char **argv)
{
  struct checks checks = {0, 0};
  tutti_view world;
  check_begin(&argc, &argv, &world);
  for (uint64_t number = 0; number < CASES; number++)
    test(&checks, &world, number);
  refusals(&checks, &world);
  return check_end(&checks);
}
