/*
 * Outputs of Open MPI's tuning scripts (ompi-collectives-tuning): latencies in microseconds, the mean of several runs
 * with its standard deviation, of the algorithms of coll/tuned by their names; "tuned" is the choice without a rule.
 *
 *     #Nnodes    Message_size basic_linear         binomial             tuned                          detail.out
 *     2          1            64.33(0.94)          107.24(0.83)         107.78(0.61)
 *
 *     #Nnodes    Message_size Best_Algorithm  Best_Latency   Ref_Algorithm   Ref_Latency   Speedup     best.out
 *     2          1            basic_linear    64.33(0.94)    tuned           107.78(0.61)  1.68
 *
 * They name neither the collective nor the ranks on a node. The collective is the caller's, or one in the path, or the
 * only one that has all of the algorithms. A best.out has few of them: gather and scatter have both of those above.
 */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "harness/store/import_file.h"

enum { NODES, BYTES, OTHERS, BEST_LATENCY = 3, REFERENCE = 4, BEST_COLUMNS = 7 };

static bool recognizes(const char *line)
{
  line += strspn(line, "# \t");
  return strncmp(line, "Nnodes", strlen("Nnodes")) == 0 && strstr(line, "Message_size");
}

/* ---- names ---- */

static size_t place_of(struct ompi_state *state, const char *name)
{
  size_t *number = tutti_index_number(&state->index, name);
  if (*number == 0) {
    tutti_xpush(&state->names, tutti_xstrdup(name));
    *number = state->names.count;
  }
  return *number - 1;
}

/* ---- which collective ---- */

enum { ANY_RANKS = 4 };

static bool has_all(const struct import_file *file, tutti_collective collective)
{
  tutti_method method;
  for (size_t i = 0; i < file->ompi.names.count; i++)
    if (!tutti_import_named_method(file, collective, file->ompi.names.items[i], ANY_RANKS, &method))
      return false;
  return true;
}

/* The collective in the last part of a path that has one. */
static tutti_collective named_in(const char *path)
{
  char *words = tutti_xprintf("_%s", path), *slash;
  tutti_collective named;
  do {
    slash = strrchr(words, '/');
    char *part = slash ? slash : words;
    for (char *at = part; *at; at++)
      *at = isalnum((unsigned char)*at) ? *at : '_';
    named = tutti_import_collective_named(part);
    *part = '\0';
  } while (slash && named == TUTTI_COLL_COUNT);
  free(words);
  return named;
}

/* The collective that the folder is named after, where the path does not say it. */
static tutti_collective named_by_folder(const char *path)
{
  char *real = realpath(path, NULL), *slash = real ? strrchr(real, '/') : NULL;
  if (slash)
    *slash = '\0';
  slash = slash ? strrchr(real, '/') : NULL;
  const tutti_collective named = slash ? named_in(slash + 1) : TUTTI_COLL_COUNT;
  free(real);
  return named;
}

/* One that has all algorithms and that a folder or the file is named after, else the only one that has all. *several
   receives the names of those that have all. */
static bool find_collective(const struct import_file *file, tutti_collective *collective, char several[240])
{
  tutti_collective named = named_in(file->name);
  int found = 0;
  *several = '\0';
  named = named == TUTTI_COLL_COUNT ? named_by_folder(file->name) : named;
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (has_all(file, (tutti_collective)c)) {
      *collective = (tutti_collective)c;
      if (*collective == named)
        return true;
      const size_t length = strlen(several);
      snprintf(several + length, 240 - length, "%s%s", found++ ? " or " : "", tutti_collective_name(*collective));
    }
  return found == 1;
}

/* ---- lines ---- */

static tutti_status take_headings(struct import_file *file, char *line, tutti_error *error)
{
  struct ompi_state *state = &file->ompi;
  char *cells[IMPORT_WORDS];
  line += strspn(line, "# \t");
  const int count = tutti_import_cut(line, CUT_BLANKS, cells);
  tutti_import_end_left(file);
  state->best = count == BEST_COLUMNS && strcmp(cells[OTHERS], "Best_Algorithm") == 0;
  state->count = count > OTHERS && count <= IMPORT_WORDS ? count : 0;
  if (state->count == 0)
    return tutti_import_fail_table(file, error, "headings that are not understood", "%d columns", count);
  for (int i = OTHERS; i < count && !state->best; i++)
    state->columns[i] = place_of(state, cells[i]);
  return TUTTI_OK;
}

/* "64.33(0.94)". */
static tutti_status add_time(struct import_file *file, struct ompi_row row, char *text, tutti_error *error)
{
  char shown[41];
  snprintf(shown, sizeof shown, "%s", text);
  text[strcspn(text, "(")] = '\0';
  if (!tutti_import_time(text, 1e-6, &row.time))
    return tutti_import_go_on(file, tutti_import_fail(file, error, "not a time", "'%s'", shown));
  tutti_xpush(&file->ompi.rows, row);
  return TUTTI_OK;
}

