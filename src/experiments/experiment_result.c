/* <sort>, <range>: the product of the lists in their attributes, which are the keys of a kind of result. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "experiments/experiment_private.h"

/* Nobody waits for as many; a result takes 0.8 KB. */
enum { MAX_RESULTS = 1 << 17 };

/* One key: its values, of which a number of processes or a part of it is resolved when the number is known. */
struct axis {
  tutti_value *values; /* owned */
  bool *shares;        /* owned; the value is a divisor of the number of processes */
  int count;
};

struct axes {
  const xml_file *file;
  const xmlNode *node;
  const tutti_result_layout *layout;
  struct axis items[TUTTI_RESULT_FIELDS];
  int count;
};

/* ---- an axis ---- */

static tutti_status append(struct axis *axis, const tutti_value *value, bool share, tutti_error *error)
{
  tutti_value *values = reallocarray(axis->values, (size_t)axis->count + 1, sizeof *values);
  axis->values = values ? values : axis->values;
  bool *shares = reallocarray(axis->shares, (size_t)axis->count + 1, sizeof *shares);
  axis->shares = shares ? shares : axis->shares;
  if (!values || !shares)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory");
  axis->values[axis->count] = *value;
  axis->shares[axis->count++] = share;
  return TUTTI_OK;
}

/* "ranks", "ranks/K"; 0: neither. */
static uint64_t share_of(const char *word)
{
  char *end;
  if (strcmp(word, "ranks") == 0)
    return 1;
  if (strncmp(word, "ranks/", strlen("ranks/")) != 0 || word[strlen("ranks/")] < '1' || word[strlen("ranks/")] > '9')
    return 0;
  uint64_t share = strtoull(word + strlen("ranks/"), &end, 10);
  return *end == '\0' && share <= INT_MAX ? share : 0;
}

static tutti_status parse_whole(const char *text, uint64_t *value, tutti_error *error)
{
  char *end;
  errno = 0;
  *value = strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || errno || *value > INT64_MAX)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s' is not a whole number", text);
  return TUTTI_OK;
}

/* A number, or FROM..TO*FACTOR. */
static tutti_status append_numbers(const tutti_field *field, const char *text, struct axis *axis, tutti_error *error)
{
  uint64_t *numbers;
  int count;
  tutti_status status = tutti_experiment_parse_list(text, parse_whole, &numbers, &count, error);
  for (int i = 0; i < count && status == TUTTI_OK; i++) {
    tutti_value value = {.whole = numbers[i]};
    status = append(axis, &value, false, error);
    if (status == TUTTI_OK && (numbers[i] < field->least || numbers[i] > field->most))
      status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%llu is not from %llu to %llu", (unsigned long long)numbers[i],
                          (unsigned long long)field->least, (unsigned long long)field->most);
  }
  free(numbers);
  return status;
}

static tutti_status append_word(tutti_result_kind kind, int field, const char *word, struct axis *axis,
                                tutti_error *error)
{
  const tutti_result_layout *layout = tutti_result_layout_of(kind);
  tutti_value share = {.whole = share_of(word)};
  if (layout->fields[field].type == TUTTI_FIELD_WORD) {
    tutti_result result = {.kind = kind};
    tutti_status status = tutti_result_parse_value(&result, field, word, error);
    return status == TUTTI_OK ? append(axis, &result.values[field], false, error) : status;
  }
  if (share.whole > 0 && field != layout->ranks)
    return append(axis, &share, true, error);
  return append_numbers(&layout->fields[field], word, axis, error);
}

