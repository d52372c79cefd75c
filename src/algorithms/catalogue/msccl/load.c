/* A file of MSCCL as a plug-in with one algorithm. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/catalogue/msccl/load.h"
#include "base/input.h"

struct loaded {
  tutti_plugin plugin;
  tutti_algorithm algorithm;
  struct msccl_algorithm programs;
  char name[TUTTI_ALGORITHM_NAME + 1];
};

/* ---- building ---- */

static tutti_block block_of(const tutti_buffer *buffers, uint8_t memory, int first, int count, uint64_t chunk)
{
  return tutti_block_of(buffers[memory], (uint64_t)first * chunk, (uint64_t)count * chunk);
}

static void add_vertex(tutti_builder *builder, const struct msccl_vertex *v, const tutti_buffer *buffers,
                       uint64_t chunk)
{
  const tutti_block block = block_of(buffers, v->memory, v->first, v->count, chunk);
  const tutti_block target = block_of(buffers, v->target, v->target_first, v->count, chunk);
  if (v->kind == TUTTI_SEND)
    tutti_add_send(builder, v->peer, block);
  else if (v->kind == TUTTI_RECV)
    tutti_add_recv(builder, v->peer, block);
  else if (v->kind == TUTTI_REDUCE)
    tutti_add_reduce(builder, block, target);
  else
    tutti_add_copy(builder, block, target);
}

static void build(tutti_builder *builder, const tutti_call *call)
{
  const struct msccl_algorithm *algorithm = call->data;
  const struct msccl_program *program = &algorithm->programs[call->rank];
  const uint64_t chunk = tutti_msccl_elements(algorithm->collective, call) / (uint64_t)algorithm->chunks;
  tutti_buffer buffers[MSCCL_MEMORIES] = {TUTTI_INPUT, TUTTI_OUTPUT};
  for (int m = MSCCL_TEMPORARY; m < MSCCL_MEMORIES; m++)
    if (program->chunks[m] > 0)
      buffers[m] = tutti_builder_temporary(builder, (uint64_t)program->chunks[m] * chunk);
  const tutti_vertex_id first = tutti_builder_next(builder);
  size_t wait = 0;
  if (!tutti_builder_reserve(builder, program->count, program->waits.count))
    return;
  for (size_t v = 0; v < program->count; v++) {
    const size_t end = v + 1 < program->count ? program->items[v + 1].before : program->waits.count;
    add_vertex(builder, &program->items[v], buffers, chunk);
    for (; wait < end; wait++)
      tutti_add_after(builder, first + (tutti_vertex_id)v, first + program->waits.items[wait]);
  }
}

const struct msccl_algorithm *tutti_msccl_program(const tutti_algorithm *algorithm)
{
  return algorithm->build == build ? algorithm->data : NULL;
}

/* ---- the plug-in ---- */

tutti_status tutti_msccl_name(const char *path, char name[TUTTI_ALGORITHM_NAME + 1], tutti_error *error)
{
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  const char *point = strrchr(base, '.');
  const int length = (int)(point ? (size_t)(point - base) : strlen(base)), most = TUTTI_ALGORITHM_NAME - 6;
  if (length > most)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "%s: the method is called msccl- and the name of the file, which has %d letters: %d at most",
                      path, length, most);
  snprintf(name, TUTTI_ALGORITHM_NAME + 1, "msccl-%.*s", length, base);
  for (char *c = name; *c; c++)
    *c = isalnum((unsigned char)*c) && (unsigned char)*c < 128 ? (char)tolower((unsigned char)*c)
         : *c == '_'                                           ? '_'
                                                               : '-';
  return TUTTI_OK;
}

/* The first algorithm of the collective that serves all calls. */
static const char *find_substitute(tutti_collective collective)
{
  const tutti_algorithm *algorithm;
  for (size_t i = 0; (algorithm = tutti_algorithm_at(i)); i++)
    if (algorithm->collective == collective && !algorithm->domain && !algorithm->parts[0].name)
      return algorithm->name;
  return NULL;
}

static void describe(struct loaded *loaded)
{
  const struct msccl_algorithm *programs = &loaded->programs;
  const tutti_call one = {.size = programs->size, .count = 1};
  const unsigned traits = tutti_collective_traits(programs->collective);
  loaded->algorithm = (tutti_algorithm){
      .collective = programs->collective,
      .name = loaded->name,
      .build = build,
      .data = programs,
      .ranks = programs->size,
      .root = programs->root,
      .unit = (uint64_t)programs->chunks / tutti_msccl_elements(programs->collective, &one),
      .domain = TUTTI_NEEDS_RANKS | TUTTI_NEEDS_UNIT | (traits & TUTTI_HAS_ROOT ? TUTTI_NEEDS_ROOT : 0) |
                (traits & TUTTI_REDUCES ? TUTTI_NEEDS_COMMUTATIVE : 0),
      .substitute = find_substitute(programs->collective),
      .rounds_apart = programs->collective == TUTTI_COLL_ALLREDUCE && tutti_msccl_rounds_apart(programs),
      .sizes_apart = true, /* not known */
      .source = "a file of MSCCL",
  };
  loaded->plugin = (tutti_plugin){.interface = TUTTI_PLUGIN_INTERFACE,
                                  .algorithm_size = sizeof(tutti_algorithm),
                                  .call_size = sizeof(tutti_call),
                                  .name = loaded->name,
                                  .algorithms = &loaded->algorithm,
                                  .count = 1};
}

tutti_status tutti_msccl_load(const char *path, const tutti_plugin **plugin, tutti_error *error)
{
  struct msccl_file file = {.size = 0};
  struct loaded *loaded = calloc(1, sizeof *loaded);
  char *text = NULL;
  size_t length;
  *plugin = NULL;
  if (!loaded)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", path);
  tutti_status status = tutti_input_read_text(path, TUTTI_INPUT_RECORDS, &text, &length, error);
  if (status == TUTTI_OK)
    status = tutti_msccl_read(path, text, &file, error);
  if (status == TUTTI_OK)
    status = tutti_msccl_compile(path, &file, &loaded->programs, error);
  tutti_msccl_free(&file);
  free(text);
  if (status == TUTTI_OK)
    status = tutti_msccl_name(path, loaded->name, error);
  if (status == TUTTI_OK)
    describe(loaded);
  if (status == TUTTI_OK)
    *plugin = &loaded->plugin;
  else
    tutti_msccl_unload(&loaded->plugin);
  return status;
}

void tutti_msccl_unload(const tutti_plugin *plugin)
{
  struct loaded *loaded = (struct loaded *)(uintptr_t)plugin;
  if (loaded)
    tutti_msccl_algorithm_free(&loaded->programs);
  free(loaded);
}
