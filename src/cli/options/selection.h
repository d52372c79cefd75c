/* Options that say which measurements of the store a subcommand reads. */
#ifndef TUTTI_CLI_SELECTION_H
#define TUTTI_CLI_SELECTION_H

#include "cli/options/option.h"
#include "tutti/decision.h"
#include "tutti/experiment.h"
#include "tutti/platform.h"
#include "tutti/store.h"
#include "tutti/target.h"

/* ---- under which arrival patterns and noises ---- */

enum { SELECTION_PATTERNS = 16, SELECTION_BASIS = 1280 };

struct selection_patterns {
  int arrival_count, noise_count; /* 0: none */
  tutti_arrival arrivals[SELECTION_PATTERNS];
  tutti_noise noises[SELECTION_PATTERNS];
  bool joins; /* several are joined, as `robust` says */
  tutti_robust robust;
  char basis[TUTTI_SCHEME_COUNT][SELECTION_BASIS]; /* for reports: the scheme, and the patterns unless they are none */
};

/* True if no rank is late, none is interrupted, and no patterns are joined. */
bool selection_patterns_are_none(const struct selection_patterns *patterns);

/* How many pairs of an arrival pattern and a noise there are, at least 1; and the pair with that number. */
int selection_patterns_count(const struct selection_patterns *patterns);
void selection_patterns_pair(const struct selection_patterns *patterns, int pair, tutti_selection *selection);

/* ---- which measurements ---- */

struct selection_options {
  const char *database;
  bool database_given;                /* on the command line */
  const char *platform_argument;      /* as given: a name, or the path of a file */
  tutti_selection selection;          /* but for its collective */
  const char *engine;                 /* which is its flavor, too */
  const char *points;                 /* an experiment file: only what it asks for; NULL: everything */
  struct option_numbers ranks, sizes; /* only these; none: all */
  int root;                           /* -1: any */
  bool optional;                      /* the platform may be missing */
  bool natives;                       /* native methods can be best */
  bool rounds_apart;                  /* so can methods whose ranks may get sums that differ in their last bits */
  unsigned reproducible;              /* classes that reductions must have to be best; 0: none (reproducible.h) */
  bool one_tree;                      /* the decision gets one tree for all sizes, whatever is best at each */
  int implementation;                 /* a tutti_implementation, whose methods can be best; -1: by what was measured */
  struct selection_patterns patterns;
  const struct bench_command *wanted; /* what commands that measure ask for; NULL: the usual points */
  char platform[TUTTI_PLATFORM_NAME_LENGTH];
  char hash[TUTTI_HASH_LENGTH]; /* of the file as it is now, where --platform was its path, and nothing says another */
};

/* Rows for a tutti_selection: under what was measured, on a platform, with a flavor. */
extern const struct option_row environment_table[];

/* The same with the scheme, the flavor, the platform file and the ranks per node; scheme must be -1 before. */
extern const struct option_row measured_table[];

/* Rows for a struct selection_options: which maps, and whose methods can be best in them; root and implementation must
   be -1 before. */
extern const struct option_row maps_table[];

/* Rows for a struct selection_patterns that are not joined. */
extern const struct option_row every_pattern_table[];

/* Rows for a struct selection_options: all that it needs, defaults included; and for a command that can do without a
   platform, or not always needs one. */
extern const struct option_row selection_table[], optional_selection_table[];

/* Take the only platform of the store where none was given, which a line on standard error says; the error lists what
   there is. For commands with an optional one. */
void selection_need_platform(struct selection_options *options);

/* The only platform of a store that was measured with a flavor, or any if that is NULL, likewise; "" if there is none,
   or no store. Into TUTTI_PLATFORM_NAME_LENGTH bytes. The error lists several. */
void selection_only_platform(const char *database, const char *flavor, char *platform);

/* Die: no platform was measured with the flavor that is asked for; the message lists those of others. */
void selection_fail_platform(const char *database);

enum { SELECTION_FLAVOR = 32 };

/* A map, and under what it was measured or by what it was predicted. */
struct measured_map {
  tutti_decision_map map;
  const char *platform;   /* belongs to the options */
  const char *basis;      /* "scheme" of measurement, or "model" */
  const char *basis_name; /* which, and the patterns that were selected; belongs to the options, too */
  tutti_scheme scheme;    /* of the measurements, as what follows */
  int root, ranks_per_node;
  char flavor[SELECTION_FLAVOR];            /* "" of predictions */
  char hash[TUTTI_HASH_LENGTH];             /* of the platform file; "" of real machines, and of predictions */
  char library[TUTTI_PLATFORM_NAME_LENGTH]; /* its library, and which version */
  int64_t environment;                      /* its number in the store */
  int cores;                                /* of a node; 0: not known */
  bool told;                                /* the library ran under a tuning file, or was told algorithms */
};

/* Read a platform, a name or the path of its file, as --platform does; a path means the file as it is now. */
tutti_status selection_read_platform(struct selection_options *options, const char *text, tutti_error *error);

/* Read the selected measurements of all collectives, owned by the caller; a root selects among those that have one. */
tutti_status selection_read_all(const struct selection_options *options, tutti_measurement **measurements,
                                size_t *count, tutti_error *error);

/* Read the selected measurements of a collective into a map, which the caller frees; one that joins several if they
   were taken under several patterns. */
tutti_status selection_read_map(const struct selection_options *options, tutti_collective collective,
                                struct measured_map *measured, tutti_error *error);

/* The same of the measurements with the library of an implementation, where there are such and others, and options do
   not say which. */
