/* Slurm's topology.conf: switches that hold nodes or switches (topology/tree), and blocks of nodes
   (topology/block), of which some in a row are a larger block. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "harness/platforms/platform_private.h"
#include "harness/platforms/wiring_rows.h"

/* ---- lists of names ---- */

enum { MAX_BRACKETS = 4 };

struct expansion {
  wiring_take *take;
  void *context;
  tutti_error *error;
  long count;
  bool good;
};

static tutti_status expand_name(struct expansion *e, const char *name, int depth);

/* Numbers keep their zeros in front. */
static tutti_status expand_range(struct expansion *e, const char *before, const char *range, const char *after,
                                 int depth)
{
  const size_t digits = strspn(range, "0123456789");
  const char *second = range[digits] == '-' ? range + digits + 1 : range;
  const size_t end = strspn(second, "0123456789");
  const long first = digits && digits < 10 ? atol(range) : -1, last = end && end < 10 ? atol(second) : -2;
  tutti_status status = TUTTI_OK;
  e->good = e->good && second[end] == '\0' && first >= 0 && first <= last;
  for (long number = first; e->good && status == TUTTI_OK && number <= last; number++) {
    char *name = tutti_xprintf("%s%0*ld%s", before, (int)digits, number, after);
    status = expand_name(e, name, depth + 1);
    free(name);
  }
  return status;
}

static tutti_status expand_name(struct expansion *e, const char *name, int depth)
{
  const char *open = strchr(name, '['), *close = open ? strchr(open, ']') : NULL;
  if (!open && !strpbrk(name, "]{} \t") && *name) {
    e->good = e->good && ++e->count <= PLATFORM_MAX_HOSTS + 1; /* the taker names one too many */
    return e->good ? e->take(e->context, name, e->error) : TUTTI_OK;
  }
  e->good = e->good && close && depth < MAX_BRACKETS;
  if (!e->good)
    return TUTTI_OK;
  char *before = tutti_xstrndup(name, (size_t)(open - name)),
       *ranges = tutti_xstrndup(open + 1, (size_t)(close - open - 1));
  char *rest = ranges;
  tutti_status status = TUTTI_OK;
  for (char *range; e->good && status == TUTTI_OK && (range = strsep(&rest, ","));)
    status = expand_range(e, before, range, close + 1, depth);
  free(ranges);
  free(before);
  return status;
}

/* The end of a name: a comma outside of brackets. */
static size_t length_of_name(const char *list)
{
  size_t length = 0;
  for (bool inside = false; list[length] && (inside || list[length] != ','); length++)
    inside = list[length] == '[' || (inside && list[length] != ']');
  return length;
}

tutti_status tutti_wiring_expand(const char *list, wiring_take *take, void *context, bool *good, tutti_error *error)
{
  struct expansion e = {.take = take, .context = context, .error = error, .good = true};
  tutti_status status = TUTTI_OK;
  while (e.good && status == TUTTI_OK && *list) {
    const size_t length = length_of_name(list);
    char *name = tutti_xstrndup(list, length);
    status = expand_name(&e, name, 0);
    free(name);
    list += length + (list[length] == ',');
  }
  *good = e.good;
  return status;
}

/* ---- rows ---- */

tutti_status tutti_wiring_pass_over(const struct wiring_row *row, const char *why, tutti_error *error, const char *what)
{
  return tutti_pass_over(row->source->passed, row->source->path, (uint64_t)row->line, why, error, "%.80s", what);
}

/* Short lists name many: a file that names the same nodes again and again ends. */
static tutti_status count_name(struct wiring_row *row, tutti_error *error)
{
  return ++row->names <= WIRING_MAX_NAMES
             ? TUTTI_OK
             : tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s:%d: more than %d names of nodes and switches",
                          row->source->path, row->line, WIRING_MAX_NAMES);
}

static tutti_status take_node(void *context, const char *name, tutti_error *error)
{
  struct wiring_row *row = context;
  const tutti_status status = count_name(row, error);
  return status == TUTTI_OK ? tutti_wiring_add_node(row->wiring, name, row->at, row->source->path, row->line,
                                                    row->source->passed, error)
                            : status;
}

/* The first of several parents counts: Slurm's tree has one. */
static tutti_status take_child(void *context, const char *name, tutti_error *error)
{
  struct wiring_row *row = context;
  const tutti_status status = count_name(row, error);
  if (status != TUTTI_OK)
    return status;
  const int child = tutti_wiring_switch(row->wiring, name, row->line);
  struct wiring_switch *below = &row->wiring->switches.items[child];
  if (below->parent >= 0 && below->parent != row->at)
    return tutti_wiring_pass_over(row, "a switch below two others", error, name);
  below->parent = row->at;
  return TUTTI_OK;
}

/* Ends where the list is too long for the taker, too. */
static tutti_status count_node(void *context, const char *name, tutti_error *error)
{
  (void)name, (void)error;
  return ++*(long *)context <= PLATFORM_MAX_HOSTS ? TUTTI_OK : TUTTI_ERR_ARGUMENT;
}

