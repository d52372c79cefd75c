/* Hosts of a real machine: read from either way of writing them, written as a launcher wants them. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "experiments/launcher.h"

enum { MAX_SLOTS = 1 << 20 };

/* A number of slots, or 0. */
static int parse_slots(const char *text)
{
  uint64_t slots;
  return tutti_parse_integer(text, 1, MAX_SLOTS, &slots) ? (int)slots : 0;
}

/* "slots = 2" is "slots=2". */
static void join_equals(char *line)
{
  char *to = line;
  for (const char *from = line; *from; from++) {
    while (*from == '=' && to > line && strchr(" \t", to[-1]))
      to--;
    *to++ = *from;
    if (*from == '=')
      from += strspn(from + 1, " \t");
  }
  *to = '\0';
}

/* One line without its comment; *name is within it, NULL for a blank line. False if the slots are no number. */
static bool parse_line(char *line, char **name, int *slots)
{
  char *rest = NULL;
  *slots = 1;
  join_equals(line);
  *name = strtok_r(line, " \t\r\n", &rest);
  char *colon = *name ? strchr(*name, ':') : NULL;
  if (colon) {
    *colon = '\0';
    *slots = parse_slots(colon + 1);
  }
  for (char *word = *name ? strtok_r(NULL, " \t\r\n", &rest) : NULL; word; word = strtok_r(NULL, " \t\r\n", &rest))
    if (strncmp(word, "slots=", 6) == 0)
      *slots = parse_slots(word + 6);
  return *slots > 0 && (!*name || **name);
}

static bool is_named(const struct hosts *hosts, const char *name)
{
  for (size_t i = 0; i < hosts->count; i++)
    if (strcmp(hosts->items[i], name) == 0)
      return true;
  return false;
}

static void add_line(struct tutti_lines *lines, struct hosts *hosts)
{
  char *name;
  int slots;
  lines->text[strcspn(lines->text, "#")] = '\0';
  if (!parse_line(lines->text, &name, &slots))
    tutti_lines_fault(lines, "expected NAME, NAME:SLOTS or NAME slots=SLOTS");
  else if (name && is_named(hosts, name))
    tutti_lines_fault(lines, "host %s is named twice", name);
  else if (name && hosts->count > 0 && slots != hosts->slots)
    tutti_lines_fault(lines, "host %s has %d slots, those before it %d: a measurement has one number of ranks per node",
                      name, slots, hosts->slots);
  else if (name) {
    hosts->slots = slots;
    tutti_xpush(hosts, tutti_xstrdup(name));
  }
}

tutti_status tutti_hosts_read(const char *path, struct hosts *hosts, tutti_error *error)
{
  struct tutti_lines lines;
  *hosts = (struct hosts){.count = 0};
  tutti_lines_open(&lines, path, error);
  while (tutti_lines_next(&lines))
    add_line(&lines, hosts);
  tutti_status status = tutti_lines_close(&lines);
  if (status == TUTTI_OK && hosts->count == 0)
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: names no host", path);
  if (status != TUTTI_OK)
    tutti_hosts_free(hosts);
  return status;
}

tutti_status tutti_hosts_write(const struct hosts *hosts, enum launcher_kind kind, FILE *stream, tutti_error *error)
{
  for (size_t i = 0; i < hosts->count; i++)
    fprintf(stream, kind == LAUNCHER_OPENMPI ? "%s slots=%d\n" : "%s:%d\n", hosts->items[i], hosts->slots);
  return ferror(stream) ? tutti_fail(error, TUTTI_ERR_IO, "cannot write the hostfile of a job") : TUTTI_OK;
}

void tutti_hosts_free(struct hosts *hosts)
{
  for (size_t i = 0; i < hosts->count; i++)
    free(hosts->items[i]);
  tutti_vector_free(hosts);
}