tutti_status selection_read_map_of(const struct selection_options *options, tutti_implementation implementation,
                                   tutti_collective collective, struct measured_map *measured, tutti_error *error);

/* Let those methods be best that an implementation runs, where such were measured, and what its library chooses itself,
   if that is the library that was measured; unless options say otherwise. */
void selection_choose(const struct selection_options *options, tutti_implementation implementation,
                      struct measured_map *measured);

/* Mark which methods are the own choice of the measured library, if those that can be best are its. */
tutti_status selection_mark_own_choice(struct measured_map *measured, tutti_error *error);

/* Choose and mark so. */
tutti_status selection_choose_for_library(const struct selection_options *options, tutti_implementation implementation,
                                          struct measured_map *measured, tutti_error *error);

/* Print a note on standard error if a target's library has algorithms of its own and Tutti's stand for them. */
void selection_note_stand_in(const struct measured_map *measured, const tutti_target *target);

/* Choose and mark so, and let a decision be judged by that. Of a file of the measured library, own choices are those
   that were measured. */
void selection_judge(const struct selection_options *options, tutti_implementation implementation,
                     tutti_decision *decision, struct measured_map *measured);

/* Candidates of the map, unless its methods are another implementation's: those that options ask for. */
tutti_candidates selection_candidates(const struct selection_options *options, const tutti_decision_map *map);

/* Whether it is a library, and the one that was measured. */
bool selection_measured_library(const struct measured_map *measured, tutti_implementation implementation);

/* ---- selection_cut.c ---- */

/* Move the measurements on the ranks and of the sizes that options name to the front, and set their number; a note
   names what is not there. TUTTI_ERR_ARGUMENT if nothing is left. */
tutti_status selection_cut(const struct selection_options *options, tutti_measurement *measurements, size_t *count,
                           tutti_error *error);

/* ---- selection_commands.c: what there is, and commands to be pasted ---- */

/* What the store has, nothing if it cannot be read; tutti_store_contents_free(). */
tutti_store_contents selection_contents(const struct selection_options *options);

/* The number that a query of its store gives (tutti_store_number()) for one text or two; 0 if it cannot be read. */
int64_t selection_number(const struct selection_options *selected, const char *sql, const char *first,
                         const char *second);

/* The platform that was meant by one that is neither in the store nor a file; NULL: it is, or nobody knows. */
struct tutti_guess;
const char *selection_guess_platform(const struct selection_options *options, struct tutti_guess *guess);

/* TUTTI_ERR_ARGUMENT: the store, which is read, has no such platform, nor is it a file, but one of a similar name. */
tutti_status selection_check_platform(const struct selection_options *options, tutti_error *error);

/* TUTTI_ERR_ARGUMENT: what a library does here was to be stored under the name of a simulated platform. Names under
   which such rows are in the store stay as they are. */
tutti_status selection_check_real(const char *database, const char *platform, const char *flavor, tutti_error *error);

/* The command that measures a collective, to be pasted; where there is a map, at its points. Owned by the caller. */
char *selection_bench_command(const struct selection_options *options, tutti_collective collective,
                              const struct measured_map *measured);

/* The same of one method at one point, of what the library chooses itself with all that it can be told to run, as the
   map was measured unless its flavor is another one. Of a map that there is not only the flavor is looked at; "": any.
 */
char *selection_bench_call(const struct selection_options *options, const struct measured_map *measured,
                           const tutti_method *method, int ranks, uint64_t bytes);

/* A command about the measurements of a map, "compare untuned FILE" or the like, to be pasted: with the options that
   chose them and, where it launches, the settings that they were measured under. Owned by the caller. */
char *selection_command(const struct selection_options *options, const struct measured_map *measured, const char *words,
                        bool launches);

/* ---- selection_hints.c: what is left out, and what to do where nothing is left ---- */

/* No measurement matches: the error says what to measure. @p under: " under arrival ...", or "". */
tutti_status selection_fail_empty(const struct selection_options *options, tutti_collective collective,
                                  const char *under, tutti_error *error);

/* There is no store: likewise. */
tutti_status selection_fail_missing(const struct selection_options *options, tutti_collective collective,
                                    tutti_error *error);

/* selection_need_platform() of a command about a collective, which the error about a store that is missing names. */
void selection_need_store(struct selection_options *options, tutti_collective collective);

/* Whether the platform is in the store, or a file. */
bool selection_knows_platform(const struct selection_options *options);

/* False if the platform is in the store, but without the environment, or the library, that the options name. */
bool selection_knows_environment(const struct selection_options *options);

/* Print a note if native methods only were measured, though options do not ask for these. */
void selection_note_native(const struct selection_options *options, const struct measured_map *measured);

/* Print a note: methods that round apart, such as this one, are the fastest at some points, and not asked for.
   @p database NULL: they were not measured. */
void selection_note_rounds_apart(const char *database, const char *platform, const tutti_method *method, size_t points);

/* The same of a map, if it has such points. */
void selection_note_map_apart(const char *database, const char *platform, const tutti_decision_map *map);

/* Print a note on @p outdated measurements that were left out: tutti_store_outdated(). */
void selection_note_outdated(const struct selection_options *options, size_t outdated);

/* Print a note on rows of a kind that the platform file as it is now leaves out. TUTTI_COLL_COUNT: of any collective.
 */
void selection_note_older(const struct selection_options *options, tutti_store_entry_kind kind,
                          tutti_collective collective);

/* For reports: the scheme, and the patterns unless they are none; belongs to the options. */
const char *selection_basis_name(const struct selection_options *options, tutti_scheme scheme);

#endif
