/**
 * @file algorithm.h
 * Collectives, algorithms and methods: the registry made from src/algorithms/catalogue.def.
 *
 * A collective is an operation (bcast). An algorithm is one way to do it (split-binary). A method is an algorithm with
 * its parameters, written COLLECTIVE/ALGORITHM[/SEGMENT][/NAME=VALUE...]:
 *
 *     bcast/linear     bcast/split-binary/8KB     bcast/chain/32KB/k=4     barrier/bruck
 *
 * SEGMENT is "none" or a size in bytes (suffixes KB and MB are powers of 1024). Parameters at their default are left
 * out of the canonical form, which tutti_method_format() writes and every record, table and file uses.
 */
#ifndef TUTTI_ALGORITHM_H
#define TUTTI_ALGORITHM_H

#include <stddef.h>
#include <stdint.h>

#include "tutti/schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tutti_collective {
  TUTTI_COLL_BCAST,
  TUTTI_COLL_BARRIER,
  TUTTI_COLL_REDUCE,
  TUTTI_COLL_COUNT /**< number of collectives */
} tutti_collective;

/** What an algorithm takes as parameters (bits of tutti_algorithm.parameters). */
enum {
  TUTTI_TAKES_SEGMENT = 1u << 0,     /**< segment size in bytes */
  TUTTI_TAKES_K = 1u << 1,           /**< chains, fan-out or radix, "k=" */
  TUTTI_TAKES_OUTSTANDING = 1u << 2, /**< messages in flight per peer and direction, "outstanding=" */
};

/** Where an algorithm applies (bits of tutti_algorithm.domain). 0: everywhere. */
enum {
  TUTTI_NEEDS_POWER_OF_TWO = 1u << 0, /**< size is a power of two */
  TUTTI_NEEDS_EVEN = 1u << 1,         /**< size is even */
  TUTTI_NEEDS_COMMUTATIVE = 1u << 2,  /**< the reduction commutes */
  TUTTI_NEEDS_COUNT = 1u << 3,        /**< at least one element per rank */
};

/** Values of the parameters of a method. */
typedef struct tutti_parameters {
  uint64_t segment_bytes; /**< 0: not segmented */
  int k;                  /**< chains, fan-out or radix; 0 if the algorithm takes none */
  int outstanding;        /**< 0 if the algorithm takes none */
} tutti_parameters;

/** One call of a collective, seen from one rank. Sizes in elements of the datatype of the call. */
typedef struct tutti_call {
  int size;           /**< ranks of the group, >= 1 */
  int rank;           /**< the calling rank */
  int root;           /**< 0 where the collective has none */
  uint64_t count;     /**< elements, as in the MPI call */
  uint64_t type_size; /**< bytes of data in one element (MPI_Type_size), >= 1 unless count is 0 */
  bool commutative;   /**< of the reduction; true where there is none */
  tutti_parameters parameters;
} tutti_call;

/** Adds the vertices of call->rank to @p builder. Reports nothing: faults are remembered by the builder. */
typedef void (*tutti_build_function)(tutti_builder *builder, const tutti_call *call);

/** One line of the catalogue. Static storage. */
typedef struct tutti_algorithm {
  tutti_collective collective;
  const char *name; /**< "split-binary" */
  tutti_build_function build;
  unsigned parameters;    /**< TUTTI_TAKES_... */
  int default_k;          /**< 0 if it takes no k */
  int least_k;            /**< smallest k allowed */
  unsigned domain;        /**< TUTTI_NEEDS_... */
  const char *source;     /**< paper and section */
  int openmpi_id;         /**< id in coll/tuned of Open MPI 4.1, 0 if it has no such algorithm */
  const char *mpich_name; /**< name in MPICH 4.0 without MPIR_<Coll>_intra_, NULL if it has no such algorithm */
} tutti_algorithm;

/** An algorithm with parameters. A value: copy freely. */
typedef struct tutti_method {
  const tutti_algorithm *algorithm;
  tutti_parameters parameters;
} tutti_method;

/** Default number of messages in flight per peer and direction. */
#define TUTTI_DEFAULT_OUTSTANDING 16

/** Longest canonical name of a method, terminating zero included. */
#define TUTTI_METHOD_LENGTH 96

/** Name of a collective ("bcast"); NULL for a value outside the enumeration. */
const char *tutti_collective_name(tutti_collective collective);

/** The collective called @p name; TUTTI_ERR_ARGUMENT names the known ones. */
tutti_status tutti_collective_parse(const char *name, tutti_collective *collective, tutti_error *error);

/** Number of lines in the catalogue. */
size_t tutti_algorithm_count(void);

/** Line @p index of the catalogue in its order; NULL past the end. */
const tutti_algorithm *tutti_algorithm_at(size_t index);

/** The algorithm, or NULL if the catalogue has none of that name. */
const tutti_algorithm *tutti_algorithm_find(tutti_collective collective, const char *name);

/** The algorithm with default parameters. */
tutti_method tutti_method_default(const tutti_algorithm *algorithm);

/** Read a method. TUTTI_ERR_ARGUMENT says what is wrong and what is known. */
tutti_status tutti_method_parse(const char *text, tutti_method *method, tutti_error *error);

/** Write the canonical form into @p text of TUTTI_METHOD_LENGTH bytes; returns @p text. */
char *tutti_method_format(const tutti_method *method, char *text);

/**
 * Total order of methods: catalogue order, then segment size (none first), then k, then outstanding. Used wherever two
 * methods tie. Returns <0, 0, >0 as memcmp().
 */
int tutti_method_compare(const tutti_method *left, const tutti_method *right);

/**
 * Is the call within the domain of the method and well formed (ranks in range, root in range)?
 * TUTTI_ERR_UNSUPPORTED or TUTTI_ERR_ARGUMENT says why not.
 */
tutti_status tutti_method_check(const tutti_method *method, const tutti_call *call, tutti_error *error);

/** Build and seal the schedule of @p method for @p call (whose parameters are taken from the method) in @p arena. */
tutti_status tutti_method_schedule(const tutti_method *method, const tutti_call *call, tutti_arena *arena,
                                   tutti_schedule *schedule, tutti_error *error);

/**
 * Read a size in bytes: digits with an optional suffix B, KB, MB or GB (powers of 1024; case does not matter).
 * TUTTI_ERR_ARGUMENT on anything else, and on overflow.
 */
tutti_status tutti_size_parse(const char *text, uint64_t *bytes, tutti_error *error);

/** Write a size the shortest exact way ("1000B", "8KB"); @p text has at least 24 bytes. Returns @p text. */
char *tutti_size_format(uint64_t bytes, char *text);

#ifdef __cplusplus
}
#endif
#endif
