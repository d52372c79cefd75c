/*
 * The report: one self-contained HTML page about a store, without anything from the network and without a date: the
 * same store gives the same bytes. Without JavaScript the decision maps are tables of letters. Their data are in the
 * page once, as JSON in the element with the id "tutti-data":
 *
 *     {"losses": [{"least": 5, "text": "5 to 10 %", "colour": "#fee391", "ink": "#000"}, ...],   percent, ascending
 *      "maps": [{"collective": "bcast", "platform": "grig_mx", "ranks": [2, 4], "sizes": [1, 1024],
 *       "methods": [{"name": "bcast/linear", "letter": "A", "colour": "#e69f00", "ink": "#000",
 *                    "candidate": true}, ...],           a background of CSS, and the color of text on it
 *       "measured": 75,                                    this many first methods have times
 *       "times_us": [[12.3, 14.5, null, ...], ...],        a list a point, ranks by ranks; null: not measured
 *       "noise_us": [[0.2, 1.1, 0, ...], ...],             the same, of real machines: uncertainty of the times
 *       "best": [0, 3, ...],                               methods, a point each; -1: none
 *       "layers": [{"name": "library:mpich-4.0", "picks": [0, 3, ...], "loss_percent": [0, 12.3, null, ...]}]}]}
 */
#ifndef TUTTI_CLI_REPORT_H
#define TUTTI_CLI_REPORT_H

#include "cli/options/comparisons.h"
#include "cli/options/selection.h"
#include "cli/report/html.h"

/* ---- content ---- */

struct report_options {
  const char *database, *title, *output, *plots;
  tutti_format format; /* of what is printed instead of the page */
  struct option_strings platforms, decision_names;
  tutti_selection only;
  const char *engine;                 /* a flavor: rows that another engine simulated are left out; NULL: none are */
  struct selection_options maps;      /* root, patterns and candidates */
  struct selection_options *selected; /* [platforms.count] their names, and the hashes of their files */
  tutti_decision *decisions;          /* [decision_count] asked beside libraries and models */
  int decision_count;
  tutti_experiment *experiments; /* [experiment_count] whose claims are compared with what was measured */
  int experiment_count;
};

/* A decision function at the points of a map. */
struct report_layer {
  char *name;
  const char *kind; /* "given", "recommended", "library", "native", "model", "best single method" */
  int *picks;       /* [ranks_count][size_count] index into the shown methods of the map; -1: no answer */
  double *percents; /* [ranks_count][size_count] penalty; NaN: the pick was not measured, or is missing */
  tutti_penalty penalty;
};

/* The platform file of a map, if there are maps of several files of its platform. */
enum report_file {
  REPORT_FILE_ALONE,  /* the file as it is now, or the only one */
  REPORT_FILE_OLDER,  /* the file as it was before; such maps come last */
  REPORT_FILE_UNKNOWN /* no file of that name is found */
};

/* A decision map of the report. */
struct report_map {
  int environment; /* index into the contents */
  enum report_file file;
  tutti_scheme scheme;
  int ranks_per_node, root;
  uint64_t type_size;
  tutti_arrival arrival;
  tutti_noise noise;
  int min_repetitions, max_repetitions;
  size_t points; /* measured */
  tutti_decision_map map;
  int shown_count;     /* methods of the map, then those that only decision functions pick */
  tutti_method *shown; /* [shown_count] */
  bool *marked;        /* [shown_count] best or picked somewhere, so that it has letters */
  bool *best;          /* [shown_count] best somewhere: numbers of its letters are those of `tutti map` */
  int layer_count;
  struct report_layer *layers; /* those that answer for at least one point */
  char *rules;                 /* the tree that is recommended, a line a node; NULL: none */
  bool has_file;               /* it can be a file for the library */
  char *written;               /* the loss of the written file there, NULL: none; without a file the reason */
};

/* What the page shows; the pictures of the report show the same. */
struct report {
  const struct report_options *options;
  tutti_store *store;
  tutti_store_contents contents; /* of the selected rows */
  struct file_comparisons comparisons;
  int map_count;
  struct report_map *maps;
};

/* Read the store and ask every decision function at every map: the libraries (library.h), models by formula where
   parameters of the platform are in the store, the best single method, and those of the options. Options and store must
   live as long. */
void report_create(const struct report_options *options, tutti_store *store, struct report *report);
void report_free(struct report *report);

/* Ask every decision function at the points of a map, and mark which methods are best or picked anywhere (layers.c). */
void report_ask_decisions(const struct report *report, struct report_map *map);

/* Mark which methods are the library's own choice, so that they have its times, as in all commands. */
void report_mark_own_choice(const tutti_environment *environment, tutti_decision_map *map);

/* Learn the rules of a map that are recommended, as a decision to be freed, and set map->rules; false: there are none.
 */
bool report_recommend(const struct report *report, struct report_map *map, tutti_decision *decision);

