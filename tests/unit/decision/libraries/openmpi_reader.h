/* A reader of Open MPI's classic rules files, and its look-up, by the grammar of coll_tuned_dynamic_file.c and
   coll_base_util.c: numbers between blanks, '#' to the end of the line, counts that are exact, sizes that ascend, and a
   first message size of 0 in every block. It is independent of the writer. */
#ifndef TUTTI_TESTS_OPENMPI_READER_H
#define TUTTI_TESTS_OPENMPI_READER_H

#include <stdio.h>
#include <stdlib.h>

struct openmpi_read_rule {
  long bytes, algorithm, faninout, segment;
};

struct openmpi_read_block {
  long ranks, count;
  struct openmpi_read_rule *rules;
};

struct openmpi_read_collective {
  long id, count;
  struct openmpi_read_block *blocks;
};

struct openmpi_read_file {
  long count;
  struct openmpi_read_collective *collectives;
};

static inline long openmpi_read_number(FILE *stream)
{
  int c;
  long number;
  while (fscanf(stream, "%li", &number) != 1) {
    c = getc(stream);
    if (c != '#') {
      fprintf(stderr, "openmpi_reader: '%c' where a number is due\n", c);
      abort();
    }
    while ((c = getc(stream)) != '\n' && c != EOF)
      ;
  }
  return number;
}

static inline void openmpi_read_block(FILE *stream, struct openmpi_read_block *block)
{
  block->ranks = openmpi_read_number(stream);
  block->count = openmpi_read_number(stream);
  block->rules = calloc((size_t)block->count, sizeof *block->rules);
  for (long i = 0; i < block->count; i++) {
    struct openmpi_read_rule *rule = &block->rules[i];
    rule->bytes = openmpi_read_number(stream);
    rule->algorithm = openmpi_read_number(stream);
    rule->faninout = openmpi_read_number(stream);
    rule->segment = openmpi_read_number(stream);
    if (i == 0 ? rule->bytes != 0 : rule->bytes <= rule[-1].bytes)
      abort();
  }
}

static inline struct openmpi_read_file openmpi_read(FILE *stream)
{
  struct openmpi_read_file file = {.count = openmpi_read_number(stream)};
  file.collectives = calloc((size_t)file.count, sizeof *file.collectives);
  for (long c = 0; c < file.count; c++) {
    struct openmpi_read_collective *collective = &file.collectives[c];
    collective->id = openmpi_read_number(stream);
    collective->count = openmpi_read_number(stream);
    if (collective->id >= 22)
      abort();
    collective->blocks = calloc((size_t)collective->count, sizeof *collective->blocks);
    for (long b = 0; b < collective->count; b++) {
      openmpi_read_block(stream, &collective->blocks[b]);
      if (b > 0 && collective->blocks[b].ranks <= collective->blocks[b - 1].ranks)
        abort();
    }
  }
  return file;
}

/* The last block, and rule, that is not above; the first block serves smaller communicators, too. NULL: the library
   decides. */
static inline const struct openmpi_read_rule *openmpi_look_up(const struct openmpi_read_file *file, long id, long ranks,
                                                              long bytes)
{
  for (long c = 0; c < file->count; c++) {
    const struct openmpi_read_collective *collective = &file->collectives[c];
    const struct openmpi_read_block *block = collective->blocks;
    if (collective->id != id)
      continue;
    for (long b = 1; b < collective->count && collective->blocks[b].ranks <= ranks; b++)
      block = &collective->blocks[b];
    const struct openmpi_read_rule *rule = block->rules;
    for (long i = 1; i < block->count && block->rules[i].bytes <= bytes; i++)
      rule = &block->rules[i];
    return rule->algorithm ? rule : NULL;
  }
  return NULL;
}

static inline void openmpi_read_free(struct openmpi_read_file *file)
{
  for (long c = 0; c < file->count; c++) {
    for (long b = 0; b < file->collectives[c].count; b++)
      free(file->collectives[c].blocks[b].rules);
    free(file->collectives[c].blocks);
  }
  free(file->collectives);
}

#endif
