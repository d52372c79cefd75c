/* Loading plug-ins, and checking their declarations before they are used. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/catalogue/msccl/load.h"
#include "algorithms/catalogue/plugins.h"
#include "base/input.h"
#include "base/text.h"

/* ---- descriptors ---- */

/* A word of the names of methods, in which other signs have a meaning. */
static bool is_name(const char *name)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";
  size_t length = name ? strspn(name, letters) : 0;
  return length > 0 && length <= TUTTI_ALGORITHM_NAME && !name[length] && *name != '-' && strcmp(name, "native") != 0;
}

/* An algorithm without domain and parts, which therefore serves all calls. */
static bool serves_all(const tutti_algorithm *algorithm)
{
  return algorithm && algorithm->build && !algorithm->domain && !algorithm->parts[0].name;
}

static bool parts_are_known(const tutti_algorithm *algorithm)
{
  for (int i = 0; i < TUTTI_MAX_PARTS && algorithm->parts[i].name; i++) {
    const tutti_part_of *part = &algorithm->parts[i];
    if (!is_name(part->name) || (unsigned)part->collective >= TUTTI_COLL_COUNT || !part->default_algorithm ||
        !serves_all(tutti_algorithm_find(part->collective, part->default_algorithm)))
      return false;
  }
  return true;
}

static bool takes_k_well(const tutti_algorithm *algorithm)
{
  bool takes = algorithm->parameters & TUTTI_TAKES_K;
  return takes ? algorithm->default_k >= algorithm->min_k && algorithm->min_k >= 0 : algorithm->default_k == 0;
}

/* The fault of an algorithm, or NULL. */
static const char *fault_of(const tutti_algorithm *algorithm)
{
  bool limited = algorithm->domain || algorithm->parts[0].name;
  if (!algorithm->build)
    return "it has no build function";
  if (!algorithm->source)
    return "it does not say its source";
  if (algorithm->parameters & TUTTI_TAKES_SELECTOR || algorithm->openmpi_id || algorithm->mpich_name ||
      algorithm->smpi_name)
    return "names in MPI libraries are those of the catalogue";
  if (!takes_k_well(algorithm))
    return "default_k, min_k and TUTTI_TAKES_K do not fit together";
  if (!parts_are_known(algorithm))
    return "a part of it is no algorithm of the catalogue that serves all calls";
  if (limited &&
      (!algorithm->substitute || !serves_all(tutti_algorithm_find(algorithm->collective, algorithm->substitute))))
    return "it has a domain or parts, so it needs the name of a substitute that serves all calls";
  return NULL;
}

static tutti_status check_algorithm(const char *path, const tutti_plugin *plugin, size_t index, tutti_error *error)
{
  const tutti_algorithm *algorithm = &plugin->algorithms[index];
  if ((unsigned)algorithm->collective >= TUTTI_COLL_COUNT || !is_name(algorithm->name))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "%s: algorithm %zu needs a collective, and a name of at most %d small letters, digits and '-'",
                      path, index, TUTTI_ALGORITHM_NAME);
  const char *fault = fault_of(algorithm), *collective = tutti_collective_name(algorithm->collective);
  bool there = tutti_algorithm_find(algorithm->collective, algorithm->name);
  for (size_t i = 0; i < index; i++)
    there = there || (plugin->algorithms[i].collective == algorithm->collective &&
                      strcmp(plugin->algorithms[i].name, algorithm->name) == 0);
  if (there)
    fault = "there is an algorithm of that name already";
  return fault ? tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: %s/%s: %s", path, collective, algorithm->name, fault)
               : TUTTI_OK;
}

static tutti_status check_interface(const char *path, const tutti_plugin *plugin, tutti_error *error)
{
  if (plugin->interface != TUTTI_PLUGIN_INTERFACE)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "%s: was built against version %d of the interface of plug-ins, Tutti " TUTTI_VERSION
                      " has version %d: build it again with the headers of this Tutti",
                      path, plugin->interface, TUTTI_PLUGIN_INTERFACE);
  if (plugin->algorithm_size != sizeof(tutti_algorithm) || plugin->call_size != sizeof(tutti_call))
    return tutti_fail(
        error, TUTTI_ERR_ARGUMENT,
        "%s: was built against headers of another Tutti: build it again with those of Tutti " TUTTI_VERSION, path);
  return TUTTI_OK;
}

