#include "algorithms/catalogue/plugins.h"

#include <stdlib.h>
#include <string.h>

struct loaded {
  const tutti_plugin *plugin;
  uint64_t code;
  struct loaded *next;
  char path[];
};

/* State of the process, as the catalogue is, and not of a rank: the ranks of a simulation, which share it, load the
   same plug-ins first. The section declares that to tests/globals.sh. */
static struct {
  struct loaded *first;
  tutti_plugin_guard *guard; /* NULL: none */
} plugins __attribute__((section("tutti_process")));

const tutti_algorithm *tutti_plugins_at(size_t index)
{
  const struct loaded *loaded = plugins.first;
  for (; loaded && index >= loaded->plugin->count; loaded = loaded->next)
    index -= loaded->plugin->count;
  return loaded ? &loaded->plugin->algorithms[index] : NULL;
}

bool tutti_plugins_has(const tutti_plugin *plugin)
{
  const struct loaded *loaded = plugins.first;
  while (loaded && loaded->plugin != plugin)
    loaded = loaded->next;
  return loaded;
}

bool tutti_plugins_has_file(const char *path, uint64_t code)
{
  const struct loaded *loaded = plugins.first;
  while (loaded && !(loaded->code == code && strcmp(loaded->path, path) == 0))
    loaded = loaded->next;
  return loaded;
}

tutti_status tutti_plugins_add(const tutti_plugin *plugin, const char *path, uint64_t code, tutti_error *error)
{
  if (tutti_plugins_has(plugin))
    return TUTTI_OK;
  const size_t length = strlen(path) + 1;
  struct loaded *loaded = malloc(sizeof *loaded + length), **last = &plugins.first;
  if (!loaded)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a plug-in");
  *loaded = (struct loaded){.plugin = plugin, .code = code};
  memcpy(loaded->path, path, length);
  while (*last)
    last = &(*last)->next;
  *last = loaded;
  return TUTTI_OK;
}

static const struct loaded *find(const tutti_algorithm *algorithm)
{
  const struct loaded *loaded = plugins.first;
  while (loaded &&
         !(algorithm >= loaded->plugin->algorithms && algorithm < loaded->plugin->algorithms + loaded->plugin->count))
    loaded = loaded->next;
  return loaded;
}

bool tutti_algorithm_is_plugin(const tutti_algorithm *algorithm)
{
  return find(algorithm);
}

const char *tutti_algorithm_plugin_file(const tutti_algorithm *algorithm, uint64_t *code)
{
  const struct loaded *loaded = find(algorithm);
  if (loaded)
    *code = loaded->code;
  return loaded ? loaded->path : NULL;
}

uint64_t tutti_method_code(const tutti_method *method)
{
  const struct loaded *loaded = find(method->algorithm);
  uint64_t code = loaded ? loaded->code : 0;
  for (int i = 0; i < TUTTI_MAX_PARTS; i++)
    if (method->parameters.parts[i].algorithm && (loaded = find(method->parameters.parts[i].algorithm)))
      code = code * 3 + loaded->code;
  return code;
}

void tutti_plugins_guard(tutti_plugin_guard *guard)
{
  plugins.guard = guard;
}

int tutti_plugins_build(tutti_build_function build, tutti_builder *builder, const tutti_call *call)
{
  if (plugins.guard)
    return plugins.guard(build, builder, call);
  build(builder, call);
  return 0;
}
