#include "interpose/record/usage.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/mpi/library.h"
#include "base/numbers.h"
#include "base/text.h"
#include "interpose/process.h"
#include "interpose/serve/serve.h"

/* ---- counting ---- */

static struct usage_row *append(struct usage *usage, const struct executor *executor)
{
  struct usage_row *grown = reallocarray(usage->rows, usage->count + 1, sizeof *grown);
  if (!grown)
    return NULL;
  usage->rows = grown;
  grown[usage->count] = (struct usage_row){.executor = *executor, .least = UINT64_MAX};
  return &grown[usage->count++];
}

static struct usage_row *row_of(struct usage *usage, const struct executor *executor)
{
  for (size_t i = 0; i < usage->count; i++)
    if (tutti_executor_is(&usage->rows[i].executor, executor))
      return &usage->rows[i];
  return append(usage, executor);
}

void tutti_usage_call(struct process *process, struct call *call, const struct executor *executor, double end)
{
  const double seconds = end - call->start;
  const uint64_t bytes = call->bytes;
  struct usage_row *row = process->policy->verbose ? row_of(&process->usage, executor) : NULL;
  if (!row)
    return;
  row->calls++;
  row->seconds += seconds;
  if (!call->sized || call->ranks == 0 || tutti_collective_traits(executor->collective) & TUTTI_COUNTS_ARE_LOCAL)
    return;
  row->least = bytes < row->least ? bytes : row->least;
  row->most = bytes > row->most ? bytes : row->most;
  if (!executor->form && (bytes > 0 || executor->collective == TUTTI_COLL_BARRIER))
    tutti_usage_add_size(&process->usage, &(struct usage_size){executor->collective, call->ranks, bytes, 1, seconds});
}

uint64_t tutti_usage_calls(const struct usage *usage)
{
  uint64_t calls = 0;
  for (size_t i = 0; i < usage->count; i++)
    calls += usage->rows[i].calls;
  return calls;
}

void tutti_usage_free(struct usage *usage)
{
  free(usage->rows);
  free(usage->sizes);
  *usage = (struct usage){.count = 0};
}

/* ---- gathering: a row as it travels ---- */

struct line {
  char name[TUTTI_METHOD_LENGTH + 32];
  enum { METHOD, ALL_COLLECTIVES, WHOLE_PROGRAM } kind; /* the sums are below the methods */
  uint64_t calls, least, most;
  double seconds, slowest; /* of all ranks, and of the slowest one */
};

struct lines {
  int count;
  struct line *items;
};

static void write_line(const struct usage_row *row, struct line *line)
{
  *line = (struct line){
      .calls = row->calls, .least = row->least, .most = row->most, .seconds = row->seconds, .slowest = row->seconds};
  const struct executor *executor = &row->executor;
  char method[TUTTI_METHOD_LENGTH];
  if (!executor->native)
    snprintf(line->name, sizeof line->name, "%s%s%s", tutti_method_format(&executor->method, method),
             executor->form ? ", " : "", executor->form ? executor->form : "");
  else
    snprintf(line->name, sizeof line->name, "%s passed through: %s%s%s", tutti_collective_name(executor->collective),
             executor->form ? executor->form : "", executor->form && *executor->native ? ", " : "", executor->native);
}

static struct line *add_sum(struct lines *own, int kind, const char *name, double seconds)
{
  struct line *sum = &own->items[own->count++];
  *sum = (struct line){.kind = kind, .least = UINT64_MAX, .seconds = seconds, .slowest = seconds};
  snprintf(sum->name, sizeof sum->name, "%s", name);
  return sum;
}

/* The time of a rank that comes late is spent by the others in any collective: only sums of them can be compared. */
static void add_sums(const struct usage *usage, struct lines *own)
{
  double seconds = 0;
  uint64_t calls = 0;
  for (size_t i = 0; i < usage->count; i++) {
    seconds += usage->rows[i].seconds;
    calls += usage->rows[i].calls;
  }
  add_sum(own, ALL_COLLECTIVES, "all collectives", seconds)->calls = calls;
  add_sum(own, WHOLE_PROGRAM, "the program, from MPI_Init to MPI_Finalize", (usage->ended > 0 ? usage->ended : PMPI_Wtime()) - usage->begun);
}

/* None where no collective was called. */
static struct lines write_lines(const struct usage *usage)
{
  struct lines own = {.items = malloc((usage->count + 2) * sizeof *own.items)};
  for (size_t i = 0; own.items && i < usage->count; i++)
    write_line(&usage->rows[i], &own.items[own.count++]);
  if (own.count > 0)
    add_sums(usage, &own);
  return own;
}

void *tutti_gather_items(const void *own, int own_count, size_t bytes, int *count)
{
  int rank, size;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Datatype type;
  void *all = NULL;
  int *counts = rank == 0 ? calloc(2 * (size_t)size, sizeof *counts) : NULL;
  int *firsts = counts ? counts + size : NULL;
  *count = 0;
  PMPI_Gather(&own_count, 1, MPI_INT, counts, 1, MPI_INT, 0, MPI_COMM_WORLD);
  for (int r = 0; counts && r < size; r++) {
    firsts[r] = *count;
    *count += counts[r];
  }
  if (counts)
    all = malloc(((size_t)*count + 1) * bytes);
  PMPI_Type_contiguous((int)bytes, MPI_BYTE, &type);
  PMPI_Type_commit(&type);
  PMPI_Gatherv(own, own_count, type, all, counts, firsts, type, 0, MPI_COMM_WORLD);
  PMPI_Type_free(&type);
  free(counts);
  return all;
}

