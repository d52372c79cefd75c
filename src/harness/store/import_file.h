/* Importing: what the readers of the formats share. */
#ifndef TUTTI_STORE_IMPORT_FILE_H
#define TUTTI_STORE_IMPORT_FILE_H

#include "base/memory.h"
#include "base/text.h"
#include "harness/store/import_states.h"
#include "tutti/import.h"

/* Settings of the library, as far as the lines up to here show; texts are owned. */
struct import_setting {
  char *name, *value; /* value NULL: it is mentioned, but not understood */
  size_t line;
};

struct import_setting_list {
  TUTTI_VECTOR(struct import_setting);
  void *index; /* place + 1 by name */
};

enum { IMPORT_COMPONENTS = 64 };

struct import_names {
  TUTTI_VECTOR(char *); /* owned */
};

struct import_settings {
  struct import_names components; /* names of settings that choose one; too many from IMPORT_COMPONENTS + 1 on */
  struct import_setting_list lasting, of_launch; /* on the line that starts the ranks: over with the next such line */
  int64_t mentions[TUTTI_COLL_COUNT + 1];        /* current settings that are not understood; last: of any collective */
  int64_t foreign[TUTTI_COLL_COUNT + 1];         /* those of Intel MPI and MVAPICH that choose */
  uint64_t changes;                              /* so far */
};

/* Which method a row was of: rows that follow each other mostly have the same answer. */
struct import_answer {
  bool known;
  tutti_collective collective;
  int ranks;
  uint64_t changes; /* of the settings until then */
  tutti_method method;
  char *settings; /* owned, or NULL */
};

/* What the last line that starts ranks says, or the head of the job; 0: unknown. */
struct import_launch {
  int ranks, ranks_per_node, nodes;
  bool several; /* on that line: their settings are not those of one of them */
  size_t line;
};

/* The rows that follow each other with as many words: the first has a digit in front; the last ends, after its point or
   exponent, in at least so many letters. */
struct import_rows {
  size_t words, decimals;
  bool numbered;
};

/* What was not understood last, and the table that is passed over. */
struct import_passing {
  const char *why; /* literal; NULL: it is counted */
  char what[TUTTI_ERROR_LENGTH];
  bool of_table;
  const char *left_why; /* NULL: no table is passed over */
  char left[TUTTI_ERROR_LENGTH];
  size_t left_line;
  uint64_t rows; /* of that table */
};

/* One file on its way. */
struct import_file;

/* Takes a line of a table. */
typedef tutti_status import_take(struct import_file *file, char *line, tutti_error *error);

struct import_file {
  const tutti_import_how *how;
  struct import_settings settings;
  struct import_answer answer; /* the last one */
  struct import_launch job, launch;
  bool failed;                 /* a launcher reported failed ranks */
  char words[IMPORT_SETTINGS]; /* settings of the rows that follow: form=persistent. tutti_import_set_words() @{ */
  bool untold;                 /* those of the library that are read do not choose their method @} */
  struct import_passing *passing;
  tutti_imported *imported;
  const char *name;
  size_t line;
  char program[TUTTI_IMPORT_PROGRAM];
  struct osu_state osu;
  struct imb_state imb;
  struct repro_state repro;
  struct nccl_state nccl;
  struct ompi_state ompi;
  struct csv_state csv;
  struct import_table pico;
  import_take *take_pico; /* reads the lines under the headings of a table of PICO; NULL: no headings yet */
};

/* A format: does only it print this line? Take a line, which may be changed. End, which frees as well; @p status is
   that of the file up to there, and is returned if it is a failure. */
struct import_reader {
  bool (*recognizes)(const char *line);
  import_take *take;
  tutti_status (*end)(struct import_file *file, tutti_status status, tutti_error *error); /* NULL: nothing to do */
};

extern const struct import_reader tutti_import_osu, tutti_import_imb, tutti_import_repro, tutti_import_pico,
    tutti_import_nccl, tutti_import_ompi, tutti_import_csv;

