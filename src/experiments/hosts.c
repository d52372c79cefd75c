#include "experiments/hosts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A number of slots, or 0. */
static int parse_slots(const char *text)
{
  char *end;
  long slots = strtol(text, &end, 10);
  return end != text && !*end && slots >= 1 && slots <= 1 << 20 ? (int)slots : 0;
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
  for (int i = 0; i < hosts->count; i++)
    if (strcmp(hosts->names[i], name) == 0)
      return true;
  return false;
}

static bool append(struct hosts *hosts, const char *name)
{
  char **grown = reallocarray(hosts->names, (size_t)hosts->count + 1, sizeof *grown);
  if (!grown)
    return false;
  hosts->names = grown;
  grown[hosts->count] = strdup(name);
  return grown[hosts->count++] != NULL;
}

static tutti_status take_line(char *line, const char *path, int number, struct hosts *hosts, tutti_error *error)
{
  char *name;
  int slots;
  line[strcspn(line, "#")] = '\0';
  if (!parse_line(line, &name, &slots))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s:%d: expected NAME, NAME:SLOTS or NAME slots=SLOTS", path, number);
  if (!name)
    return TUTTI_OK;
  if (is_named(hosts, name))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s:%d: host %s is named twice", path, number, name);
  if (hosts->count > 0 && slots != hosts->slots)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "%s:%d: host %s has %d slots, those before it %d: a measurement has one number of ranks per node",
                      path, number, name, slots, hosts->slots);
  hosts->slots = slots;
  return append(hosts, name) ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", path);
}

tutti_status tutti_hosts_read(const char *path, struct hosts *hosts, tutti_error *error)
{
  *hosts = (struct hosts){.count = 0};
  FILE *stream = fopen(path, "r");
  if (!stream)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: cannot open: %s", path, strerror(errno));
  char *line = NULL;
  size_t capacity = 0;
  int number = 0;
  tutti_status status = TUTTI_OK;
  while (status == TUTTI_OK && getline(&line, &capacity, stream) >= 0)
    status = take_line(line, path, ++number, hosts, error);
  if (status == TUTTI_OK && ferror(stream))
    status = tutti_fail(error, TUTTI_ERR_IO, "%s: cannot read: %s", path, strerror(errno));
  if (status == TUTTI_OK && hosts->count == 0)
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: names no host", path);
  free(line);
  fclose(stream);
  if (status != TUTTI_OK)
    tutti_hosts_free(hosts);
  return status;
}

tutti_status tutti_hosts_write(const struct hosts *hosts, enum manner manner, FILE *stream, tutti_error *error)
{
  for (int i = 0; i < hosts->count; i++)
    fprintf(stream, manner == MANNER_OPENMPI ? "%s slots=%d\n" : "%s:%d\n", hosts->names[i], hosts->slots);
  return ferror(stream) ? tutti_fail(error, TUTTI_ERR_IO, "cannot write the hostfile of a job") : TUTTI_OK;
}

void tutti_hosts_free(struct hosts *hosts)
{
  for (int i = 0; i < hosts->count; i++)
    free(hosts->names[i]);
  free(hosts->names);
  *hosts = (struct hosts){.count = 0};
}
