/* <sort>, <range>: the product of the lists in their attributes, which are the keys of a kind of result. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "base/text.h"
#include "decision/results/row.h"
#include "harness/experiments/file/experiment_private.h"

/* No experiment needs as many; a result takes 0.8 KB. */
enum { MAX_RESULTS = 1 << 17 };

/* A value of a key. */
struct choice {
  tutti_value value;
  bool share; /* it is a divisor of the number of processes, and resolved when that is known */
};

/* One key. */
struct axis {
  TUTTI_VECTOR(struct choice);
};

struct axes {
  const xml_file *file;
  const xmlNode *node;
  const struct tutti_row_kind *kind;
  const struct tutti_row_column *columns[TUTTI_RESULT_FIELDS]; /* keys */
  int ranks;                                                   /* which of them is the number of processes */
  struct axis items[TUTTI_RESULT_FIELDS];
  int count;
};

/* ---- an axis ---- */

/* "ranks", "ranks/K"; 0: neither. */
static uint64_t share_of(const char *word)
{
  static const char part[] = "ranks/";
  uint64_t share = 0;
  if (strcmp(word, "ranks") == 0)
    return 1;
  bool is_part = strncmp(word, part, strlen(part)) == 0 && word[strlen(part)] != '0';
  return is_part && tutti_parse_integer(word + strlen(part), 1, INT_MAX, &share) ? share : 0;
}

/* A number, or FROM..TO*FACTOR. */
static tutti_status append_numbers(const struct tutti_row_column *column, const char *text, struct axis *axis,
                                   tutti_error *error)
{
  uint64_t *numbers;
  int count;
  tutti_status status = tutti_experiment_parse_list(text, tutti_experiment_parse_whole, &numbers, &count, error);
  for (int i = 0; i < count && status == TUTTI_OK; i++) {
    tutti_xpush(axis, (struct choice){.value.integer = numbers[i]});
    if (!tutti_column_holds(column, numbers[i]))
      status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%llu is not from %llu to %llu", (unsigned long long)numbers[i],
                          (unsigned long long)column->min, (unsigned long long)tutti_column_max(column));
  }
  free(numbers);
  return status;
}

static tutti_status append_word(struct axes *axes, int field, const char *word, tutti_error *error)
{
  const struct tutti_row_column *column = axes->columns[field];
  struct axis *axis = &axes->items[field];
  struct choice share = {.value.integer = share_of(word), .share = true};
  if (column->type == TUTTI_ROW_COLUMN_STRING) {
    tutti_result result = {0};
    tutti_status status = tutti_row_parse(axes->kind, column, word, strlen(word), &result, error);
    if (status == TUTTI_OK)
      tutti_xpush(axis, (struct choice){.value = result.values[field]});
    return status;
  }
  if (share.value.integer == 0 || field == axes->ranks)
    return append_numbers(column, word, axis, error);
  tutti_xpush(axis, share);
  return TUTTI_OK;
}

