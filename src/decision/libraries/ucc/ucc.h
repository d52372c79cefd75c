/* UCC: its collectives and algorithms, and its files. Read from src/coll_score, src/utils/ini.h, ucc_parser.c and
   src/components/tl/ucp of its repository, and tried with 1.9.0 (docs/reference/variables.md).

     UCC_TL_UCP_TUNE = token#token...   token = collectives:sizes:memory:[ranks]:score:@algorithm, each part optional
     allreduce:0-4k:[2-63]:@knomial     messages from 0 to 4095 B on teams of 2 to 63 ranks

   A variable of the environment, or a line of a configuration (UCC_CONFIG_FILE), which may have sections for teams:
   [team_size=2-63 ppn=4]. */
#ifndef TUTTI_LIBRARIES_UCC_H
#define TUTTI_LIBRARIES_UCC_H

#include "base/vector.h"
#include "decision/libraries/libraries.h"

enum ucc_lint {
#define CODE(identifier, ...) LINT_##identifier,
#include "decision/libraries/ucc/codes.def"
#undef CODE
};

enum {
  UCC_COLLECTIVES = 16,
  UCC_MEMORIES = 5,
  UCC_SCORE = 10,
  UCC_NO_SCORE = -1,
  UCC_RADIX_AUTO = 0,
  UCC_LINE_LENGTH = 8189
};

/* ---- names.c ---- */

struct ucc_algorithm {
  const char *name;
  const char *ours;    /* the same in the catalogue; NULL: it lacks it */
  const char *radix;   /* the variable of its radix, without UCC_TL_UCP_; NULL: it takes none */
  int default_radix;   /* UCC_RADIX_AUTO: it depends on the machine */
  int fixed;           /* the only radix with which it is ours; 0: it is k of ours */
  bool powers;         /* it is ours on powers of the radix only */
  const char *setting; /* a variable that it needs to be ours, "NAME=VALUE"; NULL: none */
};

struct ucc_collective {
  const char *name;
  tutti_collective ours; /* TUTTI_COLL_COUNT: none */
  tutti_size_unit unit;
  const struct ucc_algorithm *algorithms; /* by id; the last has no name; NULL: they cannot be selected */
};

extern const struct ucc_collective tutti_ucc_collectives[UCC_COLLECTIVES];

/* By our collective; NULL: UCC has none, or no choice of algorithms. */
const struct ucc_collective *tutti_ucc_collective(tutti_collective collective);

/* The algorithm of an id, or of a name in any case; NULL: there is none. */
const struct ucc_algorithm *tutti_ucc_algorithm(const struct ucc_collective *collective, const char *id, size_t length);

/* The algorithm that is a method; NULL: none. @p default_radix: it must have the radix that it has without a variable.
 */
const struct ucc_algorithm *tutti_ucc_told(const tutti_method *method, int ranks, bool default_radix);

/* The radix of a method as UCC is told it; 0: it takes none. */
int tutti_ucc_radix(const struct ucc_algorithm *algorithm, const tutti_method *method);

/* The method that an algorithm with a radix is on so many ranks; false: the catalogue lacks it. */
bool tutti_ucc_method(const struct ucc_collective *collective, const struct ucc_algorithm *algorithm, int radix,
                      int ranks, tutti_method *method);

/* ---- read.c: files ---- */

/* A variable, without UCC_. */
struct ucc_setting {
  char *name, *value; /* owned */
  size_t at, value_at;
  int section; /* index; -1: it holds for all teams */
};

enum { UCC_TEAM_SIZE, UCC_PPN, UCC_NNODES, UCC_CONDITIONS };

struct ucc_section {
  size_t at;
  unsigned limits[UCC_CONDITIONS][2]; /* inclusive */
  bool machine;                       /* it has conditions on the processor */
};

/* From the one to before the other. */
struct ucc_range {
  uint64_t start, end;
};

struct ucc_token {
  size_t at, length;     /* in the file */
  unsigned collectives;  /* bits by tutti_ucc_collectives; 0: all */
  int last;              /* the last one that is named */
  unsigned memory;       /* bits of its types; 1: of the host */
  size_t first, ranges;  /* of ucc_tune.ranges; 0 ranges: all sizes */
  size_t team, teams;    /* the same: numbers of ranks, both ends included */
  long score;            /* UCC_NO_SCORE: none */
  const char *algorithm; /* in the value; NULL: none */
  size_t algorithm_length;
  bool bad;
};

/* The value of one UCC_TL_UCP_TUNE. */
struct ucc_tune {
  const struct ucc_setting *setting;
  TUTTI_VECTOR(struct ucc_token);
  struct {
    TUTTI_VECTOR(struct ucc_range);
  } ranges;
};

struct ucc_rules {
  struct {
    TUTTI_VECTOR(struct ucc_setting);
  } settings;
  struct {
    TUTTI_VECTOR(struct ucc_section);
  } sections;
  struct {
    TUTTI_VECTOR(struct ucc_tune);
  } tunes;      /* of TL/UCP, in the order of the file */
  bool dropped; /* UCC does not start with the file */
};

tutti_status tutti_ucc_read(struct tuning_file *file, void *rules, tutti_error *error);
void tutti_ucc_rules_free(void *rules);

/* The sizes a to b of "a-b", and the ranks of "a" or "a-b". @{ */
bool tutti_ucc_parse_sizes(const char *text, size_t length, struct ucc_range *range);
bool tutti_ucc_parse_size(const char *text, size_t length, uint64_t *size);
/* @} */

/* tune.c: read a value, with its faults. */
void tutti_ucc_read_tune(struct tuning_file *file, const struct ucc_setting *setting, struct ucc_tune *tune);

/* ---- explain.c ---- */

tutti_status tutti_ucc_explain(struct explaining *explaining, tutti_error *error);

/* ---- write.c ---- */

tutti_size_unit tutti_ucc_unit(tutti_collective collective);
bool tutti_ucc_supports(const tutti_method *method, int ranks);
bool tutti_ucc_supports_sections(const tutti_method *method, int ranks);
tutti_status tutti_ucc_write(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                             tutti_error *error);
tutti_status tutti_ucc_write_sections(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                                      tutti_error *error);

#endif