static tutti_status parse_axis(tutti_result_kind kind, int field, const char *text, struct axis *axis,
                               tutti_error *error)
{
  static const char blanks[] = " \t\r\n";
  char *copy = strdup(text), *state = NULL;
  tutti_status status = copy ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory");
  for (char *word = copy ? strtok_r(copy, blanks, &state) : NULL; word && status == TUTTI_OK;
       word = strtok_r(NULL, blanks, &state))
    status = append_word(kind, field, word, axis, error);
  free(copy);
  if (status == TUTTI_OK && axis->count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the list is empty");
  return status;
}

/* ---- all of them ---- */

static tutti_status read_axes(tutti_result_kind kind, struct axes *axes, tutti_error *error)
{
  const tutti_result_layout *layout = axes->layout;
  tutti_error reason;
  for (int f = 0; f < layout->field_count && layout->fields[f].key; f++) {
    const char *name = layout->fields[f].name, *text = tutti_xml_attribute(axes->node, name);
    const char *usual = layout->fields[f].usual;
    if (!text && !usual)
      return tutti_xml_fail(axes->file, axes->node, error, "<%s> lacks its attribute '%s'",
                            tutti_experiment_result_element(layout), name);
    axes->count++;
    if (parse_axis(kind, f, text ? text : usual, &axes->items[f], &reason) != TUTTI_OK)
      return tutti_xml_fail(axes->file, axes->node, error, "%s=\"%s\": %.300s", name, text ? text : usual,
                            reason.message);
  }
  return TUTTI_OK;
}

static int ascending(const void *left, const void *right)
{
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

/* The numbers of ranks of the file, or of the setting, as a list of their own. */
static void list_ranks(const struct axis *ranks, const tutti_experiment_setting *setting, uint64_t **values, int *count)
{
  if (setting && setting->ranks_count > 0) {
    tutti_experiment_copy_list(setting->ranks, setting->ranks_count, values, count);
    return;
  }
  *values = tutti_xmalloc((size_t)ranks->count * sizeof **values);
  for (int i = 0; i < ranks->count; i++)
    (*values)[i] = ranks->values[i].whole;
  qsort(*values, (size_t)ranks->count, sizeof **values, ascending);
  *count = ranks->count;
}

static uint64_t largest(const struct axis *axis)
{
  uint64_t most = 0;
  for (int i = 0; i < axis->count; i++)
    most = axis->values[i].whole > most ? axis->values[i].whole : most;
  return most;
}

/* A number that no number of processes is large enough for is a mistake; where only some are not, those points are
 * passed over. */
static tutti_status check_sizes(const struct axes *axes, tutti_error *error)
{
  const tutti_result_layout *layout = axes->layout;
  uint64_t most = largest(&axes->items[layout->ranks]);
  for (int p = 0; p < layout->pair_count; p++) {
    int field = layout->pairs[p][0];
    if (layout->pairs[p][1] != layout->ranks)
      continue;
    for (int i = 0; i < axes->items[field].count; i++)
      if (!axes->items[field].shares[i] && axes->items[field].values[i].whole > most)
        return tutti_xml_fail(axes->file, axes->node, error, "%s=\"%llu\": there are %llu ranks at most",
                              layout->fields[field].name, (unsigned long long)axes->items[field].values[i].whole,
                              (unsigned long long)most);
  }
  return TUTTI_OK;
}

static tutti_status put_ranks(struct axis *ranks, const uint64_t *values, int count, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  ranks->count = 0;
  for (int i = 0; i < count && status == TUTTI_OK; i++) {
    tutti_value value = {.whole = values[i]};
    status = append(ranks, &value, false, error);
  }
  return status;
}

static tutti_status settle_ranks(struct axes *axes, const struct experiment_machine *machine, tutti_error *error)
{
  struct axis *ranks = &axes->items[axes->layout->ranks];
  uint64_t *values;
  int count;
  list_ranks(ranks, machine->setting, &values, &count);
  tutti_status status = tutti_experiment_check_room(axes->file, axes->node, machine, values, &count, error);
  if (status == TUTTI_OK && machine->setting)
    status = put_ranks(ranks, values, count, error);
  free(values);
  return status;
}

static void free_axes(struct axes *axes)
{
  for (int f = 0; f < axes->count; f++) {
    free(axes->items[f].values);
    free(axes->items[f].shares);
  }
}

/* ---- the product ---- */

static size_t count_points(const struct axes *axes)
{
  size_t points = 1;
  for (int f = 0; f < axes->count; f++)
    points =
        points * (size_t)axes->items[f].count > MAX_RESULTS ? MAX_RESULTS + 1 : points * (size_t)axes->items[f].count;
  return points;
}

/* Point number @p index of the product. */
static void fill_in(const struct axes *axes, size_t index, tutti_result *result)
{
  bool shares[TUTTI_RESULT_FIELDS];
  for (int f = axes->count - 1; f >= 0; f--) {
    const struct axis *axis = &axes->items[f];
    size_t choice = index % (size_t)axis->count;
    index /= (size_t)axis->count;
    result->values[f] = axis->values[choice];
    shares[f] = axis->shares[choice];
  }
  for (int f = 0; f < axes->count; f++)
    if (!tutti_result_applies(result, f))
      tutti_result_set_word(result, f, "-");
    else if (shares[f])
      result->values[f].whole = result->values[axes->layout->ranks].whole / result->values[f].whole;
}

static tutti_status multiply(const struct axes *axes, tutti_result_kind kind, int ranks_per_node,
                             tutti_result_sweep *sweep, tutti_error *error)
{
  size_t points = count_points(axes);
  if (points > MAX_RESULTS)
    return tutti_xml_fail(axes->file, axes->node, error, "more than %d points in one <%s>", MAX_RESULTS,
                          tutti_experiment_result_element(axes->layout));
  sweep->points = calloc(points, sizeof *sweep->points);
  if (!sweep->points)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory for %zu points", axes->file->path, points);
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
  struct axes axes = {.file = file, .node = node, .layout = tutti_result_layout_of(kind)};
  tutti_status status = read_axes(kind, &axes, error);
  if (status == TUTTI_OK)
    status = check_sizes(&axes, error);
  if (status == TUTTI_OK)
    status = settle_ranks(&axes, machine, error);
  if (status == TUTTI_OK)
    status = multiply(&axes, kind, machine->ranks_per_node, sweep, error);
  free_axes(&axes);
  return status;
}