/* Lines before the first that identifies nccl-tests may name the benchmark. */
void tutti_import_note_nccl(struct import_file *file, const char *line);

/* ---- import_passed.c: what is passed over; reasons are literals ---- */

/* A line, or a table with its rows to come, that is not understood: TUTTI_ERR_ARGUMENT FILE:LINE: WHY: WHAT. @{ */
tutti_status tutti_import_fail(const struct import_file *file, tutti_error *error, const char *why, const char *format,
                               ...) __attribute__((format(printf, 4, 5)));
tutti_status tutti_import_fail_table(const struct import_file *file, tutti_error *error, const char *why,
                                     const char *format, ...) __attribute__((format(printf, 4, 5)));
/* @} */

/* Pass over such a failure, unless the reading is strict; other statuses are returned. */
tutti_status tutti_import_go_on(const struct import_file *file, tutti_status status);

/* Pass over a line, or a table with its rows to come, that is understood and of another kind. @{ */
void tutti_import_pass(const struct import_file *file, const char *why, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void tutti_import_leave(const struct import_file *file, const char *why, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* @} */

/* Whether a row without headings is one of a table that is passed over. */
bool tutti_import_leaves_row(const struct import_file *file);

/* Whether the last line of a file, which has no end, is a row that was cut off: it has fewer words than those before
   it, or fewer decimals at its end. Note another line. @{ */
bool tutti_import_is_cut_off(const struct import_rows *rows, const char *line);
void tutti_import_note_row(struct import_rows *rows, const char *line);
/* @} */

/* The table that is passed over ends, if there is one. */
void tutti_import_end_left(const struct import_file *file);

/* ---- import_file.c ---- */

/* Whole numbers, without signs, blanks and words. */
static inline bool tutti_import_whole(const char *text, uint64_t *number)
{
  return tutti_parse_integer(text, 0, UINT64_MAX, number);
}

/* Bytes of a type by the name that MPI has for it; 0: not known. */
uint64_t tutti_import_type_size(const char *name);

/* "type=int", the setting of a reduction whose elements are not those that benchmarks add by default, of that size; "".
 */
const char *tutti_import_type_word(tutti_collective collective, const char *name, char word[IMPORT_TYPE]);

/* The collective that a benchmark names without its prefix, in any case: "Reduce_scatter", "All-to-All", "Broadcast".
 */
bool tutti_import_collective(const char *name, size_t length, tutti_collective *collective);

/* Reasons that several readers have. */
extern const char tutti_import_no_collective[], tutti_import_unequal[], tutti_import_given_up[], tutti_import_wrong[];

/* The settings of the following rows, words NAME=VALUE in alphabetical order, and whether settings of the library leave
   their method alone. */
void tutti_import_set_words(struct import_file *file, bool untold, const char *words);

/* A finite time from 0 on, without signs, blanks and words, in a unit. */
bool tutti_import_time(const char *text, double unit, double *seconds);

/* ---- import_series.c: repetitions in lines of their own ---- */

/* Add one of a point; NULL only makes the point known. Returns its number, in the order of their first ones. */
size_t tutti_import_points_note(struct import_file *file, struct import_points *points, tutti_collective collective,
                                const tutti_measurement *point, const double *time);

/* Append the points, with the medians of their repetitions, and free them. */
tutti_status tutti_import_points_end(struct import_file *file, struct import_points *points, tutti_error *error);
void tutti_import_points_clear(struct import_points *points);

/* ---- import_launch.c ---- */

/* Note whether a line, of any format, starts ranks or reports failed ones. @{ */
bool tutti_import_note_launch(struct import_file *file, const char *line);
void tutti_import_note_failure(struct import_file *file, const char *line);
/* @} */

/* The number of ranks, for files without it: from the caller or the launcher's line, which must agree; 0: unknown. */
tutti_status tutti_import_ranks(const struct import_file *file, int *ranks, tutti_error *error);

/* The same for files that may contain it: then *ranks is that. */
tutti_status tutti_import_own_ranks(struct import_file *file, int *ranks, tutti_error *error);

/* Ranks per node: the caller's number, else the launcher's line, else 1. */
int tutti_import_ranks_per_node(const struct import_file *file, int ranks);

/* ---- import_settings.c ---- */

/* Note the settings in a line of any format. */
void tutti_import_note_settings(struct import_file *file, const char *line, bool of_launch);
void tutti_import_settings_free(struct import_settings *settings);

/* The current value, on the line of the launch before all others, or NULL. */
const struct import_setting *tutti_import_find_setting(const struct import_settings *settings, const char *name);

/* Whether the value of a variable is read. */
bool tutti_import_reads_setting(const char *name);

/* Whether a setting chooses an algorithm in words of Intel MPI or MVAPICH, which are not read. @p value may be NULL. */
bool tutti_import_is_foreign_choice(const char *name, const char *value);

/* The collective in a name, such as "I_MPI_ADJUST_REDUCE_SCATTER", or TUTTI_COLL_COUNT. */
tutti_collective tutti_import_collective_named(const char *name);

/* The first current setting that may choose the algorithm of the collective and is not understood: a mention, or a
   choice in words of Intel MPI or MVAPICH (foreign); or NULL. */
const struct import_setting *tutti_import_find_choice(const struct import_settings *settings, bool foreign,
                                                      tutti_collective collective);

/* A setting of the line that starts the ranks which forces an algorithm of the collective, or NULL. */
const struct import_setting *tutti_import_find_forced(const struct import_settings *settings,
                                                      tutti_collective collective);

/* ---- import_components.c: which component of a library runs a collective ---- */

/* Whether a setting may choose it. */
bool tutti_import_is_component(const char *name);

/* Remember the names of those that do. @{ */
void tutti_import_note_component(struct import_settings *settings, const char *name);
void tutti_import_names_free(struct import_names *names);
/* @} */

/* Add those that hold to the words of the settings, which are owned by the caller and may be NULL, in alphabetical
   order. */
tutti_status tutti_import_add_components(const struct import_file *file, char **settings, tutti_error *error);

/* NULL: coll/tuned of Open MPI runs the collectives. Else what the setting does, which is written to @p setting. */
const char *tutti_import_goes_before_tuned(const struct import_file *file, char *setting, size_t room);

/* ---- import_method.c ---- */

/* The value of a setting, or of a variable of the environment where that counts; NULL: none. @p context: the file. */
const char *tutti_import_value(const char *name, const void *context);

/* The method that was measured; *settings receives those of a tuning file that the library read, owned by the caller,
   or NULL. */
tutti_status tutti_import_method(struct import_file *file, tutti_collective collective, int ranks, tutti_method *method,
                                 char **settings, tutti_error *error);

/* Add a line FILE:LINE: WHAT to what the report tells, once for each @p what, of which this takes ownership. */
void tutti_import_note_told(const struct import_file *file, char *what);

/* ---- import_names.c ---- */

/* The collective of files that do not record it: the caller's, or that of the only method that was told. */
bool tutti_import_said_collective(const tutti_import_how *how, tutti_collective *collective);

/* An algorithm by the number or name that Open MPI has for it, or the library's own choice ("tuned", "Default"). */
bool tutti_import_named_method(const struct import_file *file, tutti_collective collective, const char *name, int ranks,
                               tutti_method *method);

/* A method by the name in a table: "bcast/binomial@openmpi"; "binomial" of the library, if it has that, else ours; one
   of the above, of Open MPI; all without regard to capitals, blanks and hyphens. Its algorithm stays NULL for a number
   of which the caller told the method. */
bool tutti_import_find_method(const struct import_file *file, tutti_collective collective, const char *text, int ranks,
                              tutti_method *method);

/* ---- import_map.c, import_groups.c: tables by a map ---- */

/* A column in the words of a map, and a cell without the blanks around it, which are cut off. @{ */
const char *tutti_import_map_word(int column);
char *tutti_import_trim(char *cell);
/* @} */

/* Whether the line has all headings of the map, which are then the columns. */
bool tutti_import_map_headings(struct import_file *file, char *line);

/* A line of such a table. */
struct csv_line {
  const char *settings;
  bool untold, whole;
  char **cells;
  int count;
};

/* Note the point of a line, and its time if it is one of several repetitions; append those, and free all. @{ */
void tutti_import_group_note(struct import_file *file, tutti_collective collective, const tutti_measurement *row,
                             struct csv_line line);
tutti_status tutti_import_groups_end(struct import_file *file, tutti_status status, tutti_error *error);
/* @} */

/* ---- import_repeats.c ---- */

/* The number of the point of a row in a set, NULL in the beginning; add makes it 0 of a new one, and that row must stay
   until the set is freed; find returns NULL if there is none. @{ */
int *tutti_import_points_add(void **points, const tutti_measurement *row);
const int *tutti_import_points_find(void *const *points, const tutti_measurement *row);
void tutti_import_points_free(void **points);
/* @} */

/* Store a table of distinct points as new launches of the points that are stored with other times. `all`, NULL in the
   beginning, remembers the stored rows from one table of an import to the next; the items must outlive it. @{ */
tutti_status tutti_import_store_table(const tutti_import_item *items, size_t count, tutti_store *store,
                                      int64_t environment, void **all, tutti_import_stored *counts, tutti_error *error);
void tutti_import_seen_free(void **all);
/* @} */

/* ---- rows ---- */

/* Append a measurement with the settings that hold; its method and ranks per node, if they are not set, are those of
   the caller or the settings. rank_bytes and total_bytes follow from count and type_size. */
tutti_status tutti_import_add(struct import_file *file, tutti_collective collective,
                              const tutti_measurement *measurement, tutti_error *error);

/* Pass over a row, or one of its repetitions, whose time is 0. */
void tutti_import_pass_zero(const struct import_file *file, const tutti_measurement *row);

/* Append an item whose method, ranks, ranks_per_node, table and program are set; it takes the settings over. */
tutti_status tutti_import_append(struct import_file *file, tutti_import_item *item, tutti_error *error);

/* The digest of the nodes of a run; "": they are not known. */
const char *tutti_import_hosts(const tutti_imported *imported, const tutti_import_origin *origin);

/* ---- import_table.c ---- */

/* Cut a line into cells, which are changed; returns how many there are, of which @p cells receives IMPORT_WORDS at
 * most.
 */
int tutti_import_cut(char *line, enum import_cut cut, char **cells);

/* Read the headings of a table whose `known` is set. Returns the text from the first unknown heading on,
   whose column is ignored, or NULL. */
const char *tutti_import_headings(struct import_table *table, char *line);

/* Cut a line into the cells of a table; returns how many there are. */
int tutti_import_cells(struct import_table *table, char *line);

/* Read the numbers among the cells: @p size is that of its column, and @p row receives times and repetitions. Times
   that the table lacks are its medians, or else its means. */
tutti_status tutti_import_numbers(const struct import_file *file, const struct import_table *table, uint64_t *size,
                                  tutti_measurement *row, tutti_error *error);

/* The headings and a line of a benchmark of OSU or IMB. @{ */
tutti_status tutti_import_begin_table(struct import_file *file, struct import_benchmark *benchmark,
                                      const struct import_columns *known, char *line, tutti_error *error);
tutti_status tutti_import_table_row(struct import_file *file, struct import_benchmark *benchmark, tutti_scheme scheme,
                                    char *line, tutti_error *error);
/* @} */

#endif