static tutti_status check_plugin(const char *path, const tutti_plugin *plugin, tutti_error *error)
{
  tutti_status status = check_interface(path, plugin, error);
  if (status == TUTTI_OK && (!plugin->algorithms || plugin->count == 0))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: has no algorithms", path);
  for (size_t i = 0; status == TUTTI_OK && i < plugin->count; i++)
    status = check_algorithm(path, plugin, i, error);
  return status;
}

/* ---- loading ---- */

/* A plug-in finds the functions that it calls among those of the program. Under SMPI these are in an object that
   smpirun has loaded for itself alone. */
static void make_visible(void)
{
  Dl_info self;
  if (dladdr((void *)tutti_plugin_load, &self) && self.dli_fname)
    dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
}

static tutti_status fail_loading(const char *path, tutti_error *error)
{
  const char *reason = dlerror();
  bool other = reason && strstr(reason, "undefined symbol");
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: cannot be loaded: %.300s%s", path, reason ? reason : "no reason",
                    other ? " (was it built for another version of Tutti?)" : "");
}

/* FNV-1a (Fowler, Noll, Vo) over the file, and never 0. */
static uint64_t hash_file(FILE *file)
{
  uint64_t hash = UINT64_C(14695981039346656037);
  for (int c; (c = getc(file)) != EOF;)
    hash = (hash ^ (unsigned char)c) * UINT64_C(1099511628211);
  return hash ? hash : 1;
}

/* An absolute path is not searched in the folders of libraries. */
static tutti_status load(const char *path, const char *absolute, uint64_t hash, tutti_error *error)
{
  make_visible();
  void *object = dlopen(absolute, RTLD_NOW | RTLD_LOCAL);
  if (!object)
    return fail_loading(path, error);
  const tutti_plugin *plugin = dlsym(object, "tutti_plugin_entry");
  tutti_status status = TUTTI_OK;
  if (!plugin)
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: is no plug-in of Tutti: TUTTI_PLUGIN() is missing", path);
  else if (!tutti_plugins_has(plugin))
    status = check_plugin(path, plugin, error);
  if (status == TUTTI_OK)
    status = tutti_plugins_add(plugin, absolute, hash, error);
  if (status != TUTTI_OK)
    dlclose(object);
  return status;
}

static tutti_status load_msccl(const char *path, const char *absolute, uint64_t hash, tutti_error *error)
{
  const tutti_plugin *plugin;
  if (tutti_plugins_has_file(absolute, hash))
    return TUTTI_OK;
  tutti_status status = tutti_msccl_load(path, &plugin, error);
  if (status != TUTTI_OK)
    return status;
  status = check_plugin(path, plugin, error);
  if (status == TUTTI_OK)
    status = tutti_plugins_add(plugin, absolute, hash, error);
  if (status != TUTTI_OK)
    tutti_msccl_unload(plugin);
  return status;
}

tutti_status tutti_plugin_load(const char *path, tutti_error *error)
{
  if (tutti_input_permit_handing_on(path, error) != TUTTI_OK)
    return TUTTI_ERR_IO;
  char *absolute = realpath(path, NULL);
  if (!absolute)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: there is no such plug-in", path);
  FILE *file = tutti_input_open(path, TUTTI_INPUT_RECORDS, error);
  tutti_status status = TUTTI_ERR_IO;
  if (file)
    status = (tutti_stem_length(absolute, ".xml") > 0 ? load_msccl : load)(path, absolute, hash_file(file), error);
  if (file)
    fclose(file);
  free(absolute);
  return status;
}

tutti_status tutti_plugins_load(tutti_error *error)
{
  const char *list = getenv(TUTTI_PLUGINS_VARIABLE);
  char *copy = list ? strdup(list) : NULL, *rest = copy;
  tutti_status status = TUTTI_OK;
  if (list && !copy)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for plug-ins");
  for (char *path; status == TUTTI_OK && (path = strsep(&rest, ":"));)
    if (*path)
      status = tutti_plugin_load(path, error);
  free(copy);
  return status;
}
