#include "base/index.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct index_entry {
  size_t number;
  char name[];
};

/* The searched name is not an entry: it comes first. */
static int compare(const void *name, const void *entry)
{
  return strcmp(name, ((const struct index_entry *)entry)->name);
}

static int compare_entries(const void *left, const void *right)
{
  return compare(((const struct index_entry *)left)->name, right);
}

size_t *tutti_index_number(void **index, const char *name)
{
  struct index_entry **found = tfind(name, index, compare);
  if (found)
    return &(*found)->number;
  const size_t bytes = strlen(name) + 1;
  struct index_entry *entry = tutti_xmalloc(sizeof *entry + bytes);
  entry->number = 0;
  memcpy(entry->name, name, bytes);
  if (!tsearch(entry, index, compare_entries))
    tutti_out_of_memory();
  return &entry->number;
}

size_t tutti_index_find(void *const *index, const char *name)
{
  struct index_entry **found = tfind(name, index, compare);
  return found ? (*found)->number : 0;
}

struct index_search {
  size_t number;
  const char *name;
};

static void look_at(const void *entry, VISIT visit, void *closure)
{
  const struct index_entry *each = *(const struct index_entry *const *)entry;
  struct index_search *search = closure;
  if (each->number == search->number && (visit == preorder || visit == leaf))
    search->name = each->name;
}

const char *tutti_index_name(void *const *index, size_t number)
{
  struct index_search search = {number, NULL};
  twalk_r(*index, look_at, &search);
  return search.name;
}

void tutti_index_free(void **index)
{
  tdestroy(*index, free);
  *index = NULL;
}
