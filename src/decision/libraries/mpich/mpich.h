/* MPICH's collective selection, a tree of conditions in JSON (src/mpi/coll/src/csel.c):
   names, reading, writing, looking up, and its own decisions. */
#ifndef TUTTI_LIBRARIES_MPICH_H
#define TUTTI_LIBRARIES_MPICH_H

#include "base/json_read.h"
#include "base/vector.h"
#include "decision/libraries/export/export.h"
#include "decision/libraries/libraries.h"
#include "decision/libraries/settings.h"

enum {
#define CODE(identifier, ...) LINT_##identifier,
#include "decision/libraries/mpich/codes.def"
#undef CODE
};

/* ---- conditions ---- */

enum mpich_test {
  TEST_COLLECTIVE,
  TEST_COMM_TYPE,   /* value: 0 intra, 1 inter */
  TEST_RANKS,       /* comm_size<=value */
  TEST_RANKS_LESS,  /* comm_size<value */
  TEST_RANKS_POWER, /* comm_size=pow2 */
  TEST_RANKS_NODE,  /* comm_size=node_comm_size */
  TEST_PPN,         /* comm_avg_ppn<=value; comm_avg_ppn<value is value - 1 */
  TEST_HIERARCHY,   /* value: bits of kinds */
  TEST_CONSECUTIVE, /* is_...: value 1 yes, 0 no */
  TEST_THREADED,
  TEST_COMMUTATIVE,
  TEST_BUILT_IN,
  TEST_IN_PLACE,
  TEST_REGULAR,
  TEST_AVERAGE,     /* avg_msg_size<=value */
  TEST_TOTAL,       /* total_msg_size<=value */
  TEST_COUNT,       /* count<=value */
  TEST_COUNT_POWER, /* count<pow2 */
  TEST_ANY,
  TEST_LEAF,
  MPICH_TESTS
};

/* Kinds of hierarchy. */
enum { KIND_PARENT = 1, KIND_NODE_ROOTS = 2, KIND_NODE = 4, KIND_FLAT = 8, KIND_ALL = 15 };

/* The layers that have selections of their own. */
enum mpich_layer { LAYER_MPIR, LAYER_CH4, LAYER_POSIX, LAYER_VARIABLES /* no selection: control variables */ };

/* A composition, or an algorithm of the shared memory. */
struct mpich_device {
  const char *name, *collective;
  unsigned needs;  /* as those of an algorithm */
  const char *way; /* what it does, a clause */
};
#define MPICH_WHOLE "hands the whole communicator on" /* the way after which MPIR selects */

struct mpich_node {
  enum mpich_test test;
  bool negated;     /* it holds where the test does not */
  long value;       /* of a collective of 5.1: 1 between two groups */
  const char *key;  /* without blanks; owned by the tree */
  const char *word; /* after '=', or the algorithm without MPIR_ */
  size_t at;
  int success, failure;              /* -1: none */
  const struct json *parameters;     /* of a leaf: keys NAME=VALUE */
  const struct mpich_device *device; /* of a leaf of a device layer; NULL: it is not known */
};

/* Begin with {.top = -1}, end with tutti_mpich_selection_free(). */
struct mpich_selection {
  enum mpich_layer layer;
  struct settings settings;
  struct json root;
  struct {
    TUTTI_VECTOR(struct mpich_node);
  } nodes;
  int top;      /* the first collective; -1: none */
  bool renamed; /* in the notation of 5.1 */
  bool broken;  /* MPI_Init does not survive it */
};

void tutti_mpich_selection_free(struct mpich_selection *selection);

/* Read a file, reporting what is wrong with its form. */
void tutti_mpich_read(struct tuning_file *file, struct mpich_selection *selection);

/* ---- renamed.c: conditions in another notation ---- */

/* The first version that has it, as major * 100 + minor; whether a text does. @{ */
enum { MPICH_RENAMED = 501 };
bool tutti_mpich_is_renamed(const char *text, size_t length);
/* @} */

