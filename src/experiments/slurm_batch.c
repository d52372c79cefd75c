/* What is known of an array, and its file. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiments/slurm.h"

#define TITLE "tutti-batch v=1"

static void free_batch(struct slurm_batch *batch)
{
  for (int e = 0; e < batch->element_count; e++)
    free(batch->elements[e].chunks);
  free(batch->elements);
}

void tutti_slurm_truncate(struct slurm *slurm, size_t count)
{
  while (slurm->batch_count > count)
    free_batch(&slurm->batches[--slurm->batch_count]);
}

void tutti_slurm_free(struct slurm *slurm)
{
  tutti_slurm_truncate(slurm, 0);
  for (size_t i = 0; i < slurm->pending_count; i++)
    free(slurm->pending[i]);
  free(slurm->batches);
  free(slurm->pending);
  *slurm = (struct slurm){.batch_count = 0};
}

struct slurm_batch *tutti_slurm_append(struct slurm *slurm, unsigned number)
{
  struct slurm_batch *grown = reallocarray(slurm->batches, slurm->batch_count + 1, sizeof *grown);
  if (!grown)
    return NULL;
  slurm->batches = grown;
  grown[slurm->batch_count] = (struct slurm_batch){.number = number};
  return &grown[slurm->batch_count++];
}

static bool add_element(struct slurm_batch *batch)
{
  struct slurm_element *grown = reallocarray(batch->elements, (size_t)batch->element_count + 1, sizeof *grown);
  if (!grown)
    return false;
  batch->elements = grown;
  grown[batch->element_count++] = (struct slurm_element){.state = SLURM_QUEUED};
  return true;
}

bool tutti_slurm_add_chunk(struct slurm_batch *batch, int element, unsigned chunk)
{
  if (element == batch->element_count && !add_element(batch))
    return false;
  struct slurm_element *last = &batch->elements[element];
  unsigned *grown = reallocarray(last->chunks, (size_t)last->chunk_count + 1, sizeof *grown);
  if (!grown)
    return false;
  last->chunks = grown;
  grown[last->chunk_count++] = chunk;
  return true;
}

/* ---- the file ---- */

tutti_status tutti_slurm_write(const struct work *work, const struct slurm_batch *batch, tutti_error *error)
{
  FILE *stream = tutti_work_create(work, batch->number, "batch.new", error);
  if (!stream)
    return TUTTI_ERR_IO;
  fprintf(stream, TITLE "\n");
  if (batch->job)
    fprintf(stream, "job=%ld\n", batch->job);
  for (int e = 0; e < batch->element_count; e++) {
    fprintf(stream, "element=");
    for (int c = 0; c < batch->elements[e].chunk_count; c++)
      fprintf(stream, "%s%u", c ? " " : "", batch->elements[e].chunks[c]);
    fprintf(stream, "\n");
  }
  tutti_status status = tutti_work_finish(work, stream, error);
  char from[WORK_NAME_LENGTH], to[WORK_NAME_LENGTH];
  tutti_work_name(batch->number, "batch.new", from);
  tutti_work_name(batch->number, "batch", to);
  if (status != TUTTI_OK || renameat(work->directory, from, work->directory, to) == 0)
    return status;
  return tutti_fail(error, TUTTI_ERR_IO, "%s/%s: cannot rename: %s", work->path, from, strerror(errno));
}

static bool read_chunks(struct slurm_batch *batch, char *text)
{
  int element = batch->element_count;
  char *rest = NULL;
  for (char *word = strtok_r(text, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
    char *end;
    unsigned long chunk = strtoul(word, &end, 10);
    if (*end || chunk >= 1000000000 || !tutti_slurm_add_chunk(batch, element, (unsigned)chunk))
      return false;
  }
  return batch->element_count == element + 1;
}

static bool read_line(struct slurm_batch *batch, char *line)
{
  if (strncmp(line, "element=", 8) == 0)
    return read_chunks(batch, line + 8);
  char *end;
  if (strncmp(line, "job=", 4) != 0)
    return false;
  batch->job = strtol(line + 4, &end, 10);
  return *end == '\n' && batch->job > 0;
}

static bool read_lines(struct slurm_batch *batch, FILE *stream)
{
  char *line = NULL;
  size_t capacity = 0;
  bool good = getline(&line, &capacity, stream) >= 0 && strcmp(line, TITLE "\n") == 0;
  while (good && getline(&line, &capacity, stream) >= 0)
    good = read_line(batch, line);
  free(line);
  return good && batch->element_count > 0;
}

tutti_status tutti_slurm_read(const struct work *work, unsigned number, struct slurm_batch *batch, tutti_error *error)
{
  int file = tutti_work_file(work, number, "batch", O_RDONLY, error);
  FILE *stream = file < 0 ? NULL : fdopen(file, "r");
  if (!stream)
    return TUTTI_ERR_IO;
  bool good = read_lines(batch, stream);
  fclose(stream);
  char name[WORK_NAME_LENGTH];
  return good ? TUTTI_OK
              : tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s/%s does not tell of an array of Tutti's", work->path,
                           tutti_work_name(number, "batch", name));
}

void tutti_slurm_remove(const struct work *work, const struct slurm_batch *batch)
{
  char suffix[24], name[WORK_NAME_LENGTH];
  for (int e = 0; e < batch->element_count; e++) {
    snprintf(suffix, sizeof suffix, "%d.log", e);
    unlinkat(work->directory, tutti_work_name(batch->number, suffix, name), 0);
  }
  unlinkat(work->directory, tutti_work_name(batch->number, "sh", name), 0);
  unlinkat(work->directory, tutti_work_name(batch->number, "batch", name), 0);
}
