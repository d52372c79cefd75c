/* Options that say which measurements of the store a subcommand reads. */
#ifndef TUTTI_CLI_SELECTION_H
#define TUTTI_CLI_SELECTION_H

#include "cli/options/option.h"
#include "tutti/decision.h"
#include "tutti/experiment.h"
#include "tutti/store.h"

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
  bool database_given;           /* on the command line */
  const char *platform_argument; /* as given: a name, or the path of a file */
  tutti_selection selection;     /* but for its collective */
  const char *points;            /* an experiment file: only what it asks for; NULL: everything */
  int root;                      /* -1: any */
  bool optional;                 /* the platform may be missing */
  bool natives;                  /* native methods can be best */
  struct selection_patterns patterns;
  char platform[TUTTI_PLATFORM_NAME_LENGTH];
};

/* Rows for a struct selection_options: all that it needs, defaults included. A command that can do without a platform
   sets `optional` by an OPTION_BEGIN() of its own. */
extern const struct option_row selection_table[];

/* A map, and under what it was measured or by what it was predicted. */
struct measured_map {
  tutti_decision_map map;
  const char *platform;   /* belongs to the options */
  const char *basis;      /* "scheme" of measurement, or "model" */
  const char *basis_name; /* which, and the patterns that were selected; belongs to the options, too */
  tutti_scheme scheme;    /* of the measurements, as what follows */
  int root, ranks_per_node;
};

/* What to ask the store for about one pair of an arrival pattern and a noise, which --points narrows: its scheme,
   flavor and platform file are those of the experiment unless options say otherwise. */
struct selection {
  tutti_selection store;
  tutti_experiment experiment; /* empty without --points */
  char hash[TUTTI_HASH_LENGTH];
};

/* selection_close() in any case. */
tutti_status selection_open(const struct selection_options *options, tutti_collective collective, int pair,
                            struct selection *chosen, tutti_error *error);
void selection_close(struct selection *chosen);

/* Read the selected measurements of all collectives, owned by the caller; a root selects among those that have one. */
tutti_status selection_read_all(const struct selection_options *options, tutti_measurement **measurements,
                                size_t *count, tutti_error *error);

/* Read the selected measurements of a collective into a map, which the caller frees; one that joins several if they
   were taken under several patterns. */
tutti_status selection_read_map(const struct selection_options *options, tutti_collective collective,
                                struct measured_map *measured, tutti_error *error);

/* For reports: the scheme, and the patterns unless they are none; belongs to the options. */
const char *selection_basis_name(const struct selection_options *options, tutti_scheme scheme);

#endif
