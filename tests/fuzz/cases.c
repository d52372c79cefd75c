/* Tables of cases: what was read is written, and reads back the same. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kinds.h"
#include "tutti/classifier.h"

static bool same_names(char *const *names, char *const *others, int count)
{
  for (int i = 0; i < count; i++)
    if (strcmp(names[i], others[i]) != 0)
      return false;
  return true;
}

static bool same_attribute(const tutti_attribute *one, const tutti_attribute *other)
{
  return strcmp(one->name, other->name) == 0 && one->value_count == other->value_count &&
         one->ignored == other->ignored && same_names(one->values, other->values, one->value_count);
}

static bool same_column(const double *one, const double *other, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (one[i] != other[i] && !(isnan(one[i]) && isnan(other[i])))
      return false;
  return true;
}

static void compare(const fuzz_trial *trial, const tutti_cases *one, const tutti_cases *other)
{
  if (one->attribute_count != other->attribute_count || one->count != other->count ||
      one->class_count != other->class_count)
    fuzz_fail(trial, "written and read back, there are %d instead of %d attributes, %zu instead of %zu cases",
              other->attribute_count, one->attribute_count, other->count, one->count);
  if (!same_names(one->classes, other->classes, one->class_count))
    fuzz_fail(trial, "written and read back, the classes differ");
  for (int a = 0; a < one->attribute_count; a++)
    if (!same_attribute(&one->attributes[a], &other->attributes[a]) ||
        !same_column(one->values[a], other->values[a], one->count))
      fuzz_fail(trial, "written and read back, attribute '%.40s' differs", one->attributes[a].name);
  if (one->count > 0 && memcmp(one->labels, other->labels, one->count * sizeof *one->labels) != 0)
    fuzz_fail(trial, "written and read back, the labels differ");
}

/* Values and labels are what the table says they can be. */
static void check(const fuzz_trial *trial, const tutti_cases *cases)
{
  for (size_t i = 0; i < cases->count; i++)
    if (cases->labels[i] < 0 || cases->labels[i] >= cases->class_count)
      fuzz_fail(trial, "case %zu has label %d of %d", i, cases->labels[i], cases->class_count);
  for (int a = 0; a < cases->attribute_count; a++)
    for (size_t i = 0; i < cases->count && cases->attributes[a].value_count > 0; i++)
      if (!isnan(cases->values[a][i]) &&
          !(cases->values[a][i] >= 0 && cases->values[a][i] < cases->attributes[a].value_count))
        fuzz_fail(trial, "case %zu has value %g of %d", i, cases->values[a][i], cases->attributes[a].value_count);
}

typedef tutti_status reader(const char *path, tutti_cases *cases, tutti_error *error);
typedef tutti_status writer(const tutti_cases *cases, const char *path, tutti_error *error);

static void write_back(const fuzz_trial *trial, const tutti_cases *cases, writer *write, reader *read, const char *name)
{
  tutti_cases again;
  tutti_error error = {0};
  char *path = fuzz_path(trial, name);
  fuzz_good(trial, "writing", write(cases, path, &error), &error);
  fuzz_good(trial, "reading back", read(path, &again, &error), &error);
  compare(trial, cases, &again);
  tutti_cases_free(&again);
  free(path);
}

bool fuzz_feed_arff(const fuzz_trial *trial)
{
  tutti_cases cases;
  tutti_error error = {0};
  char *path = fuzz_file(trial, "input.arff", trial->text->bytes, trial->text->length);
  bool taken = fuzz_taken(trial, tutti_cases_read(path, &cases, &error), &error, path);
  if (taken) {
    check(trial, &cases);
    write_back(trial, &cases, tutti_cases_write_arff, tutti_cases_read_arff, "back.arff");
    tutti_cases_free(&cases);
  }
  free(path);
  return taken;
}

/* Names and data are parted by a line. */
bool fuzz_feed_c45(const fuzz_trial *trial)
{
  static const char part[] = "---- data\n";
  tutti_cases cases;
  tutti_error error = {0};
  const fuzz_text *text = trial->text;
  const char *end = text->bytes + text->length, *found = memmem(text->bytes, text->length, part, sizeof part - 1);
  const char *data = found ? found + sizeof part - 1 : end;
  char *names_path = fuzz_file(trial, "input.names", text->bytes, (size_t)((found ? found : end) - text->bytes));
  char *data_path = fuzz_file(trial, "input.data", data, (size_t)(end - data)), *stem = fuzz_path(trial, "input");
  bool taken = fuzz_taken(trial, tutti_cases_read(names_path, &cases, &error), &error, stem);
  if (taken) {
    check(trial, &cases);
    write_back(trial, &cases, tutti_cases_write_c45, tutti_cases_read_c45, "back");
    tutti_cases_free(&cases);
  }
  free(names_path);
  free(data_path);
  free(stem);
  return taken;
}
