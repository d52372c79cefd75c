/**
 * @file library.h
 * @ingroup libraries
 * MPI libraries, their versions, and their own choices without tuning, as decision functions. No MPI.
 *
 *     library:openmpi-4.1   coll/tuned of Open MPI 4.1 (coll_tuned_decision_fixed.c, tag v4.1.4); scan, exscan, the
 *                           rooted v forms and alltoallw are those of coll/base
 *     library:openmpi-1.x   the same file in 2007 and 2008 (1.2, 1.3), which the dissertation's table 6.9 compares with
 *     library:mpich-4.0     generic.json of MPICH 4.0
 *     library:mpich2-1.0    Thakur, Rabenseifner, Gropp 2005, which MPICH2 1.0 followed
 *
 * Each picks a method of the catalogue with the parameters that the library would use: no segments in Open MPI 4.1, a
 * chain of fan-out 1, which is a pipeline; the parts of allreduce/reduce-bcast and its like are what the library would
 * choose for them. If the library itself falls back (recursive doubling on 3 ranks), the fallback is picked.
 *
 * A question has fewer facts than a call. It is taken as a call whose operation commutes and is built in, whose buffers
 * are distinct, and whose elements have 8 bytes where that divides the size, else 4, else 1 (rings, and MPICH's
 * Rabenseifner, want an element per rank). Ranks of one node are not distinguished: MPICH's smp forms are not picked,
 * nor coll/han or coll/sm.
 */
#ifndef TUTTI_LIBRARY_H
#define TUTTI_LIBRARY_H

#include "tutti/decision.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An MPI library, or another reader of decisions: names, formats, rules. Static storage; its members are private. */
typedef struct tutti_library tutti_library;

/** A version of a library; a number that was not given is -1. */
typedef struct tutti_library_version {
  const tutti_library *library;
  int major, minor, patch;
} tutti_library_version;

/**
 * Read "openmpi-4.1", "openmpi-5.0.7", "openmpi-6", "mpich-4.0.2", "tutti"; "openmpi" and "mpich" are the versions of
 * Debian 12. Known are libraries with tuning files: Open MPI 4.0 to 6, MPICH 4.0 to 5, Tutti. Where the patch level
 * matters and is not given, the first release is meant. TUTTI_ERR_ARGUMENT lists what is known.
 */
tutti_status tutti_library_version_parse(const char *name, tutti_library_version *version, tutti_error *error);

/** The version that a run of a library names, "MPICH-4.2.1" of mpich. As above. */
tutti_status tutti_library_version_of_run(const char *library, const char *run, tutti_library_version *version,
                                          tutti_error *error);

/** Write the name back; @p text has 40 bytes. Returns @p text. */
char *tutti_library_version_format(const tutti_library_version *version, char *text);

/** The versions of a library in which an algorithm of the catalogue has its id or name in the catalogue, as major * 100
   + minor; 0: no bound. */
typedef struct tutti_library_span {
  int since, until;  /**< the first version with it, the first without it */
  const char *later; /**< its name from @p until on; NULL: none */
} tutti_library_span;

/** Versions of an algorithm in an implementation that has it (tutti_implementation_has()). */
tutti_library_span tutti_library_span_of(tutti_implementation implementation, const tutti_algorithm *algorithm);

/** A setting for a library: a variable of its environment; for SMPI an option of smpirun, `--cfg=NAME:VALUE`. */
typedef struct tutti_directive {
  char name[64];
  char value[40];
} tutti_directive;

/** Maximum directives of a method. */
enum { TUTTI_MAX_DIRECTIVES = 8 };

typedef struct tutti_directives {
  int count;
  tutti_directive items[TUTTI_MAX_DIRECTIVES];
} tutti_directives;

/**
 * The settings that make a library run a method of its implementation (bcast/binomial/8KB\@openmpi) for all calls: ids
 * and parameters of coll/tuned, MPICH's CVARs, SMPI's options. All ranks of a launch must have them when MPI begins.
 * @param ranks     of the communicator
 * @param bytes     of the message, or of one rank's block
 * @param run       the library and its version as a run names them, since names of algorithms change: "MPICH-4.2.1";
 *         NULL, or an unknown version: that of Debian 12
 * @param directives  none for our methods and native ones
 * @return TUTTI_ERR_UNSUPPORTED if the parameters have no settings, or another method runs for such a call in spite of
 *         them
 */
