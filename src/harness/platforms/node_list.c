#include "harness/platforms/node_list.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/node_table.h"
#include "base/text.h"
#include "harness/platforms/platform_private.h"
#include "harness/platforms/wiring_rows.h"

static tutti_status append(struct node_list *nodes, const int *numbers, int count, tutti_error *error)
{
  if (nodes->count + (size_t)count > PLATFORM_MAX_HOSTS)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "more than %d nodes", PLATFORM_MAX_HOSTS);
  for (int i = 0; i < count; i++)
    tutti_xpush(nodes, numbers[i]);
  return TUTTI_OK;
}

static tutti_status take_name(void *context, const char *name, tutti_error *error)
{
  int number;
  return tutti_node_number(name, &number)
             ? append(context, &number, 1, error)
             : tutti_fail(error, TUTTI_ERR_ARGUMENT, "not the number or name of a node: '%s'", name);
}

/* Names as Slurm writes them: nid[001-004,007]. */
static tutti_status parse_names(const char *item, struct node_list *nodes, tutti_error *error)
{
  bool good;
  const tutti_status status = tutti_wiring_expand(item, take_name, nodes, &good, error);
  return good ? status : tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s' is no list of names, such as n[1-3,7]", item);
}

static tutti_status parse_item(char *item, struct node_list *nodes, tutti_error *error)
{
  int *numbers, count;
  if (strpbrk(item, "[]"))
    return parse_names(item, nodes, error);
  if (!isdigit((unsigned char)item[0]))
    return take_name(nodes, item, error);
  tutti_error reason;
  if (tutti_platform_expand_radical(item, &numbers, &count, &reason) != TUTTI_OK)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s': %s", item, reason.message);
  const tutti_status status = append(nodes, numbers, count, error);
  free(numbers);
  return status;
}

/* As strsep() of ", ", outside of brackets. */
static char *next_item(char **text)
{
  char *item = *text, *end = item;
  for (bool inside = false; end && *end != '\0' && (inside || !strchr(", ", *end)); end++)
    inside = *end == '[' || (inside && *end != ']');
  *text = end && *end != '\0' ? end + 1 : NULL;
  if (*text)
    *end = '\0';
  return item;
}

/* Append the nodes of a list to @p nodes, in its order: items between commas or blanks, each a number, a range
   (1000-1003), the name of a node (tutti_node_number()) or several names (n[1-3,7]). @p text is changed.
   TUTTI_ERR_ARGUMENT names an item that is not a node; more than PLATFORM_MAX_HOSTS are too many. */
static tutti_status parse_list(char *text, struct node_list *nodes, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (char *item; status == TUTTI_OK && (item = next_item(&text));)
    if (item[0] != '\0')
      status = parse_item(item, nodes, error);
  return status;
}

/* ---- jobs ---- */

/* The last field has the nodes; a first one that is a number is their number. */
static tutti_status parse_job(char *text, struct node_list *nodes, tutti_error *error)
{
  char *list = strrchr(text, '\t'), *first = strsep(&text, "\t");
  uint64_t said;
  const tutti_status status = parse_list(list ? list + 1 : first, nodes, error);
  if (status != TUTTI_OK)
    return status;
  if (nodes->count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "no nodes");
  if (list && tutti_parse_integer(first, 0, INT_MAX, &said) && said != nodes->count)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the first field says %d node%s, and %zu %s listed", (int)said,
                      tutti_plural(said), nodes->count, nodes->count == 1 ? "is" : "are");
  return TUTTI_OK;
}

/* The machine and the run are in a line of three fields. */
static void read_origin(const char *text, struct node_job *job)
{
  const char *first = strchr(text, '\t'), *second = first ? strchr(first + 1, '\t') : NULL;
  if (!second)
    return;
  job->machine = tutti_xstrndup(text, (size_t)(first - text));
  job->run = tutti_xstrndup(first + 1, (size_t)(second - first - 1));
}

static bool is_heading(const char *text)
{
  const char *list = strrchr(text, '\t');
  list = list ? list + 1 : text;
  return strcmp(list, "node_numbers") == 0 || strcmp(list, "nodes_by_rank") == 0;
}

bool tutti_node_job_next(struct tutti_lines *lines, const char *machine, tutti_guess *others, tutti_passed *passed,
                         struct node_job *job)
{
  while (tutti_lines_next(lines)) {
    tutti_error reason;
    if (lines->text[0] == '#' || lines->length == 0 || is_heading(lines->text))
      continue;
    *job = (struct node_job){.line = lines->number};
    read_origin(lines->text, job);
    const bool elsewhere = machine && job->machine && strcmp(job->machine, machine) != 0;
    if (elsewhere)
      tutti_guess_try(others, job->machine);
    else if (parse_job(lines->text, &job->nodes, &reason) == TUTTI_OK)
      return true;
    else if (passed)
      (void)tutti_pass_over(passed, lines->path, (uint64_t)lines->number, "not the nodes of a job", NULL, "%s",
                            reason.message);
    else
      tutti_lines_fault(lines, "%s", reason.message);
    tutti_node_job_free(job);
  }
  return false;
}

void tutti_node_job_free(struct node_job *job)
{
  tutti_vector_free(&job->nodes);
  free(job->machine);
  free(job->run);
}