/* Whether the recommended rules equal the library's own choice everywhere, so that there is nothing to install. */
bool report_recommends_native(const struct report_map *map);

const tutti_environment *report_environment(const struct report *report, const struct report_map *map);

/* The map as other commands print and draw one. */
struct measured_map report_measured(const struct report *report, const struct report_map *map);

enum { REPORT_ANY = -1 };

/* How many rows there are of a tutti_store_entry_kind, of a tutti_result_kind and of an environment, each of which may
   be REPORT_ANY. */
size_t report_rows(const struct report *report, int kind, int result, int environment);

/* ---- the page ---- */

void report_write(const struct report *report, FILE *stream);

/* Print the content of a section; a section that prints nothing is not on the page. */
typedef void report_section(const struct report *report, FILE *out);

report_section section_overview, section_platforms, section_maps, section_penalties, section_groups, section_results,
    section_claims, section_provenance;

/* What decision functions lose over all points of a map, and a sentence on the libraries left alone. @{ */
void report_print_losses(const struct report *report, const struct report_map *map, FILE *out);
void report_print_gain(const struct report *report, const struct report_map *map, FILE *out);
/* @} */

/* The comparison that speaks best for tuning the collective of a map on its machine; NULL: there is none. */
const struct file_comparison *report_compared(const struct report *report, const struct report_map *map);

/* What a comparison of a file for the collective of a map found, as a paragraph; nothing if there is none. */
void report_print_compared(const struct report *report, const struct report_map *map, FILE *out);

/* What comparisons found, as a table, in the overview; and of programs. @{ */
void report_print_comparisons(const struct report *report, FILE *out);
tutti_table report_comparison_table(const struct report *report);
/* @} */

/* Its name, of a library without "library:". */
const char *report_layer_name(const struct report_layer *layer);

/* The recommended rules of a map, and the commands that make a file of them for the library, and on a real machine
   measure what it wins; nothing if there are none. */
void report_print_rules(const struct report *report, const struct report_map *map, FILE *out);

/* A link to an environment in the section on provenance, "E1": the number that the store and --environment have. */
void page_environment(FILE *out, const struct report *report, int environment);

/* The program that measured: the version of Tutti, "Tutti 0.1.0", or the one that was imported, "osu-7.3". */
char *page_program(const tutti_environment *environment, char text[TEXT_LENGTH]);

/* The command that gives the numbers above, as a paragraph with a link to their environment. */
void page_source(FILE *out, const struct report *report, int environment, const char *command);

enum { MAP_TITLE_LENGTH = 2 * TUTTI_PLATFORM_NAME_LENGTH + TUTTI_ARRIVAL_LENGTH + TUTTI_NOISE_LENGTH + 192 };

/* Title of a map: "bcast on grig_mx", with what tells it from others like it ("MPICH-4.2.1", "root 3"). */
char *page_map_title(const struct report *report, const struct report_map *map, char title[MAP_TITLE_LENGTH]);

/* The letters of a shown method of a map, into REPORT_LETTERS_LENGTH bytes. */
const char *page_letters(const struct report_map *map, int method, char *letters);

/* "9", or "9 to 200": how often a point of the map was repeated. */
char *page_repetitions(const struct report_map *map, char text[TEXT_LENGTH]);

/* The colors of the methods of all maps, for the style sheet of the page. */
void report_print_map_styles(const struct report *report, FILE *out);

/* The data of all maps as JSON. */
void report_write_data(const struct report *report, FILE *out);

/* ---- commands and queries that give the numbers of the report again (sources.c) ---- */

#define COMMAND_LENGTH 1024

/* "tutti params grig_mx --compare": measures parameters, and compares them with published ones. */
char *command_of_parameters(const struct report *report, int environment, char text[COMMAND_LENGTH]);

/* "tutti map bcast --platform grig_mx --db my.db": @p subcommand with what selects the environment, and options only
   where something else in the store would match, too. */
char *command_of_environment(const struct report *report, const char *subcommand, int environment,
                             char text[COMMAND_LENGTH]);

/* The same of the measurements of a map. */
char *command_of_map(const struct report *report, const char *subcommand, const struct report_map *map,
                     char text[COMMAND_LENGTH]);

/* The command that measures the algorithms of a library at the points of a map. Owned by the caller. */
char *command_of_bench(const struct report *report, const struct report_map *map);

/* The rows of a map or of other entries, in SQL. */
char *query_of_map(const struct report *report, const struct report_map *map, char text[COMMAND_LENGTH]);
char *query_of_entry(const struct report *report, const tutti_store_entry *entry, char text[COMMAND_LENGTH]);

/* In what maps of one collective and environment can differ. */
enum map_member { MAP_SCHEME, MAP_RANKS_PER_NODE, MAP_ROOT, MAP_TYPE_SIZE };

/* Whether there is another map of the collective and environment that differs in this member. */
bool command_needs(const struct report *report, const struct report_map *map, enum map_member member);

#endif
