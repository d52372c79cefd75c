/* A command that measures, to be pasted. */
#ifndef TUTTI_EXPERIMENTS_BENCH_COMMAND_H
#define TUTTI_EXPERIMENTS_BENCH_COMMAND_H

#include <stdio.h>

#include "tutti/decision_map.h"

/* What to measure. With a map: its points, under the conditions it was measured under. */
struct bench_command {
  tutti_collective collective; /* TUTTI_COLL_COUNT: several that can be called in the place of each other */
  const char *collectives;     /* "bcast,reduce", in the place of that; NULL: that one */
  bool tutti;                  /* Tutti's methods on a real machine; false: those of its library */
  const char *platform;        /* a name, or the path of a file */
  const char *flavor;          /* "": any */
  const char *database;        /* NULL: the default */
  const tutti_decision_map *map;
  const char *settings;      /* of the map, as what follows */
  int cores, ranks_per_node; /* cores 0: not known */
};

/* Owned by the caller. */
char *tutti_bench_command(const struct bench_command *wanted);

/* Print " --platform NAME" with its engine or flavor. A platform file is simulated, and NULL is returned; else the
   library that measures. *ranks: the maximum. */
const char *tutti_bench_place(const char *platform, const char *flavor, int *ranks, FILE *stream);

/* The command with the settings of the map around it; frees @p command. Owned by the caller. */
char *tutti_bench_with_settings(const struct bench_command *wanted, char *command);

#endif
