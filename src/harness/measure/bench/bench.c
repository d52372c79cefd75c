/* tutti-bench: measures points and prints one record a line. Rank 0 reads and writes; it never opens a database. */
#include <stdlib.h>
#include <string.h>

#include "harness/measure/bench/bench.h"
#include "tutti/pattern.h"

/* ---- the command line ---- */

enum { METHODS, SIZES, TYPE_SIZE, ROOT, SCHEME, REPETITIONS, RANKS_PER_NODE, ARRIVAL, NOISE, OPTIONS };

static const struct program_option list[OPTIONS] = {
    [METHODS] = OPTION_WORD("method", 'm', "METHODS", NULL,
                            "Methods to measure, separated by commas: bcast/binomial/8KB,barrier/bruck"),
    [SIZES] = OPTION_WORD("size", 's', "SIZES", "8",
                          "Sizes of the message, or of one rank's block, separated by commas: 8,1KB"),
    [TYPE_SIZE] = OPTION_WORD("type-size", 0, "BYTES", "1", "Bytes of one element"),
    [ROOT] = OPTION_WORD("root", 0, "RANK", "0", "Root"),
    [SCHEME] = OPTION_KEY("scheme", 0, "NAME", "occ", "scheme", "occ (default) or window"),
    [REPETITIONS] = OPTION_REPETITIONS,
    [RANKS_PER_NODE] = OPTION_RANKS_PER_NODE("Recorded with the measurements"),
    [ARRIVAL] = OPTION_WORD("arrival", 0, "PATTERNS", NULL,
                            "How late the ranks arrive, separated by commas: none (default), uniform/100us/seed=1, "
                            "straggler/1ms/seed=1, straggler/1ms/rank=3, sorted/100us, reversed/100us, trace/FILE "
                            "(one delay a line)"),
    [NOISE] = OPTION_WORD("noise", 0, "NOISES", NULL,
                          "What interrupts them, separated by commas: none (default), "
                          "detour/PERIOD/DURATION/seed=1, exponential/MEAN/seed=1"),
};

/* One line per arrival pattern and noise. */
static void write_patterns(FILE *stream, const struct options *options, const char *method, int length, uint64_t bytes,
                           uint64_t type_size, const tutti_patterns *patterns)
{
  for (size_t a = 0; a < patterns->arrival_count; a++)
    for (size_t n = 0; n < patterns->noise_count; n++) {
      fprintf(stream, "%.*s root=%s count=%llu type_B=%llu", length, method, option_word(options, ROOT),
              (unsigned long long)(bytes / type_size), (unsigned long long)type_size);
      tutti_pattern_write(&patterns->arrivals[a], &patterns->noises[n], stream);
      fputc('\n', stream);
    }
}

/* The same per size and method. */
static tutti_status write_points(FILE *stream, const struct options *options, char *sizes,
                                 const tutti_patterns *patterns, tutti_error *error)
{
  uint64_t type_size, bytes;
  int length;
  tutti_status status = tutti_size_parse(option_word(options, TYPE_SIZE), &type_size, error);
  if (status == TUTTI_OK && type_size == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "option --type-size: an element has at least one byte");
  for (char *size; status == TUTTI_OK && (size = strsep(&sizes, ",")) != NULL;) {
    status = tutti_size_parse(size, &bytes, error);
    if (status == TUTTI_OK && bytes % type_size != 0)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "option --size: %s is not a multiple of the element of %llu bytes",
                        size, (unsigned long long)type_size);
    const char *methods = options->given[METHODS], *method;
    while (status == TUTTI_OK && (method = option_next(&methods, &length)))
      write_patterns(stream, options, method, length, bytes, type_size, patterns);
  }
  return status;
}

static tutti_status write_lines(FILE *stream, const struct options *options, tutti_error *error)
{
  if (!options->given[METHODS])
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "nothing to measure: give --points FILE or --method METHODS");
  tutti_patterns patterns;
  tutti_status status =
      tutti_patterns_read(option_word(options, ARRIVAL), option_word(options, NOISE), ",", NULL, &patterns, error);
  if (status != TUTTI_OK)
    return status;
  for (size_t a = 0; a < patterns.arrival_count; a++)
    if (patterns.traces[a].count > 0)
      tutti_trace_write(&patterns.traces[a], stream);
  char *sizes = strdup(option_word(options, SIZES));
  status = sizes ? write_points(stream, options, sizes, &patterns, error)
                 : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory while reading the command line");
  free(sizes);
  tutti_patterns_free(&patterns);
  return status;
}

static const struct option_table option_table = {
    .name = "tutti-bench",
    .doc =
        "Measure collective operations; one record a line on standard output.\v"
        "Run it under smpirun or mpiexec. The number of ranks is that of the launch. Times are in seconds, and under "
        "an arrival pattern they count from the last arrival.",
    .points_help = "Measure the points of FILE (written by tutti bench)",
    .count = OPTIONS,
    .options = list,
    .write = write_lines,
};

/* ---- all ---- */

static tutti_status check_points(const struct points *points, const tutti_view *view, tutti_error *error)
{
  const int ranks = view->size;
  const struct point *items = points->items;
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < points->count && status == TUTTI_OK; i++) {
    tutti_call call = {.size = ranks,
                       .root = items[i].root,
                       .count = items[i].count,
                       .type_size = items[i].type_size,
                       .commutative = true};
    status = tutti_method_check(&items[i].method, &call, error);
    if (status == TUTTI_OK)
      status = tutti_arrival_check(&items[i].arrival, ranks, error);
    if (status == TUTTI_OK)
      status = tutti_noise_check(&items[i].noise, &items[i].method, error);
    if (status == TUTTI_OK && items[i].noise.kind == TUTTI_NOISE_SPREAD && !tutti_clock_is_simulated())
      status = tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "noise 'spread': times of a real machine vary by themselves");
  }
  if (status == TUTTI_OK)
    status = tutti_buffer_sizes_check(points, ranks, error);
  return status == TUTTI_OK ? tutti_directives_check(points, view, error) : status;
}

static tutti_status open_bench(void *state, tutti_error *error)
{
  struct bench *bench = state;
  /* With a progress operations are prepared once and then repeated, as programs and the interposer run them. In
     simulation each is built anew: a prepared one makes other MPI calls, which take other simulated times. */
  if (!tutti_clock_is_simulated())
    bench->timing.view.progress = &bench->timing.progress;
  tutti_status status = tutti_buffers_create(bench->timing.points, &bench->timing.view, &bench->buffers, error);
  return status == TUTTI_OK ? tutti_bench_prepare(bench, error) : status;
}

static void close_bench(void *state)
{
  tutti_buffers_free(&((struct bench *)state)->buffers);
}

static void describe(const void *state, const void *item, tutti_record *record)
{
  const struct timing *timing = state;
  const struct point *point = item;
  record->kind = TUTTI_RECORD_MEASUREMENT;
  record->measurement = (tutti_measurement){.method = point->method,
                                            .scheme = timing->points->measure.scheme,
                                            .ranks = timing->view.size,
                                            .root = point->root,
                                            .count = point->count,
                                            .type_size = point->type_size,
                                            .arrival = point->arrival,
                                            .noise = point->noise,
                                            .launch = point->launch};
}

int main(int argc, char **argv)
{
  const struct program program = {.options = &option_table,
                                  .points = &tutti_bench_points,
                                  .state_size = sizeof(struct bench),
                                  .check = check_points,
                                  .open = open_bench,
                                  .measure = tutti_bench_measure,
                                  .describe = describe,
                                  .close = close_bench};
  return tutti_program_run(&program, argc, argv);
}
