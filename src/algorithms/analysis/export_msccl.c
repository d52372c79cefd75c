/* Schedules as MSCCL XML. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/analysis/export.h"
#include "algorithms/analysis/msccl_blocks.h"
#include "algorithms/catalogue/msccl/load.h"

/* Channels without blocks are left out of the numbers. */
static int number_of(const struct msccl_writing *w, int channel)
{
  int number = 0;
  for (int c = 0; c < channel; c++)
    number += w->channels[c];
  return number;
}

static void write_step(const struct msccl_step *step, size_t number, FILE *file)
{
  fprintf(file,
          "      <step s=\"%zu\" type=\"%s\" srcbuf=\"%c\" srcoff=\"%d\" dstbuf=\"%c\" dstoff=\"%d\" cnt=\"%d\" "
          "depid=\"%d\" deps=\"%d\" hasdep=\"%d\"",
          number, tutti_msccl_type_name(step->type), MSCCL_BUFFERS[step->source_buffer], step->source,
          MSCCL_BUFFERS[step->target_buffer], step->target, step->count, step->wait_block, step->wait_step,
          step->waited);
  if (step->at >= 0)
    fprintf(file, " tutti_at=\"%d\"", step->at);
  fprintf(file, "/>\n");
}

static void write_rank(const struct msccl_writing *w)
{
  const tutti_schedule *s = w->schedule;
  fprintf(w->file, "  <gpu id=\"%d\" i_chunks=\"%" PRIu64 "\" o_chunks=\"%" PRIu64 "\" s_chunks=\"%" PRIu64 "\">\n",
          s->rank, tutti_msccl_extent(w, s->rank, TUTTI_INPUT) / w->chunk,
          tutti_msccl_extent(w, s->rank, TUTTI_OUTPUT) / w->chunk, tutti_msccl_scratch(w, s, s->temporary_count));
  for (int b = 0; b < w->count; b++) {
    const struct msccl_block *block = &w->blocks[b];
    fprintf(w->file, "    <tb id=\"%d\" send=\"%d\" recv=\"%d\" chan=\"%d\">\n", b, block->send, block->recv,
            number_of(w, block->channel));
    for (size_t i = 0; i < block->count; i++)
      write_step(&block->items[i], i, w->file);
    fprintf(w->file, "    </tb>\n");
  }
  fprintf(w->file, "  </gpu>\n");
}

/* A broadcast of ours has one buffer at the root. */
static void write_head(const struct msccl_writing *w, const tutti_method *method)
{
  char title[TUTTI_EXPORT_TITLE_LENGTH];
  const bool in_place = w->collective == TUTTI_COLL_BCAST;
  fprintf(w->file, "<!-- %s; any size that is a multiple of the chunks -->\n",
          tutti_export_title(method, w->calls, title));
  fprintf(w->file,
          "<algo name=\"%.63s\" proto=\"Simple\" nchannels=\"%d\" nchunksperloop=\"%" PRIu64 "\" ngpus=\"%d\" "
          "coll=\"%s\" inplace=\"%d\" outofplace=\"%d\" minBytes=\"0\" maxBytes=\"0\"",
          tutti_method_format(method, title), number_of(w, MSCCL_ALL_CHANNELS),
          tutti_msccl_elements(w->collective, w->calls) / w->chunk, w->ensemble->size,
          tutti_msccl_collective_name(w->collective), in_place, !in_place);
  if (w->window > 0)
    fprintf(w->file, " tutti_window=\"%d\"", w->window);
  if (w->summed)
    fprintf(w->file, " tutti_sums=\"1\"");
  if (w->waits)
    fprintf(w->file, " tutti_waits=\"1\"");
  fprintf(w->file, ">\n");
}

/* All ranks twice: the first time to know that they fit, and the channels. */
static tutti_status write_ranks(struct msccl_writing *w, const tutti_method *method, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int pass = 0; pass < 2; pass++) {
    if (pass > 0)
      write_head(w, method);
    for (int r = 0; r < w->ensemble->size && status == TUTTI_OK; r++) {
      status = tutti_msccl_make_rank(w, r, error);
      if (status == TUTTI_OK && pass > 0)
        write_rank(w);
      tutti_msccl_free_rank(w);
    }
    const int channels = number_of(w, MSCCL_ALL_CHANNELS);
    if (status == TUTTI_OK && channels > MSCCL_MAX_CHANNELS && !w->unlimited)
      status = tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "%d channels are needed, and MSCCL has %d", channels,
                          MSCCL_MAX_CHANNELS);
    if (status != TUTTI_OK)
      return status;
  }
  fprintf(w->file, "</algo>\n");
  return ferror(w->file) ? tutti_fail(error, TUTTI_ERR_IO, "could not be written: %s", strerror(errno)) : TUTTI_OK;
}

