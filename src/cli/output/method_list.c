
#include "cli/output/output.h"

enum { FEW = 3 };

struct names {
  TUTTI_VECTOR(const char *); /* "bcast/ring", not terminated: ends with its line */
};

static struct names split(const char *list)
{
  struct names names = {.count = 0};
  for (; list && *list; list = strchr(list, '\n') + 1)
    tutti_xpush(&names, list);
  return names;
}

static bool is_of(const char *name, const char *other)
{
  const size_t length = strcspn(other, "/") + 1;
  return strncmp(name, other, length) == 0;
}

/* Those of the collective of the name with that index; nothing if one before it has had them. */
static void print_collective(int indent, const struct names *names, size_t first, bool all)
{
  struct tutti_text_stream text;
  const char *own = names->items[first];
  size_t count = 0;
  for (size_t i = 0; i < first; i++)
    if (is_of(names->items[i], own))
      return;
  tutti_xopen_text(&text);
  fprintf(text.stream, "%.*s:", (int)strcspn(own, "/"), own);
  for (size_t i = first; i < names->count; i++) {
    const char *name = strchr(names->items[i], '/') + 1;
    if (is_of(names->items[i], own) && (count++ < FEW || all))
      fprintf(text.stream, "%s%.*s", count > 1 ? ", " : " ", (int)strcspn(name, "\n"), name);
  }
  if (count > FEW && !all)
    fprintf(text.stream, ", and %zu more", count - FEW);
  print_stream(indent, &text);
}

void print_method_list(int indent, const char *list, bool all)
{
  struct names names = split(list);
  for (size_t i = 0; i < names.count; i++)
    print_collective(indent, &names, i, all);
  tutti_vector_free(&names);
}
