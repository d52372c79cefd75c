/* The readers of STEM.names and STEM.data (Quinlan 1993, and the manual page of c4.5). */
#include <stdlib.h>
#include <string.h>

#include "decision/cases/table.h"

/* ---- names ---- */

static tutti_status read_classes(c45_names_file *file, tutti_cases *cases)
{
  tutti_status status;
  do {
    status = tutti_c45_next_name(file);
    if (status == TUTTI_OK)
      status = tutti_cases_add_class(&file->place, &cases->classes, &cases->class_count, file->name);
  } while (status == TUTTI_OK && file->ended_by == ',');
  if (status == TUTTI_OK && file->ended_by == ':')
    return tutti_cases_fault(&file->place, "the list of classes ends with ':'");
  return status;
}

/* "discrete N": values as they come, N at most. The limit is kept as their number until the data is read. */
static tutti_status read_discrete(c45_names_file *file, tutti_attribute *attribute, int *most)
{
  double number;
  const char *text = file->name + strlen("discrete");
  if (!tutti_cases_parse_number(text + strspn(text, " "), &number) || number < 1 || number > 1e6)
    return tutti_cases_fault(&file->place, "attribute '%.80s': 'discrete' is followed by the number of values",
                             attribute->name);
  *most = (int)number;
  return TUTTI_OK;
}

/* A single word may say what kind of attribute it is, unless a character of it is escaped. */
static tutti_status read_kind(c45_names_file *file, tutti_cases *cases, int index, int *most)
{
  tutti_attribute *attribute = &cases->attributes[index];
  if (!file->escaped && strcmp(file->name, "continuous") == 0)
    return TUTTI_OK;
  if (!file->escaped && strcmp(file->name, "ignore") == 0) {
    attribute->ignored = true;
    return TUTTI_OK;
  }
  if (!file->escaped && (strncmp(file->name, "discrete ", 9) == 0 || strcmp(file->name, "discrete") == 0))
    return read_discrete(file, attribute, most);
  return tutti_cases_add_value(&file->place, cases, index, file->name);
}

static tutti_status read_values(c45_names_file *file, tutti_cases *cases, int index, int *most)
{
  tutti_status status = tutti_c45_next_name(file);
  if (status == TUTTI_OK && file->ended_by != ',')
    status = read_kind(file, cases, index, most);
  else if (status == TUTTI_OK)
    status = tutti_cases_add_value(&file->place, cases, index, file->name);
  while (status == TUTTI_OK && file->ended_by == ',') {
    status = tutti_c45_next_name(file);
    if (status == TUTTI_OK)
      status = tutti_cases_add_value(&file->place, cases, index, file->name);
  }
  if (status == TUTTI_OK && file->ended_by == ':')
    return tutti_cases_fault(&file->place, "attribute '%.80s': its values end with ':'", cases->attributes[index].name);
  return status;
}

static tutti_status read_attribute(c45_names_file *file, tutti_cases *cases, int **most)
{
  if (file->ended_by != ':')
    return tutti_cases_fault(&file->place, "attribute '%.80s' is not followed by ':'", file->name);
  tutti_status status = tutti_cases_add_attribute(&file->place, cases, file->name);
  if (status != TUTTI_OK)
    return status;
  int index = cases->attribute_count - 1;
  if ((index & (index - 1)) == 0) { /* a power of two, or 0: the room doubles */
    int *grown = reallocarray(*most, 2 * (size_t)index + 1, sizeof *grown);
    if (!grown)
      return tutti_cases_no_memory(&file->place);
    *most = grown;
  }
  (*most)[index] = 0;
  return read_values(file, cases, index, &(*most)[index]);
}

static tutti_status read_names(c45_names_file *file, tutti_cases *cases, int **most)
{
  tutti_status status = read_classes(file, cases);
  while (status == TUTTI_OK) {
    status = tutti_c45_next_name(file);
    if (status != TUTTI_OK || (file->ended_by == EOF && !*file->name))
      break;
    status = read_attribute(file, cases, most);
  }
  return status;
}

/* ---- data ---- */

/* A value that is not known yet, of an attribute that takes them as they come. */
static tutti_status add_value(c45_names_file *file, tutti_cases *cases, int index, int most)
{
  const tutti_attribute *attribute = &cases->attributes[index];
  if (tutti_names_index_find(file->place.names, index, file->name) >= 0)
    return TUTTI_OK;
  if (attribute->value_count == most)
    return tutti_cases_fault(&file->place, "attribute '%.80s': '%.80s' is one value more than the %d announced",
                             attribute->name, file->name, most);
  return tutti_cases_add_value(&file->place, cases, index, file->name);
}

