/* What commands print and write: columns that many tables have, files, progress. */
#ifndef TUTTI_CLI_OUTPUT_H
#define TUTTI_CLI_OUTPUT_H

#include "base/table.h"
#include "base/vector.h"
#include "cli/failure.h"
#include "tutti/job.h"

/* ---- columns; getters find the member that TUTTI_FIELD() names ---- */

/* A uint64_t, a number of bytes: "8KB" as text, else the number. */
void cell_size(tutti_cell *cell, const void *row);

/* A tutti_method: "bcast/binomial/8KB"; none without an algorithm. */
void cell_method(tutti_cell *cell, const void *row);

/* A tutti_collective: "bcast". */
void cell_collective(tutti_cell *cell, const void *row);

/* A tutti_candidates: "tutti", "openmpi, native". */
void cell_candidates(tutti_cell *cell, const void *row);

/* A column of a kind of rows (results/row.h), which is the context of the table's column. */
void cell_row_column(tutti_cell *cell, const void *row);

/* @{ A const char *, what a map is based on: "occ, arrival sorted/1ms" is the scheme "occ" and the patterns after the
   comma, which may be none. */
void cell_basis(tutti_cell *cell, const void *row);
void cell_patterns(tutti_cell *cell, const void *row);
/* @} */

/* Columns of the keys scheme and patterns, not in text. */
#define CELL_SCHEME_COLUMNS(row_type, member)                                                                          \
  {NULL, "scheme", TUTTI_FIELD(row_type, member), .get = cell_basis},                                                  \
  {                                                                                                                    \
    NULL, "patterns", TUTTI_FIELD(row_type, member), .get = cell_patterns                                              \
  }

/* @{ Lists of the axes of a tutti_decision_map, whose place in the row is .at. */
void list_map_ranks(tutti_json *json, const void *row, const tutti_column *column);
void list_map_sizes(tutti_json *json, const void *row, const tutti_column *column);
/* @} */

/* A median time in microseconds. */
#define CELL_MICROSECONDS(row_type, member) TUTTI_FIELD(row_type, member), .unit = "us", .scale = 1e6, .decimals = 3

/* ---- sentences ---- */

/* The unit in which a time is shown: what seconds are multiplied with. */
struct time_unit {
  const char *name, *long_name;
  double scale;
};
struct time_unit time_unit_of(double seconds);

/* What tutti_method_rounds_apart() means. */
#define ROUNDS_APART "ranks may get sums that differ in their last bits"

/* Print a line on standard output; it is folded at the end of the terminal. */
void print_sentence(int indent, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same of a text that was written piece by piece, which is closed: tutti_xopen_text(). */
void print_stream(int indent, struct tutti_text_stream *text);

/* The verdict of a command stands below what it is about; above it, too, if that has more lines than a terminal shows
   at once, so that a reader finds it at either end. Prints it, and an empty line, if @p lines is so many. Where it
   stands above anyway, verdict_again() prints it below, after an empty line. @{ */
void verdict_first(size_t lines, void (*print)(const void *about), const void *about);
void verdict_again(size_t lines, void (*print)(const void *about), const void *about);
/* @} */

/* Append to a text in a buffer of @p length bytes, where it is cut. */
void text_append(char *text, size_t length, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A text with @WORDS@, which are replaced; the list ends with a NULL name. @{ */
struct fill_word {
  const char *name;
  const char *value;
};

void fill_words(FILE *stream, const char *text, const struct fill_word *words);
/* @} */

/* Sentences about what is printed; owned. */
struct notes {
  TUTTI_VECTOR(char *);
};

void notes_free(struct notes *notes);

/* Where ranks of a recording shared cores: "4 ranks took turns on the 2 cores of a node when they were recorded:
   EFFECT; record at most 2 a node", between the texts. 0 cores: their number is not known. */
void notes_add_turns(struct notes *notes, int ranks_per_node, int cores, const char *before, const char *effect,
                     const char *after);

/* A line each. */
void notes_print(const struct notes *notes, FILE *stream);

/* A list of the member, a struct notes. */
void list_notes(tutti_json *json, const void *row, const tutti_column *column);

/* A list of the member, a tutti_passed: what was passed over. */
void list_passed(tutti_json *json, const void *row, const tutti_column *column);

/* A message for standard error: its lines are folded if that is a terminal, but for those that begin with a blank,
   which are to be pasted. Owned by the caller; nothing ends its last line. */
char *fold_message(const char *text);

/* ---- patience: a command that takes long says what it is at: on a terminal after 2 seconds a bar that is redrawn, or
   lines where it does not say what it is at; elsewhere a line after 30 seconds, and at least one a minute ---- */

/* Around the run of a command, called @p program, which lives as long. Commands that show progress of their own end it
   before that: progress_display_show() does, and progress_display_open() where nothing is to be shown. */
void patience_begin(const char *program);
void patience_end(void);

/* What the command is at, and what share of that is done; NAN: not known. NULL: the
   command goes on to print, no bar is in its way. */
void patience_at(const char *phase, double share);

/* ---- progress on standard error: a bar that is redrawn on a terminal, elsewhere a line now and then ---- */

struct progress_display {
  bool quiet;
  bool terminal;
  double shown;                   /* seconds into the run, of the last line */
  bool drawn;                     /* a bar stands in the current line of the terminal */
  double end;                     /* seconds into the run at which it is expected to end; 0: not known */
  double seen, cost;              /* when something new was last done, and the cost that was done then */
  double late_seconds, late_cost; /* of late, and what was done in them */
};

/* Look at standard error once. */
struct progress_display progress_display_open(bool quiet);

/* Show it if it is time to, a message in any case; @p display is a struct progress_display. For
   tutti_run_options.report. */
void progress_display_show(void *display, const tutti_progress *progress);

/* Seconds that the rest is expected to take; NaN: not known, also where the point under way takes longer than it
   should. It counts down: only where the expectation was off by half, as when the rate fell, it begins anew. */
double progress_left(struct progress_display *display, const tutti_progress *progress);

/* A bar for a share, which may be above 1; @p text has at least 32 bytes. Returns @p text. */
char *progress_format_bar(double share, char *text);

/* End the line of the bar. */
void progress_display_close(struct progress_display *display);

/* A number with a comma every three digits; @p text has at least 32 bytes. Returns @p text. */
char *progress_format_count(size_t count, char *text);

/* The same with what is counted after it: "1 process", "1,024 processes"; @p text has at least 64 bytes. */
char *progress_format_things(size_t count, const char *one, const char *many, char *text);

/* "1 min 20 s"; at most two units. @p text has at least 32 bytes. Returns @p text. */
char *progress_format_duration(double seconds, char *text);

#endif
