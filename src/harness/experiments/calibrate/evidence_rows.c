#include "harness/experiments/calibrate/evidence_rows.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/memory.h"

/* No call takes no time: a simulated time of 0 is that of a call without messages. */
static bool is_simulated(const struct call_row *call)
{
  return call->simulated > 0 && isfinite(call->simulated);
}

/* Append the row number @p number to a cell, the next one if it is new. */
static void add_to_cell(struct evidence_rows *rows, size_t cell, size_t number)
{
  if (cell == rows->cells.count)
    tutti_xpush(&rows->cells, ((struct evidence_cell){.first = number}));
  else
    rows->items[rows->cells.items[cell].last].next = number;
  rows->cells.items[cell].last = number;
}

void tutti_evidence_rows_add(struct evidence_rows *rows, const struct call_row *call)
{
  struct evidence_row row = {.call = *call, .choice = rows->count, .next = SIZE_MAX};
  char *text = tutti_xprintf("%d\t%s\t%d\t%llu\t%s", (int)call->collective, call->nodes, call->ranks_per_node,
                             (unsigned long long)call->bytes, call->run);
  size_t *number = tutti_index_number(&rows->index, text);
  free(text);
  if (*number == 0)
    *number = rows->cells.count + 1;
  row.cell = *number - 1;
  row.call.nodes = tutti_xstrdup(call->nodes);
  row.call.name = tutti_xstrdup(call->name);
  row.call.run = tutti_xstrdup(call->run);
  tutti_xpush(rows, row);
  add_to_cell(rows, row.cell, rows->count - 1);
}

void tutti_evidence_rows_free(struct evidence_rows *rows)
{
  for (size_t i = 0; i < rows->count; i++) {
    free((char *)rows->items[i].call.nodes);
    free((char *)rows->items[i].call.name);
    free((char *)rows->items[i].call.run);
  }
  tutti_vector_free(rows);
  tutti_vector_free(&rows->cells);
  tutti_index_free(&rows->index);
}

struct reading {
  struct evidence_rows *rows;
  const struct call_table *asked;
};

static void take_row(void *context, const struct call_row *row)
{
  const struct reading *reading = context;
  if (reading->asked->measured && isnan(row->seconds))
    return;
  tutti_evidence_rows_add(reading->rows, row);
  reading->rows->items[reading->rows->count - 1].table = reading->asked->path;
}

tutti_status tutti_evidence_rows_read(const struct call_table *asked, tutti_passed *passed, struct evidence_rows *rows,
                                      tutti_error *error)
{
  return tutti_call_table_read(asked, passed, take_row, &(struct reading){rows, asked}, error);
}

tutti_status tutti_evidence_rows_simulate(struct evidence_rows *rows, const struct simulation_request *request,
                                          tutti_error *error)
{
  const struct spread none = {.count = 0};
  struct simulated_points points = {.count = 0};
  for (size_t i = 0; i < rows->count; i++) {
    const struct call_row *call = &rows->items[i].call;
    const size_t before = points.count;
    if (!call->known || is_simulated(call))
      continue;
    tutti_simulated_add(&points, &call->found.method, call->nodes, call->ranks, call->ranks_per_node, CALL_ELEMENT,
                        call->bytes);
    rows->items[i].impossible = points.count == before && !tutti_evidence_row_is_own(&rows->items[i]);
    if (points.count > before) {
      points.items[before].row = i;
      points.items[before].table = rows->items[i].table;
      points.items[before].line = call->line;
    }
  }
  const tutti_status status = points.count > 0 ? tutti_simulated_run(request, &none, false, &points, error) : TUTTI_OK;
  for (size_t i = 0; i < points.count && status == TUTTI_OK; i++)
    rows->items[points.items[i].row].call.simulated = points.items[i].point.seconds;
  tutti_simulated_free(&points);
  return status;
}

/* ---- what a library's own choice is ---- */

bool tutti_evidence_row_is_own(const struct evidence_row *row)
{
  return row->call.known && tutti_method_is_native(&row->call.found.method);
}

