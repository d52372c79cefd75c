/* Common parts of writers of targets: step tables on their way into files. */
#ifndef TUTTI_LIBRARIES_EXPORT_H
#define TUTTI_LIBRARIES_EXPORT_H

#include "decision/libraries/libraries.h"

/* ---- for writers ---- */

/* Whether the method applies to @p ranks ranks as it is. */
bool tutti_target_applies(const tutti_method *method, int ranks);

/* For targets that are Tutti's own: sizes are those of a rank, and every method is supported. @{ */
tutti_size_unit tutti_target_unit_rank(tutti_collective collective);
bool tutti_target_supports_all(const tutti_method *method, int ranks);
/* @} */

/* Whether all parameters except segment size and k are at their defaults. Parts are checked by tutti_tuning_runs(). */
bool tutti_target_is_plain(const tutti_method *method);

/* Print lines of text, each after a prefix. NULL prints nothing. */
void tutti_target_print_comment(const char *comment, const char *prefix, FILE *stream);

/* TUTTI_OK, or TUTTI_ERR_IO if the stream failed. */
tutti_status tutti_target_written(FILE *stream, tutti_error *error);

/* ---- step tables in the units of a target ---- */

/* A step. It may begin at any key from min to max, because no call of these communicators has a key between them. */
struct size_rule {
  uint64_t min, max;
  int method;
};

/* The rules of the communicators from `ranks` up to those of the next block. */
struct size_block {
  int ranks, count;
  struct size_rule *rules;
};

struct size_blocks {
  int count;
  struct size_block *items;
};

/* Blocks of a table, equal neighbors joined; rules whose key is above `largest` are left out. Two blocks are equal if
   some keys serve both: thus one block represents a decision about the total of all ranks. Beyond the communicator
   sizes that are all examined, a total is that of the smallest communicator of its block. */
struct size_blocks tutti_size_blocks_create(const tutti_step_table *table, tutti_size_unit unit, uint64_t largest);

void tutti_size_blocks_free(struct size_blocks *blocks);

/* ---- what is lost ---- */

/* Fill in how a decision fares at the points of part->map: points, replaced, before, after, untuned. The file is read
   with the parts before this one, as its library does; for a target without a reader its table is used. */
tutti_status tutti_export_count_loss(const tutti_target *target, const tutti_export_part *others, int count,
                                     tutti_export_part *part, tutti_error *error);

/* What to do where no method of @p classes (reproducible.h) was measured that the target supports: "measure binomial,
   ring". Returns @p text. */
char *tutti_export_remedy(const tutti_target *target, tutti_collective collective, int ranks, unsigned classes,
                          char *text, size_t size);

/* ---- what a library does anyway ---- */

/* Leave to the library what it would run all the same, where its file gets shorter by that, unless all is to be kept;
   merge equal rows. */
tutti_status tutti_export_leave_own_choice(const tutti_target *target, tutti_step_table *table, bool keep,
                                           tutti_error *error);

/* ---- tables of methods ---- */

/* A table with the same rows and methods. */
tutti_step_table tutti_step_table_copy(const tutti_step_table *table);

/* Join neighbors of a row that have the same method. */
void tutti_step_row_join(tutti_step_row *row);

/* Index of a method, which is appended if the table does not have it yet. */
int tutti_step_table_method(tutti_step_table *table, const tutti_method *method);

#endif
