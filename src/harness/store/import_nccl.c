/*
 * nccl-tests and rccl-tests, in all their versions:
 *
 *     # nccl-tests version 2.13.8                                       not all print it
 *     # Collective test starting: all_reduce_perf                       nor this
 *     # nThread 1 nGpus 1 minBytes 8 maxBytes 64 step: 2(factor) warmup iters: 5 iters: 20
 *     #  Rank  0 Group  0 Pid  173131 on  node1 device  0 [0x01] ...    a line a rank
 *     #       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw
 * #wrong 8             2     float     sum      -1    33.57    0.00    0.00      0    28.36    0.00    0.00      0
 *
 * The first time is out-of-place, the second in-place (`buffer=in-place`), in microseconds, a mean over a loop. Sizes
 * are those of all blocks together; the count is that of one. Where no line names the collective, it follows from the
 * operation, the root, and whether the size is the count: except for allgather and alltoall, gather and scatter.
 * sendrecv has the rows of allreduce; its busbw is the algbw, that of allreduce 2 (ranks - 1) / ranks times it, so that
 * nothing tells them apart where there are two ranks.
 */
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "harness/store/import_file.h"

enum { OUT_OF_PLACE, IN_PLACE, HALVES };

static bool is_banner(const char *line)
{
  return strstr(line, "nThread") && strstr(line, "nGpus") && strstr(line, "minBytes");
}

static bool is_header(const char *line)
{
  return *line == '#' && strstr(line, " size ") && strstr(line, " count ");
}

/* A part of a log may lack what is above the headings. */
static bool recognizes(const char *line)
{
  return is_banner(line) || (is_header(line) && strstr(line, " algbw ") && strstr(line, " busbw "));
}

/* ---- lines above the times ---- */

static int number_after(const char *line, const char *word)
{
  const char *at = strstr(line, word);
  const long number = at ? strtol(at + strlen(word), NULL, 10) : 0;
  return number > 0 && number < INT_MAX ? (int)number : 0;
}

static void begin_run(struct import_file *file, const char *line)
{
  struct nccl_state *state = &file->nccl;
  const char *loop = strstr(line, "warmup iters:"), *iterations = loop ? strstr(loop + 7, " iters:") : NULL;
  const struct nccl_state fresh = {.repetitions = iterations ? atoi(iterations + strlen(" iters:")) : 1,
                                   .per_process =
                                       number_after(line, "nThread ") * (int64_t)number_after(line, "nGpus ") < INT_MAX
                                           ? number_after(line, "nThread ") * number_after(line, "nGpus ")
                                           : 0,
                                   .named = state->named,
                                   .other = state->other,
                                   .collective = state->collective};
  tutti_import_end_left(file);
  tutti_index_free(&state->nodes);
  *state = fresh;
}

/* A list of ranks is that of its launch. */
static void forget_list(struct nccl_state *state, size_t launch)
{
  if (state->list >= launch)
    return;
  tutti_index_free(&state->nodes);
  state->listed = state->largest = state->ranks_per_node = 0;
}

/* "#  Rank  3 Group  0 Pid 17 on node1 device ...". */
static void take_rank(struct import_file *file, const char *line)
{
  struct nccl_state *state = &file->nccl;
  const char *group = strstr(line, "Group"), *on = strstr(line, " on ");
  char node[128];
  const int rank = number_after(line, " Rank ");
  forget_list(state, file->launch.line);
  state->list = file->line;
  state->listed++;
  if (rank + 1 > state->largest)
    state->largest = rank + 1;
  state->groups = state->groups || (group && atoi(group + strlen("Group")) != 0);
  if (!on || sscanf(on, " on %127s", node) != 1)
    return;
  size_t *ranks = tutti_index_number(&state->nodes, node);
  if (++*ranks > (size_t)state->ranks_per_node)
    state->ranks_per_node = (int)*ranks;
}