/* Whether two names have the same letters and digits, but for an ending of either. */
static bool is_named(const char *left, const char *right)
{
  static const char *const endings[] = {"tree", "fm"};
  for (;; left++, right++) {
    left += strcspn(left, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
    right += strcspn(right, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
    if (!*left || !*right || tolower((unsigned char)*left) != tolower((unsigned char)*right))
      break;
  }
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    if ((!*left && strcmp(right, endings[i]) == 0) || (!*right && strcmp(left, endings[i]) == 0))
      return true;
  return !*left && !*right;
}

/* Whether the row is the library's own code of what it chooses. Fujitsu's names are default-NAME. */
static bool is_choice(const struct evidence_row *row, const tutti_explanation *choice)
{
  static const char fujitsu[] = "default-";
  const tutti_method *method = &row->call.found.method;
  if (tutti_evidence_row_is_own(row))
    return false;
  if (strncmp(row->call.name, fujitsu, strlen(fujitsu)) == 0) {
    char name[TUTTI_METHOD_LENGTH];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(choice->algorithm, ",("), choice->algorithm);
    return is_named(row->call.name + strlen(fujitsu), name);
  }
  return row->call.known && method->implementation != TUTTI_IMPLEMENTATION_TUTTI && choice->known &&
         method->algorithm == choice->method.algorithm;
}

static tutti_status explain(const struct call_row *call, const tutti_tuning *tuning, tutti_explanation *choice,
                            tutti_error *error)
{
  const bool blocks = tutti_collective_traits(call->collective) & TUTTI_HAS_BLOCKS;
  const uint64_t share = call->bytes / (blocks ? (uint64_t)call->ranks : 1);
  const tutti_explained_call asked = {.collective = call->collective,
                                      .ranks = call->ranks,
                                      .ranks_per_node = call->ranks_per_node,
                                      .rank_bytes = share / CALL_ELEMENT * CALL_ELEMENT,
                                      .type_bytes = CALL_ELEMENT};
  return tutti_explain(tuning, &asked, choice, error);
}

tutti_status tutti_evidence_rows_explain(struct evidence_rows *rows, tutti_collective collective,
                                         const tutti_tuning *tuning, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < rows->count && status == TUTTI_OK; i++) {
    struct evidence_row *row = &rows->items[i];
    tutti_explanation choice = {.step_count = 0};
    if (row->call.collective != collective || !tutti_evidence_row_is_own(row))
      continue;
    status = explain(&row->call, tuning, &choice, error);
    for (size_t j = rows->cells.items[row->cell].first; j != SIZE_MAX && status == TUTTI_OK && row->choice == i;
         j = rows->items[j].next)
      if (is_choice(&rows->items[j], &choice))
        row->choice = j;
    tutti_explanation_free(&choice);
  }
  return status;
}

/* ---- priors ---- */

/* The row of the cell whose name has the longest beginning in common with that of @p row, 3 of 5 letters at least, and
   which was simulated; NULL without one. */
static const struct evidence_row *find_related(const struct evidence_rows *rows, const struct evidence_row *row)
{
  const struct evidence_row *best = NULL;
  size_t longest = 0;
  for (size_t i = rows->cells.items[row->cell].first; i != SIZE_MAX; i = rows->items[i].next) {
    const struct evidence_row *each = &rows->items[i];
    size_t length = 0;
    const size_t own = strlen(row->call.name), other = strlen(each->call.name), shorter = own < other ? own : other;
    while (length < shorter && each->call.name[length] == row->call.name[length])
      length++;
    if (length > longest && 5 * length >= 3 * shorter && is_simulated(&each->call)) {
      best = each;
      longest = length;
    }
  }
  return best;
}

/* Natural logarithms of the fastest simulated time of each cell; NaN without one; owned by the caller. */
static double *find_fastest(const struct evidence_rows *rows)
{
  double *fastest = tutti_xcalloc(rows->cells.count + 1, sizeof *fastest);
  for (size_t c = 0; c < rows->cells.count; c++)
    fastest[c] = NAN;
  for (size_t i = 0; i < rows->count; i++)
    if (is_simulated(&rows->items[i].call))
      fastest[rows->items[i].cell] = fmin(fastest[rows->items[i].cell], log(rows->items[i].call.simulated));
  return fastest;
}

/* A few messages of a network of any kind. */
static double guess_fastest(const struct call_row *call)
{
  return log(5e-6 * fmax(1, log2(call->ranks)) + 2e-10 * (double)call->bytes);
}

/* ---- labels ---- */

