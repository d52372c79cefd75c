/* Lists of names and of attributes, and an index of them. */
#include "base/numbers.h"
#include "decision/cases/cases.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists ---- */

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

/* ---- the index ---- */

void tutti_names_index_free(names_index *index)
{
  free(index->slots);
  *index = (names_index){.slots = NULL};
}

/* FNV-1a (Fowler, Noll, Vo) over the number of the list and the name. */
static size_t hash(int list, const char *name)
{
  uint64_t value = (UINT64_C(14695981039346656037) ^ (uint32_t)list) * UINT64_C(1099511628211);
  for (; *name; name++)
    value = (value ^ (unsigned char)*name) * UINT64_C(1099511628211);
  return (size_t)(value ^ (value >> 32));
}

/* The slot of a name, or the free one where it would be. */
static names_slot *probe(const names_index *index, int list, const char *name)
{
  size_t at = hash(list, name) & (index->room - 1);
  while (index->slots[at].name && (index->slots[at].list != list || strcmp(index->slots[at].name, name) != 0))
    at = (at + 1) & (index->room - 1);
  return &index->slots[at];
}

int tutti_names_index_find(const names_index *index, int list, const char *name)
{
  const names_slot *slot = index->room > 0 ? probe(index, list, name) : NULL;
  return slot && slot->name ? slot->index : -1;
}

static bool grow_index(names_index *index)
{
  names_index larger = {.count = index->count, .room = index->room ? 2 * index->room : 64};
  larger.slots = calloc(larger.room, sizeof *larger.slots);
  if (!larger.slots)
    return false;
  for (size_t i = 0; i < index->room; i++)
    if (index->slots[i].name)
      *probe(&larger, index->slots[i].list, index->slots[i].name) = index->slots[i];
  free(index->slots);
  *index = larger;
  return true;
}

bool tutti_names_index_add(names_index *index, int list, const char *name, int at)
{
  if (2 * index->count >= index->room && !grow_index(index))
    return false;
  names_slot *slot = probe(index, list, name);
  if (slot->name)
    return true;
  *slot = (names_slot){name, list, at};
  index->count++;
  return true;
}

bool tutti_names_index_add_list(names_index *index, int list, char *const *names, int count)
{
  for (int i = 0; i < count; i++)
    if (!tutti_names_index_add(index, list, names[i], i))
      return false;
  return true;
}

bool tutti_names_index_add_attributes(names_index *index, const tutti_attribute *attributes, int count)
{
  for (int a = 0; a < count; a++)
    if (!tutti_names_index_add(index, NAMES_OF_ATTRIBUTES, attributes[a].name, a) ||
        !tutti_names_index_add_list(index, a, attributes[a].values, attributes[a].value_count))
      return false;
  return true;
}