/* Read the condition node->key, and, of a collective, its kind of communicator, which is cut off. @{ */
bool tutti_mpich_read_renamed(struct tuning_file *file, struct mpich_node *node);
void tutti_mpich_cut_group(struct mpich_node *node);
/* @} */

/* The same result as atoi(), and a finding where that is not what is written. */
long tutti_mpich_read_threshold(struct tuning_file *file, const char *text, size_t at);

/* Whether the library evaluates the condition once, when a communicator is made. */
bool tutti_mpich_is_pruned(const struct mpich_node *node);

/* ---- device layers ---- */

enum mpich_layer tutti_mpich_layer(const struct tuning_file *file);

/* How the keys of its leaves begin: "composition=". */
const char *tutti_mpich_leaf_key(enum mpich_layer layer);

/* NULL: the version does not have it. */
const struct mpich_device *tutti_mpich_device(enum mpich_layer layer, const tutti_library_version *version,
                                              const char *name);

/* The device layer's entry for a composition of a collective ("alpha"), and the one that hands the whole communicator
   on. NULL: the version has none. @{ */
const struct mpich_device *tutti_mpich_composition(const tutti_library_version *version, tutti_collective collective,
                                                   const char *word);
const struct mpich_device *tutti_mpich_handing_on(const tutti_library_version *version, tutti_collective collective);
/* @} */

/* The algorithm of the shared memory for a selector ("release_gather"); NULL: there is none. */
const struct mpich_device *tutti_mpich_shared(const tutti_library_version *version, tutti_collective collective,
                                              const char *word);

/* The first version that reads files of the shared memory, as major * 100 + minor. 4.0.2 opens that of CH4 in their
   place (posix_init.c, MPIDI_POSIX_coll_init()); pull request 6531 of May 2023 corrects it. */
enum { MPICH_SHARED_SINCE = 402 };

/* The first version that has all of those that a text names, as major * 100 + minor; 0: all versions. */
int tutti_mpich_device_since(const char *text, size_t length);

/* What becomes of a call at a leaf, and where the layer chooses nothing: as without a file, or in place of what the
   shared memory would do then. @{ */
void tutti_mpich_run_device(struct explaining *explaining, const struct mpich_node *leaf);
void tutti_mpich_run_no_device(struct explaining *explaining, const char *reason);
void tutti_mpich_run_not_shared(struct explaining *explaining);
/* @} */

/* ---- control variables ---- */

void tutti_mpich_read_variables(const struct tuning_file *file, struct settings *settings);
void tutti_mpich_lint_variables(struct tuning_file *file, const struct settings *settings);

/* The algorithm that a variable chooses, "Bcast_intra_binomial", in `text`, and the place of the variable; NULL: MPICH
   chooses, or the call fails. */
enum { MPICH_NAME_LENGTH = 96, MPICH_PARAMETERS_LENGTH = 96 };
const char *tutti_mpich_chosen(struct explaining *explaining, char text[MPICH_NAME_LENGTH], size_t *at);

/* ---- names ---- */

/* Needs of an algorithm (bits) that MPICH does not check. */
enum {
  NEEDS_POWER = 1,
  NEEDS_PARENT = 2,
  NEEDS_COMMUTATIVE = 4,
  NEEDS_BUILT_IN = 8,
  NEEDS_COUNT = 16,
  NEEDS_IN_PLACE = 32,
  NEEDS_APART = 64,
  NEEDS_REGULAR = 128,
  NEEDS_CONSECUTIVE = 256,
  NEEDS_GUARD = 512,   /* works everywhere, but is written for NEEDS_PARENT only */
  NEEDS_SINGLE = 1024, /* one thread a process */
};

/* A need as a condition: one is above an algorithm, the other above its replacement. */
struct mpich_restriction {
  unsigned need;
  enum mpich_test test;
  bool holds;              /* the test, where the need is met */
  const char *met, *unmet; /* conditions; */
  bool unmet_first;        /* their order in a file */
  const char *wanted;      /* for messages */
};
enum { MPICH_RESTRICTIONS = 10 };
extern const struct mpich_restriction tutti_mpich_restrictions[MPICH_RESTRICTIONS];