/* ---- adding up ---- */

static int by_name(const void *left, const void *right)
{
  const struct line *a = left, *b = right;
  return strcmp(a->name, b->name);
}

static int by_seconds(const void *left, const void *right)
{
  const struct line *a = left, *b = right;
  if (a->kind != b->kind)
    return THREE_WAY(a->kind, b->kind);
  return a->seconds != b->seconds ? THREE_WAY(b->seconds, a->seconds) : by_name(left, right);
}

static void add_line(void *into, const void *from)
{
  struct line *sum = into;
  const struct line *line = from;
  sum->calls += line->calls;
  sum->least = line->least < sum->least ? line->least : sum->least;
  sum->most = line->most > sum->most ? line->most : sum->most;
  sum->seconds += line->seconds;
  sum->slowest = line->slowest > sum->slowest ? line->slowest : sum->slowest;
}

/* Lines of one name become one; those that took longest come first. */
static void merge_lines(struct lines *lines)
{
  lines->count = (int)tutti_merge(lines->items, (size_t)lines->count, sizeof *lines->items, by_name, add_line);
  tutti_vector_sort(lines, by_seconds);
}

/* ---- printing ---- */

static void print_policy(FILE *stream, const struct policy *policy, const char *who)
{
  char name[TUTTI_VARIABLE_LENGTH];
  fprintf(stream, "tutti: %s, %s%s", who,
          policy->file.decide ? "rules of "
          : policy->native    ? "the library's own choice"
                              : "built-in rules",
          policy->file.decide ? policy->file.name : "");
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (policy->overrides[c].given) {
      tutti_interposer_variable((tutti_collective)c, name);
      fprintf(stream, ", %s=%s", name, getenv(name));
    }
  fputc('\n', stream);
#ifdef TUTTI_STANDARD_ABI
  char library[64];
  tutti_mpi_library(library, sizeof library);
  fprintf(stream, "tutti: %s, by the standard ABI\n", library);
#endif
}

static void print_line(FILE *stream, const struct line *line)
{
  char least[24], most[24], range[56] = "-", calls[24] = "-";
  tutti_size_format(line->least, least);
  tutti_size_format(line->most, most);
  if (line->least <= line->most)
    snprintf(range, sizeof range, "%s%s%s", least, line->least < line->most ? ".." : "",
             line->least < line->most ? most : "");
  if (line->kind != WHOLE_PROGRAM)
    snprintf(calls, sizeof calls, "%llu", (unsigned long long)line->calls);
  fprintf(stream, "tutti: %16s  %16s  %14.6f  %14.6f  %s\n", calls, range, line->seconds, line->slowest, line->name);
}

static void print_lines(FILE *stream, const struct lines *lines)
{
  fprintf(stream, "tutti: %16s  %16s  %14s  %14s  %s\n", "all ranks: calls", "bytes a rank", "all ranks [s]",
          "slowest [s]", "method");
  for (int i = 0; i < lines->count; i++)
    print_line(stream, &lines->items[i]);
}

/* In one piece, so that what launchers collect of many ranks is not mixed within a report. */
static void print_report(struct lines *lines, struct usage_size *sizes, int size_count, const struct policy *policy,
                         const char *who)
{
  char *text = NULL;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  if (!stream)
    return;
  merge_lines(lines);
  print_policy(stream, policy, who);
  print_lines(stream, lines);
  if (sizes)
    tutti_usage_print_sizes(stream, sizes, size_count);
  if (fclose(stream) == 0)
    fwrite(text, 1, length, stderr);
  free(text);
}

void tutti_usage_end(struct process *process)
{
  struct usage *usage = &process->usage;
  int ranks, size_count;
  if (!process->policy->verbose)
    return;
  char who[32];
  struct lines own = write_lines(usage), all = {.count = 0};
  all.items = tutti_gather_items(own.items, own.count, sizeof *own.items, &all.count);
  const int own_sizes = tutti_usage_pack_sizes(usage);
  struct usage_size *sizes = tutti_gather_items(usage->sizes, own_sizes, sizeof *sizes, &size_count);
  if (all.items) {
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    snprintf(who, sizeof who, "%d rank%s", ranks, tutti_plural((uint64_t)ranks));
    print_report(&all, sizes, size_count, process->policy, who);
  }
  free(own.items);
  free(all.items);
  free(sizes);
}

void tutti_usage_report_own(struct usage *usage, const struct policy *policy)
{
  struct lines own = write_lines(usage);
  const int size_count = tutti_usage_pack_sizes(usage);
  if (own.count > 0)
    print_report(&own, usage->sizes, size_count, policy, "this process");
  free(own.items);
}