/* All of a list, or nothing of it. */
static tutti_status read_list(struct wiring_row *row, const char *list, wiring_take *take, tutti_error *error)
{
  bool good;
  long count = 0;
  if (row->at < 0)
    return tutti_wiring_pass_over(row, "a list before its switch or block", error, list);
  if (strcasecmp(list, "ALL") == 0)
    return tutti_wiring_pass_over(row, "all nodes, whose names are in slurm.conf", error, list);
  tutti_wiring_expand(list, count_node, &count, &good, NULL);
  return good ? tutti_wiring_expand(list, take, row, &good, error)
              : tutti_wiring_pass_over(row, "a list of names that is not understood", error, list);
}

static void read_sizes(struct wiring_row *row, const char *list)
{
  char *end;
  for (long size; row->size_count < 8 && (size = strtol(list, &end, 10)) > 0 && size <= PLATFORM_MAX_HOSTS;
       list = end + (*end == ','))
    row->sizes[row->size_count++] = (int)size;
}

tutti_status tutti_wiring_read_word(struct wiring_row *row, const char *key, const char *value, tutti_error *error)
{
  if (strcasecmp(key, "SwitchName") == 0 || strcasecmp(key, "BlockName") == 0) {
    row->at = tutti_wiring_switch(row->wiring, value, row->line);
    row->wiring->switches.items[row->at].line = row->line;
    row->blocks += strcasecmp(key, "BlockName") == 0;
    return TUTTI_OK;
  }
  if (strcasecmp(key, "Switches") == 0)
    return read_list(row, value, take_child, error);
  if (strcasecmp(key, "Nodes") == 0)
    return read_list(row, value, take_node, error);
  if (strcasecmp(key, "BlockSizes") == 0)
    read_sizes(row, value);
  else if (strcasecmp(key, "LinkSpeed") != 0) /* in units of the writer's own, which Slurm does not use */
    return tutti_wiring_pass_over(row, "no key of topology.conf", error, key);
  return TUTTI_OK;
}

/* ---- larger blocks ---- */

/* Blocks in a row become one of the next size: 4 of 18 nodes are one of 72. */
void tutti_wiring_gather_blocks(struct wiring_row *row)
{
  tutti_wiring *wiring = row->wiring;
  int below = 0, count = (int)wiring->switches.count; /* of the size that is gathered */
  for (int s = 1; s < row->size_count && row->sizes[0] > 0; s++) {
    const int each = row->sizes[s] / row->sizes[s - 1];
    if (each < 2 || row->sizes[s] % row->sizes[s - 1] != 0)
      continue;
    const int first = (int)wiring->switches.count;
    for (int i = 0; i < count; i++) {
      char *name = tutti_xprintf("blocks_of_%d_nodes_%d", row->sizes[s], i / each);
      const int parent = tutti_wiring_switch(wiring, name, 0);
      wiring->switches.items[below + i].parent = parent;
      free(name);
    }
    below = first;
    count = (int)wiring->switches.count - first;
  }
}

/* ---- topology.conf ---- */

static tutti_status read_row(struct wiring_row *row, char *text, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  char *rest = text + strspn(text, " \t\r\v\f");
  row->at = -1;
  if (*rest && !memchr(rest, '=', strcspn(rest, " \t\r")))
    return tutti_wiring_pass_over(row, "no row of KEY=VALUE", error, rest);
  for (char *word; status == TUTTI_OK && (word = strsep(&rest, " \t\r\v\f"));) {
    char *value = strchr(word, '=');
    if (value)
      *value++ = '\0';
    if (value)
      status = tutti_wiring_read_word(row, word, value, error);
    else if (*word)
      status = tutti_wiring_pass_over(row, "no KEY=VALUE", error, word);
  }
  return status;
}

/* The end of a row; a backslash continues it on the next line. */
static char *end_of_row(char *at, int *lines)
{
  for (;; at++) {
    at += strcspn(at, "\n");
    if (!*at)
      return at;
    ++*lines;
    char *before = at[-1] == '\r' ? at - 1 : at;
    if (before[-1] != '\\')
      return at;
    before[-1] = *at = ' ';
  }
}

tutti_status tutti_wiring_read_slurm(const struct wiring_source *source, tutti_wiring *wiring, tutti_error *error)
{
  struct wiring_row row = {.source = source, .wiring = wiring, .line = 1};
  tutti_status status = TUTTI_OK;
  for (char *at = source->text; *at && status == TUTTI_OK;) {
    int lines = 0;
    while (*at == '\n') {
      at++;
      row.line++;
    }
    if (!*at)
      break;
    char *end = end_of_row(at, &lines);
    const bool last = *end == '\0';
    *end = '\0';
    at[strcspn(at, "#")] = '\0';
    status = read_row(&row, at, error);
    row.line += lines;
    at = last ? end : end + 1;
  }
  if (row.blocks > 0)
    tutti_wiring_gather_blocks(&row);
  return status;
}