static tutti_status take_row(struct import_file *file, char *line, tutti_error *error)
{
  struct ompi_state *state = &file->ompi;
  char *cells[IMPORT_WORDS];
  struct ompi_row row = {.line = file->line};
  const int count = tutti_import_cut(line, CUT_BLANKS, cells);
  if (count != state->count)
    return tutti_import_fail(file, error, "not as many words as headings", "%d under %d", count, state->count);
  if (!tutti_parse_integer(cells[NODES], 1, INT_MAX, &row.nodes))
    return tutti_import_fail(file, error, "not a number of nodes", "'%.40s'", cells[NODES]);
  if (!tutti_import_whole(cells[BYTES], &row.bytes))
    return tutti_import_fail(file, error, "not a size", "'%.40s'", cells[BYTES]);
  tutti_status status = TUTTI_OK;
  for (int i = OTHERS; i < count && status == TUTTI_OK; i++) {
    if (state->best && i != BEST_LATENCY && i != REFERENCE + 1)
      continue;
    row.algorithm = state->best ? place_of(state, cells[i - 1]) : state->columns[i];
    if (!state->best || i == BEST_LATENCY || strcmp(cells[OTHERS], cells[REFERENCE]) != 0)
      status = add_time(file, row, cells[i], error);
  }
  return status;
}

static tutti_status take(struct import_file *file, char *line, tutti_error *error)
{
  line += strspn(line, " \t");
  if (recognizes(line))
    return take_headings(file, line, error);
  if (!isdigit((unsigned char)*line) || (file->ompi.count == 0 && tutti_import_leaves_row(file)))
    return TUTTI_OK;
  return take_row(file, line, error);
}

/* ---- the end ---- */

static tutti_status add(struct import_file *file, tutti_collective collective, const struct ompi_row *found,
                        tutti_error *error)
{
  const char *name = file->ompi.names.items[found->algorithm];
  const uint64_t type = file->how->type_size                                  ? file->how->type_size
                        : tutti_collective_traits(collective) & TUTTI_REDUCES ? 4
                                                                              : 1;
  tutti_measurement row = {.scheme = TUTTI_SCHEME_OMPI,
                           .ranks_per_node = file->how->ranks_per_node,
                           .type_size = type,
                           .count = found->bytes / type,
                           .repetitions = 1,
                           .minimum = found->time,
                           .median = found->time,
                           .mean = found->time,
                           .maximum = found->time};
  file->line = found->line;
  if (found->nodes > (uint64_t)(INT_MAX / row.ranks_per_node))
    return tutti_import_fail(file, error, "not a number of nodes", "%llu", (unsigned long long)found->nodes);
  row.ranks = (int)found->nodes * row.ranks_per_node;
  if (found->bytes % type != 0)
    return tutti_import_fail(file, error, "no whole number of elements (--type-size)", "%llu bytes",
                             (unsigned long long)found->bytes);
  if (collective == TUTTI_COLL_BARRIER)
    row.count = 0;
  if (!tutti_import_named_method(file, collective, name, row.ranks, &row.method)) {
    tutti_import_pass(file, "methods that Tutti does not have", "%s/%.60s", tutti_collective_name(collective), name);
    return TUTTI_OK;
  }
  return tutti_import_add(file, collective, &row, error);
}

static tutti_status add_all(struct import_file *file, tutti_error *error)
{
  tutti_collective collective;
  tutti_status status = TUTTI_OK;
  const size_t line = file->line;
  const char *lacks = NULL;
  char several[240] = "";
  if (!tutti_import_said_collective(file->how, &collective) && !find_collective(file, &collective, several))
    lacks = "which collective was it? (say it with --collective)";
  else if (file->how->ranks_per_node == 0)
    lacks = "how many ranks were on a node? (say it with --ranks-per-node)";
  if (lacks) {
    file->line = file->ompi.rows.items->line;
    const int first = (int)strcspn(several, " ");
    status = tutti_import_go_on(file, tutti_import_fail(file, error, lacks, "%zu times%s%s%s%.*s",
                                                        file->ompi.rows.count, *several ? " of " : "", several,
                                                        *several ? ", so: --collective " : "", first, several));
  }
  for (size_t i = 0; i < file->ompi.rows.count && status == TUTTI_OK && !lacks; i++)
    status = tutti_import_go_on(file, add(file, collective, &file->ompi.rows.items[i], error));
  file->line = line;
  return status;
}

static tutti_status end(struct import_file *file, tutti_status status, tutti_error *error)
{
  struct ompi_state *state = &file->ompi;
  tutti_import_set_words(file, true, "");
  file->imported->tables++;
  if (status == TUTTI_OK && state->rows.count > 0)
    status = add_all(file, error);
  for (size_t i = 0; i < state->names.count; i++)
    free(state->names.items[i]);
  tutti_vector_free(&state->names);
  tutti_vector_free(&state->rows);
  tutti_index_free(&state->index);
  return status;
}

const struct import_reader tutti_import_ompi = {.recognizes = recognizes, .take = take, .end = end};