/* "all_reduce_perf", with or without its folder, on the line that starts it or says that it starts. */
static void note_name(struct import_file *file, const char *line)
{
  struct nccl_state *state = &file->nccl;
  const char *end = strstr(line, "_perf"), *begin = end;
  while (begin && begin > line && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_'))
    begin--;
  if (!begin || begin == end || isalnum((unsigned char)end[strlen("_perf")]) || end[strlen("_perf")] == '_')
    return;
  const size_t length = (size_t)(end - begin);
  tutti_collective collective;
  const bool other = strncmp(begin, "sendrecv", length) == 0 || strncmp(begin, "hypercube", length) == 0;
  if (!other && !tutti_import_collective(begin, length, &collective))
    return;
  state->named = true;
  state->other = other;
  state->collective = other ? TUTTI_COLL_BARRIER : collective;
  if (!state->other && state->collective == TUTTI_COLL_REDUCE_SCATTER)
    state->collective = TUTTI_COLL_REDUCE_SCATTER_BLOCK;
}

/* "# nccl-tests version 2.13.8", "rccl-tests: Version develop:1234"; not a folder of that name. */
static void note_version(struct import_file *file, const char *line)
{
  const char *name = strstr(line, "ccl-tests"), *version = name ? strcasestr(name, "version ") : NULL;
  if (!version || name == line)
    return;
  version += strlen("version ");
  const size_t length = strspn(version, "0123456789.");
  snprintf(file->program, sizeof file->program, "%cccl-tests%s%.*s", name[-1] == 'r' ? 'r' : 'n', length ? "-" : "",
           length > 20 ? 20 : (int)length, version);
}

void tutti_import_note_nccl(struct import_file *file, const char *line)
{
  if (strstr(line, "_perf"))
    note_name(file, line);
  if (strstr(line, "ccl-tests"))
    note_version(file, line);
}

/* ---- the header ---- */

/* The number of ranks is that of their list. One that lacks ranks has as many as the caller or the launch says, or at
   least up to the largest; one that ends before the last rank of the launch has lost some. */
static tutti_status find_ranks(struct import_file *file, tutti_error *error)
{
  struct nccl_state *state = &file->nccl;
  forget_list(state, file->launch.line);
  const int processes = file->launch.ranks > 0 ? file->launch.ranks : 0, said = file->how->ranks;
  const int64_t started = (int64_t)processes * state->per_process;
  const bool whole = state->listed >= state->largest;
  if (state->listed == 0 && started > 0 && started <= INT_MAX && (said == 0 || said == started)) {
    state->ranks = (int)started;
    return TUTTI_OK;
  }
  if (state->listed == 0)
    return tutti_import_ranks(file, &state->ranks, error);
  state->ranks = state->largest;
  if (!whole)
    state->ranks_per_node = 0;
  if (!whole && said > 0 && said < state->largest)
    return tutti_import_fail_table(file, error, "not the number of --ranks: correct it, or leave it out",
                                   "rank %d is listed, --ranks says %d", state->largest - 1, said);
  if (!whole && said > 0)
    state->ranks = said;
  else if (started > 0 && started <= INT_MAX && (whole ? started > state->largest : started != state->largest)) {
    if (whole || started < state->largest)
      return tutti_import_fail_table(file, error, "not as many ranks are listed as were started",
                                     "up to rank %d, line %zu starts %d", state->largest - 1, file->launch.line,
                                     (int)started);
    state->ranks = (int)started;
  }
  file->imported->own_ranks = file->imported->own_ranks || whole;
  return TUTTI_OK;
}

static tutti_status take_header(struct import_file *file, char *line, tutti_error *error)
{
  struct nccl_state *state = &file->nccl;
  char *cells[IMPORT_WORDS];
  line += strspn(line, "# \t");
  state->count = tutti_import_cut(line, CUT_BLANKS, cells);
  memset(state->columns, 0, sizeof state->columns);
  int halves = 0;
  state->errors = state->timed = false;
  for (int i = 0; i < state->count && i < IMPORT_WORDS; i++) {
    static const char *const names[] = {"size", "count", "type", "redop", "root"};
    for (int c = NCCL_SIZE; c <= NCCL_ROOT; c++)
      if (strcmp(cells[i], names[c]) == 0)
        state->columns[c] = 1 + i;
    if ((strcmp(cells[i], "algbw") == 0 || strcmp(cells[i], "busbw") == 0) && halves == 1)
      state->columns[*cells[i] == 'a' ? NCCL_ALGBW : NCCL_BUSBW] = 1 + i;
    if (strcmp(cells[i], "time") == 0 && halves < HALVES)
      state->columns[NCCL_TIME + halves++] = 1 + i;
    else if ((strcmp(cells[i], "#wrong") == 0 || strcmp(cells[i], "error") == 0) && halves > 0)
      state->columns[NCCL_WRONG + halves - 1] = 1 + i;
    state->errors = state->errors || strcmp(cells[i], "error") == 0;
    state->timed = state->timed || strcmp(cells[i], "timestamp") == 0;
  }
  const char *lacks = NULL;
  tutti_status status = TUTTI_OK;
  tutti_import_end_left(file);
  if (!state->columns[NCCL_SIZE] || !state->columns[NCCL_COUNT] || !state->columns[NCCL_TIME] ||
      state->count > IMPORT_WORDS)
    lacks = "headings that are not understood";
  else if (state->groups)
    lacks = "several groups at once";
  else if (state->named && state->other)
    lacks = tutti_import_no_collective;
  else
    status = find_ranks(file, error);
  if (!lacks && status == TUTTI_OK && state->ranks == 0)
    lacks = "no line '# Rank' above the times: say the number with --ranks";
  if (!lacks && status == TUTTI_OK) {
    file->imported->tables++;
    state->first = file->imported->count;
    state->rows = 0;
    return TUTTI_OK;
  }
  state->count = 0;
  return status != TUTTI_OK ? status : tutti_import_fail_table(file, error, lacks, "nccl-tests");
}

/* ---- rows ---- */

static const char *cell_of(const struct nccl_state *state, char *const *cells, int column)
{
  return state->columns[column] ? cells[state->columns[column] - 1] : "";
}

/* By what a row says of itself. */
static bool find_collective(const struct import_file *file, bool reduces, bool rooted, bool whole,
                            tutti_collective *collective)
{
  const struct nccl_state *state = &file->nccl;
  *collective = state->named                              ? state->collective
                : file->how->collective                   ? (tutti_collective)(file->how->collective - 1)
                : reduces && rooted                       ? TUTTI_COLL_REDUCE
                : reduces && (whole || state->ranks == 1) ? TUTTI_COLL_ALLREDUCE
                : reduces                                 ? TUTTI_COLL_REDUCE_SCATTER_BLOCK
                                                          : TUTTI_COLL_BCAST;
  if (state->named || file->how->collective || (reduces ? rooted || !whole || state->ranks != 2 : rooted && whole))
    return true;
  return tutti_import_said_collective(file->how, collective);
}

/* Whether the bandwidths of a row without a name that would be of allreduce are those of sendrecv. Small ones are
   printed with too few digits. */
static bool is_sendrecv(const struct nccl_state *state, char *const *cells, tutti_collective collective, bool guessed)
{
  double algbw, busbw;
  if (!guessed || collective != TUTTI_COLL_ALLREDUCE ||
      !tutti_import_time(cell_of(state, cells, NCCL_ALGBW), 1, &algbw) ||
      !tutti_import_time(cell_of(state, cells, NCCL_BUSBW), 1, &busbw))
    return false;
  return algbw >= 0.1 && fabs(busbw / algbw - 1) < 0.1;
}

/* Give up a table, and what was read of it. */
static tutti_status leave_sendrecv(struct import_file *file)
{
  struct nccl_state *state = &file->nccl;
  tutti_imported *imported = file->imported;
  while (imported->count > state->first)
    free(imported->items[--imported->count].settings);
  state->count = 0;
  tutti_import_leave(file, tutti_import_no_collective, "nccl-tests, sendrecv by its bandwidths");
  file->passing->rows = state->rows;
  return TUTTI_OK;
}

static void set_words(struct import_file *file, int half, const char *type)
{
  static const char *const names[] = {"NCCL_ALGO", "NCCL_PROTO"};
  char words[IMPORT_SETTINGS] = "";
  for (int i = 0; i < 2; i++) {
    const struct import_setting *found = tutti_import_find_setting(&file->settings, names[i]);
    const size_t length = strlen(words);
    if (found && found->value && *found->value)
      snprintf(words + length, sizeof words - length, "%s%s=%.40s", length ? " " : "", names[i], found->value);
  }
  const char *const more[] = {half == IN_PLACE ? "buffer=in-place" : "", type};
  for (int i = 0; i < 2; i++) {
    const size_t length = strlen(words);
    snprintf(words + length, sizeof words - length, "%s%s", length && *more[i] ? " " : "", more[i]);
  }
  tutti_import_set_words(file, true, words);
}

/* Versions before 2.12 print the largest error of an element, which rounding makes; the limits are theirs. */
static bool is_right(const struct nccl_state *state, const char *wrong, uint64_t type_size)
{
  const double limit = !state->errors ? 0 : type_size == 2 ? 1e-2 : type_size == 4 ? 1e-5 : type_size == 8 ? 1e-12 : 0;
  double number;
  return tutti_parse_real(wrong, &number) && number <= limit;
}

static tutti_status add_half(struct import_file *file, char *const *cells, int half, tutti_collective collective,
                             tutti_measurement row, tutti_error *error)
{
  const struct nccl_state *state = &file->nccl;
  char type[IMPORT_TYPE];
  const char *time = cell_of(state, cells, NCCL_TIME + half), *wrong = cell_of(state, cells, NCCL_WRONG + half);
  if (!*time || strcmp(time, "N/A") == 0)
    return TUTTI_OK;
  if (!tutti_import_time(time, 1e-6, &row.mean))
    return tutti_import_fail(file, error, "not a time", "'%.40s'", time);
  if (*wrong && strcmp(wrong, "N/A") != 0 && !is_right(state, wrong, row.type_size))
    return tutti_import_fail(file, error, tutti_import_wrong, "%.40s", wrong);
  row.minimum = row.median = row.maximum = row.mean;
  set_words(file, half, tutti_import_type_word(collective, cell_of(state, cells, NCCL_TYPE), type));
  return tutti_import_add(file, collective, &row, error);
}

static tutti_status take_row(struct import_file *file, char *line, tutti_error *error)
{
  struct nccl_state *state = &file->nccl;
  char *cells[IMPORT_WORDS];
  tutti_measurement row = {.scheme = TUTTI_SCHEME_NCCL, .ranks = state->ranks};
  tutti_collective collective;
  uint64_t size, root;
  state->rows++;
  row.repetitions = state->repetitions > 0 ? state->repetitions : 1;
  const int count = tutti_import_cut(line, CUT_BLANKS, cells);
  if (count != state->count + state->timed) /* a date and a time */
    return tutti_import_fail(file, error, "not as many words as headings", "%d under %d", count, state->count);
  if (!tutti_import_whole(cell_of(state, cells, NCCL_SIZE), &size) ||
      !tutti_import_whole(cell_of(state, cells, NCCL_COUNT), &row.count))
    return tutti_import_fail(file, error, "not a size", "'%.40s'", cell_of(state, cells, NCCL_SIZE));
  row.type_size = tutti_import_type_size(cell_of(state, cells, NCCL_TYPE));
  if (row.type_size == 0)
    return tutti_import_fail(file, error, "unknown type", "'%.40s'", cell_of(state, cells, NCCL_TYPE));
  const char *operation = cell_of(state, cells, NCCL_OPERATION);
  const bool guessed = !state->named && !file->how->collective,
             rooted = tutti_parse_integer(cell_of(state, cells, NCCL_ROOT), 0, INT_MAX, &root);
  if (!find_collective(file, *operation && strcmp(operation, "none") != 0, rooted, size / row.type_size == row.count,
                       &collective))
    return tutti_import_fail(file, error, "which collective was it? (say it with --collective)", "size %.20s",
                             cell_of(state, cells, NCCL_SIZE));
  if (is_sendrecv(state, cells, collective, guessed))
    return leave_sendrecv(file);
  if (rooted && tutti_collective_traits(collective) & TUTTI_HAS_ROOT)
    row.root = (int)root;
  if (file->how->ranks_per_node == 0)
    row.ranks_per_node = state->ranks_per_node;
  tutti_status status = tutti_import_go_on(file, add_half(file, cells, OUT_OF_PLACE, collective, row, error));
  return status == TUTTI_OK ? add_half(file, cells, IN_PLACE, collective, row, error) : status;
}

/* ---- lines ---- */

static tutti_status take(struct import_file *file, char *line, tutti_error *error)
{
  line += strspn(line, " \t");
  if (is_banner(line))
    begin_run(file, line);
  else if (*line == '#' && strstr(line, " Rank ") && strstr(line, "Pid"))
    take_rank(file, line);
  else if (is_header(line))
    return take_header(file, line, error);
  else if (isdigit((unsigned char)*line) && file->nccl.count > 0)
    return take_row(file, line, error);
  else if (isdigit((unsigned char)*line))
    tutti_import_leaves_row(file);
  return TUTTI_OK;
}

static tutti_status end(struct import_file *file, tutti_status status, tutti_error *error)
{
  (void)error;
  tutti_index_free(&file->nccl.nodes);
  return status;
}

const struct import_reader tutti_import_nccl = {.recognizes = recognizes, .take = take, .end = end};
