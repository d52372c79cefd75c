/* Lines of baselines: their keys, and the order of these. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "regression/baseline_entry.h"

const char *tutti_baseline_kind_word(tutti_baseline_kind kind)
{
  static const char *const words[TUTTI_BASELINE_KINDS] = {
      [TUTTI_BASELINE_GROUP] = "group",
      [TUTTI_BASELINE_SORT] = "sort",
      [TUTTI_BASELINE_RANGE] = "range",
      [TUTTI_BASELINE_DECISION] = "decision",
  };
  return words[kind];
}

void tutti_baseline_entry_free(tutti_baseline_entry *entry)
{
  free(entry->key);
  free(entry->comment);
  free(entry->decision);
}

void tutti_baseline_entry_begin(tutti_baseline_entry *entry, tutti_baseline_kind kind)
{
  *entry = (tutti_baseline_entry){.kind = kind};
  for (int m = 0; m < TUTTI_METRICS; m++)
    entry->values[m] = NAN;
}

static bool finish(tutti_baseline_entry *entry, const char *key)
{
  entry->key = strdup(key);
  return entry->key != NULL;
}

/* ---- keys ---- */

bool tutti_baseline_has_size(tutti_collective collective)
{
  return collective != TUTTI_COLL_BARRIER;
}

bool tutti_baseline_has_root(tutti_collective collective)
{
  return tutti_collective_traits(collective) & TUTTI_HAS_ROOT;
}

bool tutti_baseline_finish_collective(tutti_baseline_entry *entry)
{
  char key[KEY_LENGTH], method[TUTTI_METHOD_LENGTH], size[24];
  entry->collective = entry->method.algorithm->collective;
  int length = snprintf(key, sizeof key, "%s ranks=%d", tutti_method_format(&entry->method, method), entry->ranks);
  if (tutti_baseline_has_root(entry->collective))
    length += snprintf(key + length, sizeof key - (size_t)length, " root=%d", entry->root);
  if (tutti_baseline_has_size(entry->collective))
    snprintf(key + length, sizeof key - (size_t)length, " bytes=%s", tutti_size_format(entry->bytes, size));
  return finish(entry, key);
}

bool tutti_baseline_finish_words(tutti_baseline_entry *entry, const char *point, int ranks)
{
  char key[KEY_LENGTH];
  int first = (int)strcspn(point, " ");
  snprintf(key, sizeof key, "%s %.*s ranks=%d%s", tutti_baseline_kind_word(entry->kind), first, point, ranks,
           point + first);
  return finish(entry, key);
}

bool tutti_baseline_entry_of_point(const tutti_point *point, tutti_baseline_entry *entry)
{
  char text[TUTTI_RESULT_POINT_LENGTH];
  if (point->result) {
    tutti_baseline_entry_begin(entry,
                               point->result->kind == TUTTI_RESULT_SORT ? TUTTI_BASELINE_SORT : TUTTI_BASELINE_RANGE);
    return tutti_baseline_finish_words(entry, tutti_result_format_point(point->result, text), point->ranks);
  }
  if (point->build.builder) {
    tutti_baseline_entry_begin(entry, TUTTI_BASELINE_GROUP);
    return tutti_baseline_finish_words(entry, tutti_group_point_format(&point->build, text), point->ranks);
  }
  tutti_baseline_entry_begin(entry, TUTTI_BASELINE_COLLECTIVE);
  entry->method = point->method;
  entry->ranks = point->ranks;
  entry->root = point->root;
  entry->bytes = point->count * point->type_size;
  return tutti_baseline_finish_collective(entry);
}

bool tutti_baseline_entry_of_decision(const char *name, tutti_collective collective, tutti_baseline_entry *entry)
{
  tutti_baseline_entry_begin(entry, TUTTI_BASELINE_DECISION);
  entry->collective = collective;
  entry->decision = strdup(name);
  return entry->decision && asprintf(&entry->key, "%s %s collective=%s", tutti_baseline_kind_word(entry->kind), name,
                                     tutti_collective_name(collective)) >= 0;
}

/* ---- order ---- */

int tutti_baseline_entry_compare(const void *left, const void *right)
{
  const tutti_baseline_entry *a = left, *b = right;
  if (a->kind != b->kind)
    return a->kind < b->kind ? -1 : 1;
  if (a->kind != TUTTI_BASELINE_COLLECTIVE)
    return strverscmp(a->key, b->key);
  int order = tutti_method_compare(&a->method, &b->method);
  if (order == 0)
    order = (a->ranks > b->ranks) - (a->ranks < b->ranks);
  if (order == 0)
    order = (a->bytes > b->bytes) - (a->bytes < b->bytes);
  return order ? order : (a->root > b->root) - (a->root < b->root);
}
