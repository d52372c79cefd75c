/* Reading MSCCL XML. The programs that run on MPI load such files too, and are not linked with a library for XML; the
   format has elements, attributes and comments only. */
#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/catalogue/msccl/msccl.h"
#include "base/text.h"

enum { MAX_WORD = 32, MAX_BLOCKS = 4096 }; /* of microsoft/msccl 216, of the others 32 a channel */

/* A tag: <name attributes>, </name> or <name attributes/>. */
struct tag {
  const char *name, *attributes, *end; /* end: its '>' */
  size_t length;                       /* of the name */
  bool closes, single;
};

struct reading {
  const char *path, *at;
  int line;
  struct msccl_file *file;
  tutti_error *error;
  tutti_status status;
  struct msccl_rank *rank; /* that is being read */
  struct msccl_block *block;
};

#define fail(reading, format, ...)                                                                                     \
  MSCCL_FAIL(reading, TUTTI_ERR_ARGUMENT, "%s:%d: " format, (reading)->path, (reading)->line, ##__VA_ARGS__)

/* ---- tags ---- */

static void move(struct reading *reading, const char *to)
{
  for (; reading->at < to; reading->at++)
    reading->line += *reading->at == '\n';
}

/* The end of a tag, outside of quotes; NULL: there is none. */
static const char *end_of_tag(const char *at)
{
  char quote = 0;
  for (; *at; at++) {
    if (quote)
      quote = *at == quote ? 0 : quote;
    else if (*at == '"' || *at == '\'')
      quote = *at;
    else if (*at == '>')
      return at;
    else if (*at == '<')
      return NULL;
  }
  return NULL;
}

/* Past text, comments and declarations. False: the end, or a fault. */
static bool skip_to_tag(struct reading *reading)
{
  for (;;) {
    const char *next = strchr(reading->at, '<');
    if (!next)
      return false;
    move(reading, next);
    const bool comment = strncmp(next, "<!--", 4) == 0;
    if (!comment && strncmp(next, "<?", 2) != 0)
      return *(next + 1) == '!' ? fail(reading, "a document type, which MSCCL has not") : true;
    const char *end = strstr(next + 2, comment ? "-->" : "?>");
    if (!end)
      return fail(reading, "a comment without an end");
    move(reading, end + 2);
  }
}

static bool next_tag(struct reading *reading, struct tag *tag)
{
  if (!skip_to_tag(reading))
    return false;
  *tag = (struct tag){.name = reading->at + 1, .end = end_of_tag(reading->at + 1)};
  if (!tag->end)
    return fail(reading, "a tag without an end");
  tag->closes = *tag->name == '/';
  tag->name += tag->closes;
  tag->single = !tag->closes && tag->end[-1] == '/';
  tag->length = strcspn(tag->name, " \t\r\n/>");
  tag->attributes = tag->name + tag->length;
  move(reading, tag->end + 1);
  return true;
}

static bool is(const struct tag *tag, const char *name)
{
  return tag->length == strlen(name) && strncmp(tag->name, name, tag->length) == 0;
}

/* ---- attributes ---- */

/* The value of an attribute, cut to what fits; false: there is none. */
static bool find_word(const struct tag *tag, const char *name, char word[MAX_WORD])
{
  const char *at = tag->attributes;
  while (at < tag->end) {
    at += strspn(at, " \t\r\n/");
    const size_t length = strcspn(at, "= \t\r\n/>");
    const char *equals = at + length + strspn(at + length, " \t\r\n");
    const char *quote = *equals == '=' ? equals + 1 + strspn(equals + 1, " \t\r\n") : equals;
    if (length == 0 || quote >= tag->end || (*quote != '"' && *quote != '\''))
      return false;
    const char *end = memchr(quote + 1, *quote, (size_t)(tag->end - quote - 1));
    if (!end)
      return false;
    if (length == strlen(name) && strncmp(at, name, length) == 0) {
      snprintf(word, MAX_WORD, "%.*s", (int)(end - quote - 1 < MAX_WORD ? end - quote - 1 : MAX_WORD), quote + 1);
      return true;
    }
    at = end + 1;
  }
  return false;
}

static bool need_word(struct reading *reading, const struct tag *tag, const char *name, char word[MAX_WORD])
{
  return find_word(tag, name, word) ? true
                                    : fail(reading, "%.*s without %s=\"...\"",
                                           (int)(tag->length < MAX_WORD ? tag->length : MAX_WORD), tag->name, name);
}

static bool need_number(struct reading *reading, const struct tag *tag, const char *name, int min, int max, int *number)
{
  char word[MAX_WORD], *end;
  if (!need_word(reading, tag, name, word))
    return false;
  const long value = strtol(word, &end, 10);
  if (end == word || *end || value < min || value > max || strlen(word) == MAX_WORD - 1) /* it was cut */
    return fail(reading, "%s=\"%s\" is no number from %d to %d", name, word, min, max);
  *number = (int)value;
  return true;
}

/* ---- elements ---- */

static bool read_buffer(struct reading *reading, const struct tag *tag, const char *name, uint8_t *buffer)
{
  char word[MAX_WORD];
  if (!need_word(reading, tag, name, word))
    return false;
  const char *found = *word && !word[1] ? strchr(MSCCL_BUFFERS, *word) : NULL;
  if (!found)
    return fail(reading, "%s=\"%s\" is none of the buffers i, o and s", name, word);
  *buffer = (uint8_t)(found - MSCCL_BUFFERS);
  return true;
}

static bool read_type(struct reading *reading, const struct tag *tag, struct msccl_step *step)
{
  char word[MAX_WORD];
  if (!need_word(reading, tag, "type", word))
    return false;
  for (int t = 0; t < MSCCL_TYPES; t++)
    if (strcmp(tutti_msccl_type_name(t), word) == 0) {
      step->type = (uint8_t)t;
      return true;
    }
  return fail(reading, "type=\"%s\" is none of MSCCL", word);
}

static bool check_peers(struct reading *reading, const struct msccl_step *step)
{
  static const bool sends[MSCCL_TYPES] = {[MSCCL_SEND] = true,
                                          [MSCCL_RECV_COPY_SEND] = true,
                                          [MSCCL_RECV_REDUCE_SEND] = true,
                                          [MSCCL_RECV_REDUCE_COPY_SEND] = true};
  const bool receives = step->type >= MSCCL_RECV && step->type <= MSCCL_RECV_REDUCE_COPY_SEND;
  if (sends[step->type] && reading->block->send < 0)
    return fail(reading, "a step sends, and its thread block has no peer to send to");
  if (receives && reading->block->recv < 0)
    return fail(reading, "a step receives, and its thread block has no peer to receive from");
  return true;
}

static bool read_step(struct reading *reading, const struct tag *tag)
{
  struct msccl_step step = {.waited = false};
  int number, waited;
  if (!reading->block)
    return fail(reading, "a step outside of a thread block");
  if (!need_number(reading, tag, "s", 0, MSCCL_MAX_CHUNKS, &number) || !read_type(reading, tag, &step) ||
      !read_buffer(reading, tag, "srcbuf", &step.source_buffer) ||
      !read_buffer(reading, tag, "dstbuf", &step.target_buffer) ||
      !need_number(reading, tag, "srcoff", -1, MSCCL_MAX_CHUNKS, &step.source) ||
      !need_number(reading, tag, "dstoff", -1, MSCCL_MAX_CHUNKS, &step.target) ||
      !need_number(reading, tag, "cnt", 0, MSCCL_MAX_CHUNKS, &step.count) ||
      !need_number(reading, tag, "depid", -1, MAX_BLOCKS, &step.wait_block) ||
      !need_number(reading, tag, "deps", -1, MSCCL_MAX_CHUNKS, &step.wait_step) ||
      !need_number(reading, tag, "hasdep", 0, 1, &waited) || !check_peers(reading, &step))
    return false;
  step.waited = waited;
  step.at = -1;
  char word[MAX_WORD];
  if (find_word(tag, "tutti_at", word) && !need_number(reading, tag, "tutti_at", 0, INT_MAX, &step.at))
    return false;
  reading->file->numbered = reading->file->numbered || step.at >= 0;
  if ((size_t)number != reading->block->count)
    return fail(reading, "step %d, where step %zu of the thread block is expected", number, reading->block->count);
  return tutti_vector_push(reading->block, step) ? true : MSCCL_FAIL_MEMORY(reading);
}

static bool read_block(struct reading *reading, const struct tag *tag)
{
  struct msccl_block block = {.count = 0};
  int id;
  const int last = reading->file->size - 1;
  if (!reading->rank)
    return fail(reading, "a thread block outside of a gpu");
  if (!need_number(reading, tag, "id", 0, MAX_BLOCKS - 1, &id) ||
      !need_number(reading, tag, "send", -1, last, &block.send) ||
      !need_number(reading, tag, "recv", -1, last, &block.recv) ||
      !need_number(reading, tag, "chan", -1, MAX_BLOCKS, &block.channel))
    return false;
  if ((size_t)id != reading->rank->count)
    return fail(reading, "thread block %d, where %zu is expected", id, reading->rank->count);
  const int own = (int)(reading->rank - reading->file->ranks);
  if (block.send == own || block.recv == own)
    return fail(reading, "thread block %d of gpu %d sends to itself", id, own);
  if (!tutti_vector_push(reading->rank, block))
    return MSCCL_FAIL_MEMORY(reading);
  reading->block = tag->single ? NULL : &reading->rank->items[id];
  return true;
}

static bool read_rank(struct reading *reading, const struct tag *tag)
{
  int id, *chunks;
  if (!reading->file->ranks)
    return fail(reading, "a gpu outside of an algorithm");
  if (!need_number(reading, tag, "id", 0, reading->file->size - 1, &id))
    return false;
  reading->rank = &reading->file->ranks[id];
  reading->block = NULL;
  chunks = reading->rank->chunks;
  if (chunks[MSCCL_SCRATCH] >= 0)
    return fail(reading, "gpu %d a second time", id);
  return need_number(reading, tag, "i_chunks", 0, MSCCL_MAX_CHUNKS, &chunks[MSCCL_INPUT]) &&
         need_number(reading, tag, "o_chunks", 0, MSCCL_MAX_CHUNKS, &chunks[MSCCL_OUTPUT]) &&
         need_number(reading, tag, "s_chunks", 0, MSCCL_MAX_CHUNKS, &chunks[MSCCL_SCRATCH]);
}

static bool read_collective(struct reading *reading, const struct tag *tag)
{
  char word[MAX_WORD];
  if (!need_word(reading, tag, "coll", word))
    return false;
  for (int c = 0; c < TUTTI_COLL_COUNT; c++) {
    const char *name = tutti_msccl_collective_name((tutti_collective)c);
    if (name && strcmp(name, word) == 0) {
      reading->file->collective = (tutti_collective)c;
      return true;
    }
  }
  return fail(reading, "coll=\"%s\" is no collective that Tutti and MSCCL both have", word);
}

/* A file that does not say whether it serves calls that are not in place is of an older MSCCL, and serves one kind. */
static bool read_algorithm(struct reading *reading, const struct tag *tag)
{
  struct msccl_file *file = reading->file;
  char word[MAX_WORD];
  int in_place = 0, out_of_place;
  if (file->ranks)
    return fail(reading, "a second algorithm");
  if (!read_collective(reading, tag) || !need_number(reading, tag, "ngpus", 1, MSCCL_MAX_RANKS, &file->size) ||
      !need_number(reading, tag, "nchunksperloop", 1, MSCCL_MAX_CHUNKS, &file->chunks))
    return false;
  if (find_word(tag, "inplace", word) && !need_number(reading, tag, "inplace", 0, 1, &in_place))
    return false;
  out_of_place = !in_place;
  if (find_word(tag, "outofplace", word) && !need_number(reading, tag, "outofplace", 0, 1, &out_of_place))
    return false;
  file->in_place = !out_of_place;
  if (find_word(tag, "tutti_window", word) &&
      !need_number(reading, tag, "tutti_window", 0, MSCCL_MAX_STEPS, &file->window))
    return false;
  if (find_word(tag, "tutti_sums", word) && !need_number(reading, tag, "tutti_sums", 0, 1, &file->sums))
    return false;
  if (find_word(tag, "tutti_waits", word) && !need_number(reading, tag, "tutti_waits", 0, 1, &file->waits))
    return false;
  file->ranks = calloc((size_t)file->size, sizeof *file->ranks);
  if (!file->ranks)
    return MSCCL_FAIL_MEMORY(reading);
  for (int r = 0; r < file->size; r++)
    file->ranks[r].chunks[MSCCL_SCRATCH] = -1;
  return true;
}

static bool read_tag(struct reading *reading, const struct tag *tag)
{
  if (tag->closes) {
    reading->block = is(tag, "tb") || is(tag, "gpu") ? NULL : reading->block;
    reading->rank = is(tag, "gpu") ? NULL : reading->rank;
    return true;
  }
  return is(tag, "step")   ? read_step(reading, tag)
         : is(tag, "tb")   ? read_block(reading, tag)
         : is(tag, "gpu")  ? read_rank(reading, tag)
         : is(tag, "algo") ? read_algorithm(reading, tag)
                           : true;
}

static void check_whole(struct reading *reading)
{
  const struct msccl_file *file = reading->file;
  if (!file->ranks)
    (void)fail(reading, "no algorithm of MSCCL");
  for (int r = 0; r < file->size && reading->status == TUTTI_OK; r++)
    if (file->ranks[r].chunks[MSCCL_SCRATCH] < 0)
      (void)fail(reading, "the file ends without gpu %d", r);
}

tutti_status tutti_msccl_read(const char *path, const char *text, struct msccl_file *file, tutti_error *error)
{
  struct reading reading = {.path = path, .at = text, .line = 1, .file = file, .error = error};
  struct tag tag;
  *file = (struct msccl_file){.size = 0};
  while (reading.status == TUTTI_OK && next_tag(&reading, &tag))
    read_tag(&reading, &tag);
  if (reading.status == TUTTI_OK)
    check_whole(&reading);
  return reading.status;
}

void tutti_msccl_free(struct msccl_file *file)
{
  for (int r = 0; file->ranks && r < file->size; r++) {
    for (size_t b = 0; b < file->ranks[r].count; b++)
      tutti_vector_free(&file->ranks[r].items[b]);
    tutti_vector_free(&file->ranks[r]);
  }
  free(file->ranks);
  *file = (struct msccl_file){.size = 0};
}
