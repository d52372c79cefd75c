/* What `tutti export --format c` writes, compiled and loaded. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "decide.h"

static int count(const char *text, const char *end, const char *word)
{
  int found = 0;
  for (const char *at = strstr(text, word); at && at < end; at = strstr(at + 1, word))
    found++;
  return found;
}

/* The source of the decision, of which the function is the first thing that ends with a brace at a line's beginning. */
static tutti_status write_source(const tutti_export_part *part, const tutti_target *target, struct exported *exported,
                                 FILE *stream, tutti_error *error)
{
  char *text;
  size_t length;
  FILE *memory = open_memstream(&text, &length);
  if (!memory)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the source");
  tutti_status status = target->write(part, 1, NULL, memory, error);
  fclose(memory);
  const char *begin = status == TUTTI_OK ? strstr(text, "\n{\n") : NULL, *end = begin ? strstr(begin, "\n}\n") : NULL;
  if (end) {
    exported->lines = count(begin + 1, end, "\n") + 2; /* with signature and last brace */
    exported->ifs = count(begin, end, "if (");
  }
  fputs(text, stream);
  free(text);
  return status;
}

static tutti_status export_to(const char *path, const tutti_decision *decision, const tutti_decision_map *map,
                              struct exported *exported, tutti_error *error)
{
  const tutti_target *target;
  tutti_export_part part;
  tutti_range range = tutti_range_of_map(map);
  range.extend = true;
  tutti_status status = tutti_target_find("c", &target, error);
  if (status == TUTTI_OK)
    status = tutti_export_part_create(target, decision, map->collective, &range, NULL, 0, &part, error);
  if (status != TUTTI_OK)
    return status;
  FILE *stream = fopen(path, "w");
  if (!stream)
    status = tutti_fail(error, TUTTI_ERR_IO, "%s: cannot be written", path);
  else {
    status = write_source(&part, target, exported, stream, error);
    fclose(stream);
  }
  tutti_export_part_free(&part);
  return status;
}

static tutti_status load(const char *library, tutti_collective collective, struct exported *exported,
                         tutti_error *error)
{
  char name[64];
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL), *code = NULL, *choice = NULL;
  snprintf(name, sizeof name, "tutti_%s", tutti_collective_name(collective));
  if (handle) {
    code = dlsym(handle, name);
    choice = dlsym(handle, "tutti_choice_at");
  }
  if (!code || !choice)
    return tutti_fail(error, TUTTI_ERR_IO, "%s", dlerror());
  memcpy(&exported->code, &code, sizeof code);
  memcpy(&exported->choice, &choice, sizeof choice);
  return TUTTI_OK;
}

tutti_status export_compiled(const tutti_decision *decision, const tutti_decision_map *map, struct exported *exported,
                             tutti_error *error)
{
  char directory[] = "/tmp/bench-decide-XXXXXX", source[64], library[64], command[256];
  if (!mkdtemp(directory))
    return tutti_fail(error, TUTTI_ERR_IO, "%s: cannot be made", directory);
  snprintf(source, sizeof source, "%s/decision.c", directory);
  snprintf(library, sizeof library, "%s/decision.so", directory);
  snprintf(command, sizeof command, "${CC:-cc} -O2 -shared -fPIC -o %s %s -lm", library, source);
  tutti_status status = export_to(source, decision, map, exported, error);
  if (status == TUTTI_OK && system(command) != 0)
    status = tutti_fail(error, TUTTI_ERR_IO, "no compiler, or it failed: %s", command);
  if (status == TUTTI_OK)
    status = load(library, map->collective, exported, error);
  unlink(source);
  unlink(library);
  rmdir(directory);
  return status;
}
