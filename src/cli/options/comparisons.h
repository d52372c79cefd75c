/* What comparisons in the store say of tuning files (tutti compare). They come before what single measurements say:
   their pairs of launches show how much a machine differs from launch to launch, which the noise within a launch does
   not. */
#ifndef TUTTI_CLI_COMPARISONS_H
#define TUTTI_CLI_COMPARISONS_H

#include "cli/options/selection.h"
#include "tutti/tuning_comparison.h"

/* A file that was compared with the library left alone, at points of one collective. */
struct file_comparison {
  int environment; /* index into the contents of the store */
  tutti_collective collective;
  char file[TUTTI_TUNING_DIGEST];
  tutti_scheme scheme;
  int ranks_per_node, rounds, least_rounds;
  tutti_compared_summary all, won, lost; /* over all of its points, those won, those lost */
};

struct file_comparisons {
  TUTTI_VECTOR(struct file_comparison);
};

/* Those of a store whose contents were read, by environment, file and collective; tutti_vector_free(). */
void comparisons_read(tutti_store *store, const tutti_store_contents *contents, struct file_comparisons *comparisons);

enum comparison_verdict {
  COMPARISON_NONE,        /* there is none */
  COMPARISON_FEW,         /* its rounds are too few for any point to be won or lost */
  COMPARISON_CONTRADICTS, /* the file loses somewhere, or wins nowhere */
  COMPARISON_WINS,        /* it wins somewhere, and loses nowhere */
};

/* NULL: there is none. */
enum comparison_verdict comparison_verdict(const struct file_comparison *comparison);

/* The one of a collective that speaks best for tuning, measured on this platform with this library; NULL: none. */
const struct file_comparison *comparisons_best(const struct file_comparisons *comparisons,
                                               const tutti_store_contents *contents, const tutti_environment *measured,
                                               tutti_collective collective);

/* What its file is called: the first digits of its SHA-256. Returns @p text. */
const char *comparison_file(const struct file_comparison *comparison, char text[TUTTI_TUNING_DIGEST]);

/* "a file for bcast, 0f3c27ab19ee, was compared with the library left alone: won at 3 of 14 points, by ...". Owned by
   the caller. */
char *comparison_sentence(const struct file_comparison *comparison);

/* "A comparison comes first: ...", of the best one for what a map is of, in its store; NULL: there is none. Owned by
   the caller. */
char *comparisons_note(const struct selection_options *selected, const struct measured_map *measured);

#endif