/* Words of an algorithm's name, and the family that has them; the first counts. */
static const char *family_of(const char *algorithm)
{
  static const char *const words[][2] = {
      {"bine", "bine"},   {"swing", "bine"},    {"recursive", "doubling"}, {"rabenseifner", "rabenseifner"},
      {"ring", "ring"},   {"linear", "linear"}, {"binomial", "binomial"},  {"bruck", "bruck"},
      {"torus", "torus"}, {"bucket", "torus"},  {"binary", "binary"},      {"neighbor", "ring"},
      {"chain", "ring"},  {"pipeline", "ring"}, {"pairwise", "pairwise"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcasestr(algorithm, words[i][0]))
      return words[i][1];
  return algorithm;
}

/* The authors' own code on so many ports of Fugaku's network is a code of its own. */
static const char *owner_of(const struct call_row *call)
{
  const char *ports = strrchr(call->name, '-');
  if (strstr(call->name, "-UTOFU-"))
    return ports;
  if (call->known)
    return call->found.method.implementation == TUTTI_IMPLEMENTATION_TUTTI ? "authors" : "library";
  return strncmp(call->name, "default-", strlen("default-")) == 0 ? "library" : "authors";
}

struct labels {
  void *index;
  size_t count;
};

static int label(struct labels *labels, enum evidence_label kind, int collective, const char *text)
{
  char *name = tutti_xprintf("%d\t%d\t%s", (int)kind, collective, text);
  size_t *number = tutti_index_number(&labels->index, name);
  free(name);
  if (*number == 0)
    *number = ++labels->count;
  return (int)*number;
}

static void set_labels(struct labels *labels, const struct call_row *call, const char *algorithm, const char *owner,
                       const char *method, struct evidence_point *point)
{
  const int collective = (int)call->collective;
  char *job = tutti_xprintf("%s\t%d\t%s", call->nodes, call->ranks_per_node, call->run);
  const struct {
    int collective; /* -1: of all */
    const char *text;
  } texts[EVIDENCE_LABELS] = {[EVIDENCE_COLLECTIVE] = {collective, ""},
                              [EVIDENCE_JOB] = {collective, job},
                              [EVIDENCE_ALGORITHM] = {collective, algorithm},
                              [EVIDENCE_METHOD] = {collective, method},
                              [EVIDENCE_OWNER] = {-1, owner},
                              [EVIDENCE_FAMILY] = {-1, family_of(algorithm)}};
  for (int l = 0; l < EVIDENCE_LABELS; l++)
    point->labels[l] = label(labels, l, texts[l].collective, texts[l].text);
  free(job);
}

/* ---- points ---- */

static struct evidence_point point_of(const struct evidence_rows *rows, size_t number, double fastest,
                                      struct labels *labels)
{
  const struct evidence_row *asked = &rows->items[number], *row = &rows->items[asked->choice];
  const struct evidence_row *related = is_simulated(&row->call) ? row : find_related(rows, row);
  struct evidence_point point = {.own = tutti_evidence_row_is_own(asked),
                                 .kind = is_simulated(&row->call) ? EVIDENCE_SIMULATED : EVIDENCE_UNKNOWN,
                                 .size = log2(fmax(1, (double)asked->call.bytes)), /* a barrier has none */
                                 .ranks = log2(asked->call.ranks),
                                 .fastest = isnan(fastest) ? guess_fastest(&asked->call) : fastest,
                                 .measured = log(asked->call.seconds)};
  const char *algorithm = row->call.name, *owner = owner_of(&row->call);
  if (tutti_evidence_row_is_own(row)) {
    point.kind = EVIDENCE_OWN_CHOICE;
    owner = algorithm = "own choice";
    related = NULL;
  } else if (point.kind == EVIDENCE_UNKNOWN && related)
    point.kind = EVIDENCE_RELATED;
  if (related) {
    point.longer = log(related->call.simulated) - point.fastest;
    const double ports = related == row ? 0 : tutti_evidence_ports_longer(rows, &row->call, &related->call);
    point.longer += ports;
    if (ports != 0)
      point.kind = EVIDENCE_SIMULATED;
    algorithm = related->call.found.method.algorithm->name;
  } else if (row->call.known && point.kind != EVIDENCE_OWN_CHOICE)
    algorithm = row->call.found.method.algorithm->name;
  set_labels(labels, &asked->call, algorithm, owner, row->call.name, &point);
  return point;
}

struct evidence_point *tutti_evidence_rows_points(const struct evidence_rows *rows)
{
  struct evidence_point *points = tutti_xcalloc(rows->count + 1, sizeof *points);
  struct labels labels = {.count = 0};
  double *fastest = find_fastest(rows);
  for (size_t i = 0; i < rows->count; i++)
    points[i] = point_of(rows, i, fastest[rows->items[i].cell], &labels);
  free(fastest);
  tutti_index_free(&labels.index);
  return points;
}
