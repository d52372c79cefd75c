/* tutti whatif: what its files share. */
#ifndef TUTTI_CLI_WHATIF_H
#define TUTTI_CLI_WHATIF_H

#include "cli/replay/replay_sensitivity.h"
#include "tutti/run_comparison.h"

struct whatif_options {
  const char *platform;
  const char *experiment; /* NULL: replay the trace, or only write the changed platform */
  const char *trace;      /* NULL: none */
  struct replay_setting replay;
  bool sensitivity; /* of the program's time to the machine */
  struct option_strings edits;
  const char *output; /* NULL: the changed platform is in the work directory while it is needed */
  struct option_numbers ranks, sizes;
  const char *engine; /* NULL, and 0 orders: as the experiment says */
  int orders;
  bool all;
  tutti_experiment_words words; /* of a sweep: what sweep_table has */
  bool unverified;              /* plug-ins need no proof */
  tutti_format format;
  size_t chunk;
  struct program_options launch;
};

/* One question and its answer. */
struct whatif {
  const struct whatif_options *options;
  char *paths[2]; /* of the platforms, before and after; owned */
  char names[2][TUTTI_PLATFORM_NAME_LENGTH];
  tutti_places places[2];
  int hosts[2], ranks_per_node[2];
  tutti_edited_platform edited;
  int room;     /* ranks that both platforms have room for */
  int left_out; /* the largest number of ranks that was left out; 0: none was */
  tutti_experiment experiments[2];
  tutti_run_summary summaries[2];
  tutti_run_comparison comparison;
  tutti_speedup speedup;               /* over all points of the comparison */
  double program[2];                   /* of a trace: seconds on both machines */
  tutti_table replayed;                /* of a trace: its parts on both machines */
  struct notes notes;                  /* of a trace: replay_make_notes() of each machine */
  struct sensitivity_rows sensitivity; /* of a trace, where it is wanted: before and after */
};

enum { BEFORE, AFTER };

/* One collective operation from one root. */
struct whatif_map {
  const struct whatif *whatif;
  tutti_decision_map maps[2];
  int root;
  const char *scheme;
  tutti_decision_map_comparison comparison;
};

struct whatif_maps {
  TUTTI_VECTOR(struct whatif_map);
};

/* The maps of the measurements, compared; whatif_maps_free() in any case. */
void whatif_maps_read(const struct whatif *whatif, struct whatif_maps *maps);
void whatif_maps_free(struct whatif_maps *maps);

/* Cells of each of its maps. */
size_t whatif_map_points(const struct whatif_map *map);

/* @{ Text of one: all of it; only the letters, decision maps and crossovers. */
void whatif_map_print(const struct whatif_map *map);
void whatif_map_print_letters(const struct whatif_map *map);
/* @} */

/* The crossovers of a struct whatif_map as a nested table. */
void whatif_nest_crossovers(tutti_table *table, const void *row);

/* The table "maps" of JSON, and that of all their points for CSV. */
tutti_table whatif_map_table(const struct whatif_maps *maps);
tutti_table whatif_point_table(const struct whatif_maps *maps);

/* The speed-up before / after; NaN unless both times are above 0. */
double whatif_ratio(double before, double after);

/* Columns of the members before, after and speedup of a row. */
#define WHATIF_TIME_COLUMNS(row_type, before_key, after_key)                                                           \
  {"before", before_key, CELL_MICROSECONDS(row_type, before), .width = 13},                                            \
      {"after", after_key, CELL_MICROSECONDS(row_type, after), .width = 13},                                           \
  {                                                                                                                    \
    "speed-up", "speedup", TUTTI_FIELD(row_type, speedup), .decimals = 3, .width = 8                                   \
  }

/* All of it, on standard output, in the format that the options ask for. */
void whatif_print(const struct whatif *whatif);

/* ---- whatif_trace.c ---- */

/* Replay the trace on both machines, into whatif->replayed. */
void whatif_replay(struct whatif *whatif);

#endif
