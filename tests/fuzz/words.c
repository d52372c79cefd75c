/* Small texts in memory: expressions, methods, records and points files. */
#include "harness/measure/bench/bench_points.h"
#include "kinds.h"
#include "tutti/decision_tree.h"
#include "tutti/record.h"

bool fuzz_feed_expression(const fuzz_trial *trial)
{
  tutti_expression *expression;
  tutti_error error = {0};
  char *code = NULL;
  size_t length = 0;
  if (!fuzz_taken(trial, tutti_expression_parse(trial->text->bytes, &expression, &error), &error, NULL))
    return false;
  tutti_expression_kind kind = tutti_expression_kind_of(expression);
  for (int ranks = 1; ranks < 1 << 20; ranks *= 3) {
    double value = tutti_expression_value(
        expression, &(tutti_question){TUTTI_COLL_SCAN, ranks, ranks % 4, (uint64_t)ranks * (uint64_t)ranks});
    if (kind == TUTTI_EXPRESSION_BOOLEAN && !isnan(value) && value != 0 && value != 1)
      fuzz_fail(trial, "a truth of %g", value);
  }
  FILE *stream = open_memstream(&code, &length);
  if (kind != TUTTI_EXPRESSION_COLLECTIVE && !tutti_expression_print_c(expression, stream))
    fuzz_fail(trial, "cannot be written as C");
  fclose(stream);
  free(code);
  free(expression);
  return true;
}

bool fuzz_feed_method(const fuzz_trial *trial)
{
  tutti_method method, again;
  tutti_error error = {0};
  char text[TUTTI_METHOD_LENGTH];
  if (!fuzz_taken(trial, tutti_method_parse(trial->text->bytes, &method, &error), &error, NULL))
    return false;
  tutti_method_format(&method, text);
  fuzz_good(trial, "reading back", tutti_method_parse(text, &again, &error), &error);
  if (tutti_method_compare(&method, &again) != 0)
    fuzz_fail(trial, "written and read back, %s is another method", text);
  return true;
}

static char *print(const tutti_record *record)
{
  char *text = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&text, &length);
  if (!stream)
    abort();
  tutti_record_print(stream, record);
  fclose(stream);
  text[strcspn(text, "\n")] = '\0';
  return text;
}

/* Twelve digits of a number that is printed read back as the same twelve. */
bool fuzz_feed_record(const fuzz_trial *trial)
{
  tutti_record record, again;
  tutti_error error = {0};
  if (!fuzz_taken(trial, tutti_record_parse(trial->text->bytes, &record, &error), &error, NULL) ||
      record.kind == TUTTI_RECORD_NONE)
    return false;
  char *once = print(&record);
  fuzz_good(trial, "reading back", tutti_record_parse(once, &again, &error), &error);
  char *twice = print(&again);
  if (strcmp(once, twice) != 0)
    fuzz_fail(trial, "written, read and written, the record differs: %s", twice);
  free(once);
  free(twice);
  return true;
}

bool fuzz_feed_points(const fuzz_trial *trial)
{
  struct points points;
  tutti_error error = {0};
  char *copy = strdup(trial->text->bytes);
  if (!copy)
    abort();
  bool taken =
      fuzz_taken(trial, tutti_points_parse(&tutti_bench_points, copy, "points", 4, &points, &error), &error, "points");
  const struct point *items = taken ? points.items : NULL;
  for (size_t i = 0; taken && i < points.count; i++)
    if (!items[i].method.algorithm || items[i].type_size == 0)
      fuzz_fail(trial, "point %zu is not whole", i);
  if (taken)
    tutti_points_free(&points);
  free(copy);
  return taken;
}