struct mpich_algorithm {
  const char *name; /* without MPIR_ */
  int since, until;
  const char *parameters;
  unsigned needs;
  const char *instead; /* "": none */
};

/* An algorithm that takes parameters, serves some calls only, or is not in all versions ("Bcast_intra_smp"), or NULL.
 */
const struct mpich_algorithm *tutti_mpich_algorithm(const char *name);

/* Whether the version has the algorithm. *parameters receives those that it takes. */
bool tutti_mpich_knows(const tutti_library_version *version, const char *algorithm, const char **parameters);

/* Needs of an algorithm. */
unsigned tutti_mpich_needs(const char *algorithm);

/* Whether the algorithm belongs to the collective ("bcast"). */
bool tutti_mpich_is_of(const char *algorithm, const char *collective);

/* Whether a condition is defined for the collective. */
bool tutti_mpich_defines(enum mpich_test test, const char *collective);

/* Names of all collectives that MPICH selects for, blocking, nonblocking and neighborhood; NULL past the end. */
const char *tutti_mpich_collective_at(int index);

/* MPICH's own choice of these collectives, NULL after the last, as members of a selection: "collective=...": {...}, ...
   Owned by the caller. */
char *tutti_mpich_own_members(const tutti_library_version *version, const char *const *collectives);

/* The unit with which exported sizes are compared. */
tutti_size_unit tutti_mpich_unit(tutti_collective collective);

/* ---- MPICH's own decisions ---- */

/* Sizes up to which it decides so, in bytes; of allgather and reduce_scatter of all blocks together. */
#define MPICH_BCAST_MIN_RANKS      8
#define MPICH_BCAST_SHORT          12288
#define MPICH_BCAST_MEDIUM         524288
#define MPICH_REDUCE_SHORT         2048
#define MPICH_ALLREDUCE_SHORT      8
#define MPICH_ALLGATHER_SHORT      81919
#define MPICH_ALLGATHER_MEDIUM     524287
#define MPICH_REDUCE_SCATTER_SHORT 524287
#define MPICH_ALLTOALL_SHORT       256
#define MPICH_ALLTOALL_MEDIUM      32768

enum { MPICH_THROTTLE = 32 /* MPIR_CVAR_ALLTOALL_THROTTLE: messages in flight */ };

/* The method of the catalogue that an algorithm is ("scatter_ring_allgather"); false if it has none. */
bool tutti_mpich_method(tutti_collective collective, const char *name, tutti_method *method);

/* ---- methods.c: selecting a method ---- */

struct mpich_told {
  const char *name;                         /* of the algorithm, without the collective: "k_brucks" */
  const char *tree;                         /* its tree_type; NULL: it takes none */
  int k;                                    /* 0: it takes none */
  uint64_t chunk_bytes;                     /* 0: it takes none */
  const char *buffer_per_child;             /* "0" or "1"; NULL: it takes none */
  char parameters[MPICH_PARAMETERS_LENGTH]; /* all of them as a file has them, separated by blanks */
};

/* The name of a method whose algorithm MPICH has in that version, and its parameters. */
void tutti_mpich_tell(const tutti_method *method, const tutti_library_version *version, struct mpich_told *told);

/* "Bcast_intra_tree" for "tree". Returns `text`, of MPICH_NAME_LENGTH bytes. */
char *tutti_mpich_full_name(tutti_collective collective, const char *name, char *text);

/* The versions that have an algorithm by its name in the catalogue. */
tutti_library_span tutti_mpich_span(const tutti_algorithm *algorithm);

/* The method that an algorithm is with the parameters of a leaf (NULL: none are known); false if the catalogue has
 * none.
 */
bool tutti_mpich_method_told(tutti_collective collective, const char *name, const struct json *parameters,
                             tutti_method *method);

