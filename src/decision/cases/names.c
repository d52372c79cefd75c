/* Lists of names and of attributes. */
#include "base/numbers.h"
#include "decision/cases/cases.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void tutti_names_free(char **names, int count)
{
  for (int i = 0; names && i < count; i++)
    free(names[i]);
  free(names);
}

void tutti_names_free_attributes(tutti_attribute *attributes, int count)
{
  for (int a = 0; attributes && a < count; a++) {
    free(attributes[a].name);
    tutti_names_free(attributes[a].values, attributes[a].value_count);
  }
  free(attributes);
}

char **tutti_names_copy(char *const *names, int count)
{
  char **copy = calloc((size_t)count + 1, sizeof *copy);
  for (int i = 0; copy && i < count; i++) {
    copy[i] = strdup(names[i]);
    if (!copy[i]) {
      tutti_names_free(copy, i);
      return NULL;
    }
  }
  return copy;
}

static bool copy_attribute(const tutti_attribute *from, tutti_attribute *to)
{
  to->ignored = from->ignored;
  to->name = strdup(from->name);
  if (!to->name || from->value_count == 0)
    return to->name;
  to->values = tutti_names_copy(from->values, from->value_count);
  to->value_count = to->values ? from->value_count : 0;
  return to->values;
}

tutti_attribute *tutti_names_copy_attributes(const tutti_attribute *attributes, int count)
{
  tutti_attribute *copy = calloc((size_t)count + 1, sizeof *copy);
  for (int a = 0; copy && a < count; a++)
    if (!copy_attribute(&attributes[a], &copy[a])) {
      tutti_names_free_attributes(copy, count);
      return NULL;
    }
  return copy;
}

int tutti_names_find(char *const *names, int count, const char *name)
{
  for (int i = 0; i < count; i++)
    if (strcmp(names[i], name) == 0)
      return i;
  return -1;
}

bool tutti_names_make_room(char ***names, int count)
{
  size_t room = 1;
  while (room < (size_t)count)
    room *= 2;
  char **larger = reallocarray(*names, room, sizeof **names);
  if (larger)
    *names = larger;
  return larger;
}

bool tutti_names_append(char ***names, int *count, const char *name)
{
  if ((*count == 0 || tutti_is_power_of_two((uint64_t)*count)) && !tutti_names_make_room(names, *count + 1))
    return false;
  char *copy = strdup(name);
  if (copy)
    (*names)[(*count)++] = copy;
  return copy;
}