static tutti_status parse_axis(struct axes *axes, int field, const char *text, tutti_error *error)
{
  static const char blanks[] = " \t\r\n";
  char *copy = tutti_xstrdup(text), *rest = NULL;
  tutti_status status = TUTTI_OK;
  for (char *word = strtok_r(copy, blanks, &rest); word && status == TUTTI_OK; word = strtok_r(NULL, blanks, &rest))
    status = append_word(axes, field, word, error);
  free(copy);
  if (status == TUTTI_OK && axes->items[field].count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the list is empty");
  return status;
}

/* ---- all of them ---- */

static tutti_status read_axes(tutti_result_kind kind, struct axes *axes, tutti_error *error)
{
  const struct tutti_row_column *column;
  tutti_error reason;
  for (int f = 0; (column = tutti_result_column(kind, f)) && tutti_column_is_key(column); f++) {
    const char *name = column->name, *text = tutti_xml_attribute(axes->node, name), *standard = column->standard;
    if (!text && !standard)
      return tutti_xml_fail(axes->file, axes->node, error, "<%s> lacks its attribute '%s'",
                            tutti_experiment_result_element(axes->kind), name);
    axes->columns[axes->count++] = column;
    if (strcmp(name, "ranks") == 0)
      axes->ranks = f;
    if (parse_axis(axes, f, text ? text : standard, &reason) != TUTTI_OK)
      return tutti_xml_fail(axes->file, axes->node, error, "%s=\"%s\": %.300s", name, text ? text : standard,
                            reason.message);
  }
  return TUTTI_OK;
}

/* The numbers of ranks of the file, or of the setting, as a list of their own. */
static void list_ranks(const struct axis *ranks, const tutti_experiment_setting *setting, uint64_t **values, int *count)
{
  if (setting && setting->ranks_count > 0) {
    tutti_experiment_copy_list(setting->ranks, setting->ranks_count, values, count);
    return;
  }
  *values = tutti_xmalloc(ranks->count * sizeof **values);
  for (size_t i = 0; i < ranks->count; i++)
    (*values)[i] = ranks->items[i].value.integer;
  *count = (int)tutti_numbers_unique(*values, ranks->count);
}

static uint64_t largest(const struct axis *axis)
{
  uint64_t max = 0;
  for (size_t i = 0; i < axis->count; i++)
    max = axis->items[i].value.integer > max ? axis->items[i].value.integer : max;
  return max;
}

/* A number that no number of processes is large enough for is a mistake; where only some are not, those points are
 * passed over. */
static tutti_status check_sizes(const struct axes *axes, tutti_error *error)
{
  uint64_t max = largest(&axes->items[axes->ranks]);
  for (int f = 0; f < axes->count; f++) {
    const char *bound = axes->columns[f]->at_most;
    const struct axis *axis = &axes->items[f];
    for (size_t i = 0; bound && strcmp(bound, "ranks") == 0 && i < axis->count; i++)
      if (!axis->items[i].share && axis->items[i].value.integer > max)
        return tutti_xml_fail(axes->file, axes->node, error, "%s=\"%llu\": there are %llu ranks at most",
                              axes->columns[f]->name, (unsigned long long)axis->items[i].value.integer,
                              (unsigned long long)max);
  }
  return TUTTI_OK;
}

static tutti_status resolve_ranks(struct axes *axes, const struct experiment_machine *machine, tutti_error *error)
{
  struct axis *ranks = &axes->items[axes->ranks];
  uint64_t *values;
  int count;
  list_ranks(ranks, machine->setting, &values, &count);
  tutti_status status = tutti_experiment_check_room(axes->file, axes->node, machine, values, &count, error);
  if (status == TUTTI_OK && machine->setting) {
    ranks->count = 0;
    for (int i = 0; i < count; i++)
      tutti_xpush(ranks, (struct choice){.value.integer = values[i]});
  }
  free(values);
  return status;
}

static void free_axes(struct axes *axes)
{
  for (int f = 0; f < axes->count; f++)
    tutti_vector_free(&axes->items[f]);
}

/* ---- the product ---- */

static size_t count_points(const struct axes *axes)
{
  size_t points = 1;
  for (int f = 0; f < axes->count; f++)
    points = points * axes->items[f].count > MAX_RESULTS ? MAX_RESULTS + 1 : points * axes->items[f].count;
  return points;
}

/* Point number @p index of the product. */
static void fill_in(const struct axes *axes, size_t index, tutti_result *result)
{
  bool shares[TUTTI_RESULT_FIELDS];
  for (int f = axes->count - 1; f >= 0; f--) {
    const struct axis *axis = &axes->items[f];
    const struct choice *choice = &axis->items[index % axis->count];
    index /= axis->count;
    result->values[f] = choice->value;
    shares[f] = choice->share;
  }
  for (int f = 0; f < axes->count; f++)
    if (!tutti_row_applies(axes->kind, axes->columns[f], result))
      tutti_result_set_word(result, f, "-");
    else if (shares[f])
      result->values[f].integer = result->values[axes->ranks].integer / result->values[f].integer;
}

static tutti_status multiply(const struct axes *axes, tutti_result_kind kind, int ranks_per_node,
                             tutti_result_sweep *sweep, tutti_error *error)
{
  size_t points = count_points(axes);
  if (points > MAX_RESULTS)
    return tutti_xml_fail(axes->file, axes->node, error, "more than %d points in one <%s>", MAX_RESULTS,
                          tutti_experiment_result_element(axes->kind));
  sweep->points = tutti_xcalloc(points, sizeof *sweep->points);
  tutti_error reason;
  for (size_t i = 0; i < points; i++) {
    sweep->points[i] = (tutti_result){.kind = kind, .ranks_per_node = ranks_per_node};
    fill_in(axes, i, &sweep->points[i]);
    if (tutti_result_check_words(&sweep->points[i], &reason) != TUTTI_OK)
      return tutti_xml_fail(axes->file, axes->node, error, "%.400s", reason.message);
  }
  sweep->point_count = points;
  return TUTTI_OK;
}

tutti_status tutti_experiment_read_result(const xml_file *file, const xmlNode *node, tutti_result_kind kind,
                                          const struct experiment_machine *machine, tutti_result_sweep *sweep,
                                          tutti_error *error)
{
  struct axes axes = {.file = file, .node = node, .kind = tutti_kind_of_result(kind)};
  tutti_status status = read_axes(kind, &axes, error);
  if (status == TUTTI_OK)
    status = check_sizes(&axes, error);
  if (status == TUTTI_OK)
    status = resolve_ranks(&axes, machine, error);
  if (status == TUTTI_OK)
    status = multiply(&axes, kind, machine->ranks_per_node, sweep, error);
  free_axes(&axes);
  return status;
}