tutti_status tutti_method_directives(const tutti_method *method, int ranks, uint64_t bytes, const char *run,
                                     tutti_directives *directives, tutti_error *error);

/** The value of a setting of a library's environment, by its name; NULL: it is not set. */
typedef const char *tutti_setting_function(const char *name, const void *context);

/**
 * The reverse: the method that a library runs for a collective under settings, whose directives these are; or
 * COLLECTIVE/native if none names an algorithm.
 * @param run    as above
 * @param ranks  of the communicator
 * @param told   receives the setting that names the algorithm, and its value; an empty name: none does
 * @return TUTTI_ERR_ARGUMENT if the library does not read the setting, or the catalogue lacks the algorithm
 */
tutti_status tutti_method_told(tutti_collective collective, tutti_implementation implementation, const char *run,
                               int ranks, tutti_setting_function *get, const void *context, tutti_method *method,
                               tutti_directive *told, tutti_error *error);

/** Name number @p index of a library's own rules ("library:openmpi-4.1"); NULL past the last. Static storage. */
const char *tutti_library_name(size_t index);

/** Whether it is of a release that is out of use, and serves only for comparison with publications. */
bool tutti_library_is_former(const char *name);

/** Whether @p name begins with "library:". */
bool tutti_library_named(const char *name);

/**
 * The decision function of a library. It answers for all collectives that the library has a rule for.
 * @param name        "library:openmpi-4.1"
 * @param collective  decision->collective
 * @return TUTTI_ERR_ARGUMENT for an unknown library (the message lists the known ones), or one without a rule for @p
 *         collective
 */
tutti_status tutti_decision_library(const char *name, tutti_collective collective, tutti_decision *decision,
                                    tutti_error *error);

/**
 * The rules themselves, to be called, or timed, by hand. Bytes are those of the message, or of one rank's block; of
 * reduce_scatter those of all blocks together. A barrier does not read them.
 * @return id of the algorithm in coll/tuned
 * @{
 */
int tutti_openmpi41_bcast(int ranks, uint64_t bytes);
int tutti_openmpi41_reduce(int ranks, uint64_t bytes);
int tutti_openmpi41_allreduce(int ranks, uint64_t bytes);
int tutti_openmpi41_allgather(int ranks, uint64_t bytes);
int tutti_openmpi41_allgatherv(int ranks, uint64_t bytes);
int tutti_openmpi41_alltoall(int ranks, uint64_t bytes);
int tutti_openmpi41_alltoallv(int ranks, uint64_t bytes);
int tutti_openmpi41_barrier(int ranks, uint64_t bytes);
int tutti_openmpi41_gather(int ranks, uint64_t bytes);
int tutti_openmpi41_scatter(int ranks, uint64_t bytes);
int tutti_openmpi41_reduce_scatter(int ranks, uint64_t bytes);
int tutti_openmpi41_reduce_scatter_block(int ranks, uint64_t bytes);
/** @} */

/**
 * The same of Open MPI 1.x. @p segment receives bytes, 0 for none; reduce_scatter: all blocks together.
 * @{
 */
int tutti_openmpi1x_bcast(int ranks, uint64_t bytes, int *segment);
int tutti_openmpi1x_reduce(int ranks, uint64_t bytes, int *segment);
int tutti_openmpi1x_allreduce(int ranks, uint64_t bytes, int *segment);
int tutti_openmpi1x_allgather(int ranks, uint64_t bytes, int *segment);
int tutti_openmpi1x_alltoall(int ranks, uint64_t bytes, int *segment);
int tutti_openmpi1x_barrier(int ranks, uint64_t bytes, int *segment);
int tutti_openmpi1x_reduce_scatter(int ranks, uint64_t bytes, int *segment);
/** @} */

/**
 * The same for MPICH 4.0, and the collectives whose rule has conditions. An element has at least 1 byte.
 * @return name of the algorithm there, without "MPIR_COLLECTIVE_intra_"; static storage
 * @{
 */
const char *tutti_mpich40_bcast(int ranks, uint64_t bytes);
const char *tutti_mpich40_reduce(int ranks, uint64_t bytes, uint64_t element);
const char *tutti_mpich40_allreduce(int ranks, uint64_t bytes, uint64_t element);
const char *tutti_mpich40_allgather(int ranks, uint64_t bytes);
const char *tutti_mpich40_alltoall(int ranks, uint64_t bytes);
const char *tutti_mpich40_reduce_scatter(int ranks, uint64_t bytes);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
