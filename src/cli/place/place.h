/* tutti place: where an algorithm stands among all others: the parts of the command. */
#ifndef TUTTI_CLI_PLACE_H
#define TUTTI_CLI_PLACE_H

#include "base/table.h"
#include "cli/map/map_report.h"
#include "tutti/platform.h"

struct place_options {
  const char *subject;  /* FILE.c, FILE.so, FILE.xml or METHOD */
  const char *platform; /* name or path */
  const char *engine;
  const char *scheme;                 /* NULL: as bench does */
  const char *methods;                /* the others; NULL: all */
  const char *prefix;                 /* of the files that are written; NULL: by the name of the algorithm */
  const char *database;               /* NULL: PREFIX.db */
  struct option_numbers ranks, sizes; /* none: those that make sense */
  int jobs;                           /* 0: as bench does */
  int top;                            /* methods that are listed */
  bool quiet;
  tutti_format format;
};

/* ---- the algorithms (place_subject.c) ---- */

/* Measurements, and what chose them. */
struct place_map {
  struct selection_options selected;
  struct measured_map measured;
};

/* One of them, and what was found of it. */
struct placed {
  tutti_method method;
  char name[TUTTI_METHOD_LENGTH]; /* "bcast/mine", "bcast/chain/8KB/k=2" */
  bool any;                       /* without parameters: all usual forms */
  char *reason;                   /* why it is wrong; NULL: it is proven */
  int proven;                     /* the most ranks that it is proven on */
  char *verdict;                  /* a sentence */
  struct place_map *among;        /* all methods of its collective; owned */

  size_t points;    /* at which it was measured, and those at which */
  size_t won, tied; /* it is the fastest, or as fast as the fastest other one */
  size_t optimal;   /* no method can be faster by more than 1 %, */
  size_t in_model;  /* and others where none is under the round model */
  double mean, median, max;
  int rank, of;      /* among the methods, in the mean; rank 0: it does not serve all points, */
  tutti_method best; /* and its form that does */
  double gain;       /* most percent over the best of the others, NaN: it is nowhere the fastest, */
  tutti_method over;
  int over_ranks;
  uint64_t over_size;
};

struct place {
  const struct place_options *options;
  int scheme; /* a tutti_scheme; -1: any */
  tutti_platform platform;
  struct option_numbers ranks, sizes; /* that are measured; owned */
  char *prefix, *database;
  TUTTI_VECTOR(struct placed);
  tutti_table points, methods; /* of place_point and place_method, of all algorithms */
};

/* Fill in the algorithms that the subject names: compile and load it, if it is a file. Dies if it is none. */
void place_read_subject(struct place *place);

/* The prefix of the files of an algorithm: of several each has one of its own. Owned by the caller. */
char *place_prefix_of(const struct place *place, const char *prefix, size_t index);

/* The usual segments, beside "none". */
#define PLACE_SEGMENTS "none,8KB,64KB"

/* ---- proofs and points (place_points.c) ---- */

/* The root that the one algorithm is for; 0 of any. */
int place_root(const struct place *place);

/* Choose the numbers of ranks and the sizes that are measured, unless they were given. Dies of more messages than can
   be simulated in reasonable time. */
void place_choose_points(struct place *place);

/* Prove each algorithm on a few ranks up to 33, or on those that are @p measured; false: one is wrong, and has its
   reason. */
bool place_prove(struct place *place, bool measured);

/* What is measured of a collective: all methods, or those of --methods, and with @p mine those that are placed and are
   not among them; NULL: all. Owned by the caller. */
char *place_methods(const struct place *place, tutti_collective collective);

/* ---- where they stand (place_standing.c) ---- */

/* An algorithm at a point. */
struct place_point {
  const char *algorithm; /* name of the struct placed */
  int ranks;
  uint64_t size;
  int rank; /* 1: no other is faster */
  tutti_method method;
  double time;
  tutti_method other; /* the fastest of the others; without an algorithm: there is none */
  double other_time;
  double penalty; /* percent over the fastest */
  double gain;    /* what the others take more, in percent; NaN: they do not */
  double bound;   /* of any method (tutti/certificate.h); NaN: not known */
  double gap;     /* percent over that */
};

/* A method over all points at which an algorithm was measured. */
struct place_method {
  const char *algorithm;
  tutti_method method;
  int rank; /* by the mean; 0: it was not measured at all of them */
  double mean, median, max;
  size_t points, won; /* that it serves, and where no method is faster */
  bool mine;
};

/* Read the measurements at the points into the map of an algorithm. */
void place_read_map(const struct place *place, struct placed *placed);

/* Fill in where it stands there, and append its rows to the tables of the place. */
void place_stand(struct place *place, struct placed *placed);

/* ---- output (place_print.c, place_files.c) ---- */

extern const tutti_column place_point_columns[], place_method_columns[];
enum { PLACE_POINT_COLUMNS = 12, PLACE_METHOD_COLUMNS = 9 };

/* The sentence about an algorithm; owned by the caller. */
char *place_verdict(const struct placed *placed);

/* The rows of an algorithm, at most @p top of the methods and its own. The rows are owned by the table. */
tutti_table place_points_of(const struct place *place, const struct placed *placed, bool won);
tutti_table place_methods_of(const struct place *place, const struct placed *placed, size_t top);

/* Text about an algorithm below the verdicts, in the map that it stands in. */
void place_print(const struct place *place, const struct placed *placed, const struct map_report *report);

/* JSON, CSV or LaTeX of all. */
void place_print_document(const struct place *place);

/* Write the figures and tables of an algorithm. Returns their names with blanks before each; owned by the caller. */
char *place_write_files(const struct place *place, const struct placed *placed, const struct map_report *report);

#endif