/* ---- the whole ---- */

struct numbering {
  size_t *order, next;
};

static tutti_status number(void *context, const struct event *event, tutti_error *error)
{
  struct numbering *numbering = context;
  (void)error;
  numbering->order[event->vertex] = numbering->next;
  if (event->receive != NO_PARTNER)
    numbering->order[event->receive] = numbering->next;
  numbering->next++;
  return TUTTI_OK;
}

static tutti_status write_ensemble(struct msccl_writing *w, const tutti_method *method, tutti_error *error)
{
  w->chunk = tutti_msccl_find_chunk(w);
  tutti_status status = tutti_msccl_check_chunks(w, error);
  if (status != TUTTI_OK)
    return status;
  w->order = calloc(w->ensemble->first[w->ensemble->size] + 1, sizeof *w->order);
  const size_t blocks = (size_t)w->most_blocks;
  w->blocks = calloc(blocks, sizeof *w->blocks);
  w->messages = calloc(blocks, sizeof *w->messages);
  w->reached = calloc(blocks * blocks, sizeof *w->reached);
  struct numbering numbering = {w->order, 0};
  if (!w->order || !w->blocks || !w->messages || !w->reached)
    status = tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for thread blocks");
  if (status == TUTTI_OK)
    status = tutti_ensemble_run(w->ensemble, number, &numbering, error);
  if (status == TUTTI_OK)
    status = write_ranks(w, method, error);
  if (status == TUTTI_ERR_UNSUPPORTED && !w->unlimited) {
    w->split = true;
    memset(w->channels, 0, sizeof w->channels);
    status = write_ranks(w, method, error);
  }
  free(w->order);
  free(w->blocks);
  free(w->messages);
  free(w->reached);
  return status;
}

static tutti_status export_calls(const tutti_method *method, const tutti_call *calls, const tutti_schedule *schedules,
                                 const tutti_msccl_options *options, FILE *file, tutti_error *error)
{
  struct ensemble ensemble;
  tutti_status status = tutti_ensemble_create(&ensemble, schedules, calls->size, error);
  struct msccl_writing writing = {.ensemble = &ensemble,
                                  .calls = calls,
                                  .collective = method->algorithm->collective,
                                  .unlimited = options->unlimited,
                                  .window = options->window,
                                  .summed = options->summed,
                                  .waits = options->waits,
                                  .numbered = options->numbered,
                                  .most_blocks = options->unlimited ? 2 * calls->size + 1 : MSCCL_MAX_BLOCKS,
                                  .file = file};
  if (status == TUTTI_OK)
    status = write_ensemble(&writing, method, error);
  tutti_ensemble_free(&ensemble);
  return status;
}

tutti_status tutti_export_msccl(const tutti_method *method, const tutti_call *call, FILE *file, tutti_error *error)
{
  const struct msccl_algorithm *read = tutti_msccl_program(method->algorithm);
  tutti_msccl_options options = {.unlimited = false};
  if (read)
    options = (tutti_msccl_options){
        .window = read->window, .summed = read->sums, .waits = read->waits, .numbered = read->numbered};
  return tutti_export_msccl_as(method, call, &options, file, error);
}

tutti_status tutti_export_msccl_as(const tutti_method *method, const tutti_call *call,
                                   const tutti_msccl_options *options, FILE *file, tutti_error *error)
{
  tutti_arena arena;
  tutti_call *calls;
  tutti_schedule *schedules;
  const tutti_collective collective = method->algorithm->collective;
  if (!tutti_msccl_collective_name(collective))
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "MSCCL has no %s", tutti_collective_name(collective));
  if (call->size > MSCCL_MAX_RANKS)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "readers of MSCCL take %d ranks at most, not %d", MSCCL_MAX_RANKS,
                      call->size);
  tutti_arena_init(&arena);
  tutti_status status = tutti_calls_of(call, &arena, &calls, error);
  if (status == TUTTI_OK)
    status = tutti_schedules_of(method, calls, NULL, &arena, &schedules, error);
  if (status == TUTTI_OK)
    status = export_calls(method, calls, schedules, options, file, error);
  tutti_arena_release(&arena);
  return status;
}