static tutti_status read_value(c45_names_file *file, tutti_cases *cases, int attribute, int most)
{
  const tutti_attribute *a = &cases->attributes[attribute];
  if (file->ended_by != ',')
    return tutti_cases_fault(&file->place, "attribute '%.80s' is not followed by ','", a->name);
  if (a->ignored || (!file->escaped && strcmp(file->name, "?") == 0))
    return TUTTI_OK;
  tutti_status status = most > 0 ? add_value(file, cases, attribute, most) : TUTTI_OK;
  return status == TUTTI_OK ? tutti_cases_set_value(&file->place, cases, attribute, file->name) : status;
}

/* A case whose first name has been read. */
static tutti_status read_case(c45_names_file *file, cases_table *table, const int *most)
{
  tutti_cases *cases = table->cases;
  tutti_status status = tutti_cases_add_row(&file->place, table);
  for (int a = 0; a < cases->attribute_count && status == TUTTI_OK; a++) {
    status = read_value(file, cases, a, most ? most[a] : 0);
    if (status == TUTTI_OK)
      status = tutti_c45_next_name(file);
  }
  if (status == TUTTI_OK && (file->ended_by == ',' || file->ended_by == ':'))
    return tutti_cases_fault(&file->place, "something follows the class '%.80s'", file->name);
  return status == TUTTI_OK ? tutti_cases_set_label(&file->place, cases, file->name) : status;
}

static tutti_status read_cases(c45_names_file *file, tutti_cases *cases, const int *most)
{
  cases_table table = {.cases = cases};
  tutti_status status;
  while ((status = tutti_c45_next_name(file)) == TUTTI_OK && (file->ended_by != EOF || *file->name)) {
    status = read_case(file, &table, most);
    if (status != TUTTI_OK)
      break;
  }
  return status;
}

static tutti_status read_data(const char *path, tutti_cases *cases, names_index *names, const int *most,
                              tutti_error *error)
{
  c45_names_file file;
  tutti_status status = tutti_c45_names_open(&file, path, names, error);
  if (status == TUTTI_OK)
    status = read_cases(&file, cases, most);
  tutti_c45_names_close(&file);
  return status;
}

/* An attribute that took its values from the data is continuous to us if there was none. */
static void ignore_without_values(tutti_cases *cases, const int *most)
{
  for (int a = 0; a < cases->attribute_count; a++)
    if (most && most[a] > 0 && cases->attributes[a].value_count == 0)
      cases->attributes[a].ignored = true;
}

/* ---- the files ---- */

static char *path_of(const char *stem, const char *ending)
{
  size_t length = strlen(stem);
  char *path = malloc(length + strlen(ending) + 1);
  if (!path)
    return NULL;
  memcpy(path, stem, length + 1);
  char *dot = strrchr(path, '.');
  if (dot && (strcmp(dot, ".names") == 0 || strcmp(dot, ".data") == 0))
    *dot = '\0';
  return strcat(path, ending);
}

static tutti_status read_both(const char *names_path, const char *data_path, tutti_cases *cases, tutti_error *error)
{
  names_index names = {.slots = NULL};
  c45_names_file file;
  int *most = NULL;
  tutti_status status = tutti_c45_names_open(&file, names_path, &names, error);
  if (status == TUTTI_OK)
    status = read_names(&file, cases, &most);
  tutti_c45_names_close(&file);
  if (status == TUTTI_OK)
    status = read_data(data_path, cases, &names, most, error);
  if (status == TUTTI_OK)
    ignore_without_values(cases, most);
  tutti_names_index_free(&names);
  free(most);
  return status;
}

tutti_status tutti_cases_read_c45(const char *stem, tutti_cases *cases, tutti_error *error)
{
  char *names_path = path_of(stem, ".names"), *data_path = path_of(stem, ".data");
  *cases = (tutti_cases){.name = path_of(stem, "")};
  tutti_status status = names_path && data_path && cases->name
                            ? read_both(names_path, data_path, cases, error)
                            : tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", stem);
  free(names_path);
  free(data_path);
  if (status != TUTTI_OK)
    tutti_cases_free(cases);
  return status;
}

tutti_status tutti_cases_read_data(const char *path, const tutti_cases *names, tutti_cases *cases, tutti_error *error)
{
  names_index index = {.slots = NULL};
  tutti_status status = tutti_cases_select(names, NULL, 0, cases, error);
  if (status == TUTTI_OK && (!tutti_names_index_add_attributes(&index, cases->attributes, cases->attribute_count) ||
                             !tutti_names_index_add_list(&index, NAMES_OF_CLASSES, cases->classes, cases->class_count)))
    status = tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", path);
  if (status == TUTTI_OK)
    status = read_data(path, cases, &index, NULL, error);
  tutti_names_index_free(&index);
  if (status != TUTTI_OK)
    tutti_cases_free(cases);
  return status;
}

tutti_status tutti_cases_read(const char *path, tutti_cases *cases, tutti_error *error)
{
  size_t length = strlen(path);
  bool arff = length >= 5 && strcmp(path + length - 5, ".arff") == 0;
  return arff ? tutti_cases_read_arff(path, cases, error) : tutti_cases_read_c45(path, cases, error);
}
