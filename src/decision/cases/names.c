/* Lists of names and of attributes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "decision/cases/cases.h"

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
  char **copy = tutti_xcalloc((size_t)count + 1, sizeof *copy);
  for (int i = 0; i < count; i++)
    copy[i] = tutti_xstrdup(names[i]);
  return copy;
}

tutti_attribute *tutti_names_copy_attributes(const tutti_attribute *attributes, int count)
{
  tutti_attribute *copy = tutti_xcalloc((size_t)count + 1, sizeof *copy);
  for (int a = 0; a < count; a++) {
    copy[a] = attributes[a];
    copy[a].name = tutti_xstrdup(attributes[a].name);
    copy[a].values =
        attributes[a].value_count > 0 ? tutti_names_copy(attributes[a].values, attributes[a].value_count) : NULL;
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

void tutti_names_make_room(char ***names, int count)
{
  size_t room = 1;
  while (room < (size_t)count)
    room *= 2;
  *names = tutti_xrealloc(*names, room * sizeof **names);
}

void tutti_names_append(char ***names, int *count, const char *name)
{
  *names = tutti_xroom(*names, (size_t)*count, sizeof **names);
  (*names)[(*count)++] = tutti_xstrdup(name);
}