/* Versions 4.0 and 1.0 as decision functions. @{ */
bool tutti_mpich_decide_4_0(const tutti_question *question, tutti_method *method);
bool tutti_mpich_decide_1_0(const tutti_question *question, tutti_method *method);
/* @} */

/* ---- writing ---- */

#define MPICH_PATH_LENGTH 320

/* A path in the notation of 5.1. */
void tutti_mpich_rename_path(const char *path, char renamed[MPICH_PATH_LENGTH]);

/* Write a path as printf() does. Those of trees are shorter than that. */
void tutti_mpich_path(char path[MPICH_PATH_LENGTH], const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Conditions above the leaves to come that have failed: communicators, and messages by that condition, are larger. */
struct mpich_failed {
  long ranks, bytes;
  const char *size; /* "avg_msg_size"; NULL: none */
};

/* A tree on its way into a stream, leaf by leaf. Begin with {.stream = ...}. */
struct mpich_tree {
  FILE *stream;
  tutti_library_version version; /* the version of the written names */
  enum mpich_layer layer;        /* with a selection */
  struct mpich_failed failed;    /* own choices leave out what is never true below these */
  char path[MPICH_PATH_LENGTH];  /* of the last leaf */
};

/* Add a leaf. The path has the conditions from the root on, '/' between them; leaves come in the order of the file.
   `name` is that of the algorithm, "Bcast_intra_binomial", or composition, "Bcast_intra_composition_alpha". */
void tutti_mpich_tree_add(struct mpich_tree *tree, const char *path, const char *name);

/* MPICH's own choices of the layer for a collective, below `path`: those between the ranks of one group, or of two. @{
 */
void tutti_mpich_default_intra(struct mpich_tree *tree, const char *collective, const char *path);
void tutti_mpich_default_inter(struct mpich_tree *tree, const char *collective, const char *path);
/* @} */

/* ---- the library ---- */

void tutti_mpich_lint(struct tuning_file *file);
tutti_status tutti_mpich_explain(struct explaining *explaining, tutti_error *error);

/* The parts of the smp algorithms within and among nodes. */
bool tutti_mpich_pick_parts(struct explaining *explaining, tutti_method *method, tutti_error *error);

/* Make the library run a method for all calls. */
bool tutti_mpich_force(const tutti_method *method, int ranks, const tutti_library_version *version,
                       tutti_directives *directives);

/* Whether a selection of that version can select a method, and write it. @{ */
#define VERSION(major, minor)                                                                                          \
  bool tutti_mpich_supports_##major##_##minor(const tutti_method *method, int ranks);                                  \
  tutti_status tutti_mpich_write_##major##_##minor(const tutti_export_part *parts, int count, const char *comment,     \
                                                   FILE *stream, tutti_error *error);
VERSION(4, 0)
VERSION(4, 1)
VERSION(4, 2)
VERSION(4, 3)
VERSION(5, 0)
VERSION(5, 1)
#undef VERSION
/* @} */

/* The same of a selection of compositions. @{ */
tutti_size_unit tutti_mpich_ch4_unit_4_0(tutti_collective collective);
tutti_size_unit tutti_mpich_ch4_unit_4_1(tutti_collective collective);
bool tutti_mpich_ch4_supports_4_0(const tutti_method *method, int ranks);
bool tutti_mpich_ch4_supports_4_1(const tutti_method *method, int ranks);
tutti_status tutti_mpich_write_ch4_4_0(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                                       tutti_error *error);
tutti_status tutti_mpich_write_ch4_4_1(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                                       tutti_error *error);
/* @} */

/* The same of a selection of the shared memory. @{ */
tutti_size_unit tutti_mpich_posix_unit(tutti_collective collective);
bool tutti_mpich_posix_supports(const tutti_method *method, int ranks);
tutti_status tutti_mpich_write_posix_4_2(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                                         tutti_error *error);
/* @} */

#endif
