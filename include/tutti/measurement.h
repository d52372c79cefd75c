/**
 * @file measurement.h
 * @ingroup results
 * What is measured: times of collective operations, and parameters of point-to-point models, with the environment that
 * they were measured in. No MPI and no database.
 */
#ifndef TUTTI_MEASUREMENT_H
#define TUTTI_MEASUREMENT_H

#include "tutti/arrival.h"
#include "tutti/noise.h"
#include "tutti/reproducible.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tutti_scheme {
  TUTTI_SCHEME_OCC,    /**< operation then Bruck barrier, whose own time is subtracted (dissertation, chapter 6) */
  TUTTI_SCHEME_WINDOW, /**< all ranks start at an agreed time of a synchronised clock (SKaMPI) */
  TUTTI_SCHEME_OURS,   /**< up to here those of Tutti's programs; the following ones are imported (import.h) */
  TUTTI_SCHEME_OSU = TUTTI_SCHEME_OURS, /**< OSU micro-benchmarks: mean over a loop, then over the ranks */
  TUTTI_SCHEME_IMB,                     /**< Intel MPI Benchmarks: the same */
  TUTTI_SCHEME_REPRO,                   /**< ReproMPI: of each call the slowest rank, after a barrier or in a window */
  TUTTI_SCHEME_PICO,                    /**< PICO: of each repetition the slowest rank, after a barrier */
  TUTTI_SCHEME_NCCL,                    /**< nccl-tests: mean over a loop, then over the ranks */
  TUTTI_SCHEME_OMPI,                    /**< Open MPI's tuning scripts: means of several runs, of OSU or IMB */
  TUTTI_SCHEME_CSV,                     /**< a table whose headings the user named */
  TUTTI_SCHEME_COUNT
} tutti_scheme;

/** "occ", "window", "osu", "imb", "repro", "pico", "nccl", "ompi", "csv"; NULL outside the enumeration. */
const char *tutti_scheme_name(tutti_scheme scheme);

/** TUTTI_ERR_ARGUMENT names the known ones. */
tutti_status tutti_scheme_parse(const char *name, tutti_scheme *scheme, tutti_error *error);

/** The same for something that Tutti is to measure, or has measured, itself: only "occ" and "window" are known. */
tutti_status tutti_scheme_parse_ours(const char *name, tutti_scheme *scheme, tutti_error *error);

/** How to measure a point. In simulation only the scheme matters, as one repetition is exact. */
typedef struct tutti_measure {
  tutti_scheme scheme;
  int warmup;          /**< repetitions not counted, default 3 */
  int repetitions_max; /**< cap, default 200 */
  double confidence;   /**< default 0.05 */
  int launches;        /**< number of launches that measure each point on a real machine, default 1 */
  int orders;          /**< for the engine fast: number of orders in which the ranks start, default 1 */
} tutti_measure;

/** The conditions of a measurement; equal environments are one row. In simulation the platform defines all of them, and
   the members after `tutti` are empty, as are unknown ones of a real machine. A text that is NULL is empty. */
typedef struct tutti_environment {
  const char *platform;      /**< name */
  const char *platform_hash; /**< SHA-256 of the platform file; "" on a real machine */
  const char *flavor;        /**< "smpi", "fast", "flow", "mpich", "openmpi" */
  const char *library;       /**< "SimGrid 3.32", "MPICH 4.0.2", ... */
  const char *tutti;         /**< version of Tutti */
  const char *build;         /**< digest of the library's description: package, device, options, date */
  const char *settings;      /**< settings that change times: sorted words NAME=VALUE */
  const char *hosts;         /**< digest of the names of the hosts */
  const char *cpu;           /**< model of the CPU */
  int cores;                 /**< processors of a node that are online; 0: not known */
  const char *binding;       /**< of a launch of one rank: "unbound", "bound:1" to this many processors */
} tutti_environment;

/** The flavor of Tutti's own engine, whose times are SMPI's. */
#define TUTTI_FLAVOR_FAST "fast"
/** The same engine, with shares of the links within a tolerance: for crowded networks. */
#define TUTTI_FLAVOR_FLOW "flow"
/** The library of what the fast engine times; its number changes when a time does. */
#define TUTTI_FAST_LIBRARY "Engine-1"
/** The same of the flavor "flow": at any time each link has its bandwidth within this part of it. */
#define TUTTI_FLOW_LIBRARY   TUTTI_FAST_LIBRARY "+-1e-6"
#define TUTTI_FLOW_TOLERANCE 1e-6

/** Whether it is simulated, "smpi" by SimGrid, "fast" or "flow" by Tutti's own engine. */
bool tutti_flavor_is_simulated(const char *flavor);

/** Whether it is simulated by Tutti's own engine. */
bool tutti_flavor_is_engine(const char *flavor);

/** The library of what that engine times. */
const char *tutti_engine_library(const char *flavor);

/** The tolerance of the shares of links: 0 but for "flow". NULL is another flavor. */
double tutti_flavor_tolerance(const char *flavor);

/** One measured point. Seconds. */
typedef struct tutti_measurement {
  tutti_method method;
  tutti_scheme scheme;
  int ranks;
  int ranks_per_node;
  int root;
  uint64_t count;        /**< elements as in the MPI call: of the message, or of one rank's block */
  uint64_t type_size;    /**< bytes per element */
  tutti_arrival arrival; /**< how late the ranks came; times count from the last arrival */
  tutti_noise noise;     /**< interruptions of the ranks */
  int launch;            /**< on a real machine: the number of the start of the ranks, from 0 */
  int calls;             /**< of the operation in each repetition, if more than one; else 0 */
  double spread;       /**< half the 95 % confidence interval of the median, in percent of it; 0: exact, or not known */
  uint64_t rank_bytes; /**< count * type_size: the message, or one rank's block */
  uint64_t total_bytes; /**< tutti_total_bytes() */
  int repetitions;
  double minimum, median, mean, maximum;
} tutti_measurement;

/** True if the scheme occ, which subtracts the time of its barrier, found less than no time. Such measurements are not
   printed any more; those of an older store are left out of maps and measured anew. */
static inline bool tutti_measurement_is_negative(const tutti_measurement *measurement)
{
  return measurement->minimum < 0;
}

/**
 * Bytes of the longer buffer of a call: rank_bytes, times ranks where the collective has a block for, or from, each
 * rank (scatter, gather, allgather, alltoall, reduce_scatter and their forms). For alltoall, too, this is what one rank
 * sends in all, not what the ranks send together. Reads method, ranks and rank_bytes.
 * @return false if the number is too large to be stored; *total is 0 then
 */
bool tutti_total_bytes(const tutti_measurement *measurement, uint64_t *total);

/** Set the times and the total of bytes of a point whose time was computed: one repetition. */
void tutti_measurement_set_time(tutti_measurement *measurement, double seconds);

typedef enum tutti_quantity {
  TUTTI_QUANTITY_HALF_TRIP,        /**< seconds: half a round trip */
  TUTTI_QUANTITY_GAP,              /**< seconds from one message to the next of a long row */
  TUTTI_QUANTITY_SEND_OVERHEAD,    /**< seconds */
  TUTTI_QUANTITY_RECEIVE_OVERHEAD, /**< seconds */
  TUTTI_QUANTITY_GAMMA,            /**< seconds per byte */
  TUTTI_QUANTITY_DELTA,            /**< seconds per byte */
  TUTTI_QUANTITIES                 /**< number of quantities */
} tutti_quantity;

/** Longest name of an operation and type, terminating zero included. */
#define TUTTI_PARAMETER_OF_LENGTH 32

/** One measured value. A value: copy freely. */
typedef struct tutti_parameter {
  tutti_quantity quantity;
  char of[TUTTI_PARAMETER_OF_LENGTH]; /**< gamma: operation and type, "sum/double"; else "" */
  uint64_t bytes;                     /**< of the message, or of the array reduced or copied */
  double value;                       /**< >= 0, in the unit of the quantity */
} tutti_parameter;

/** "half-trip", ...; NULL for a value outside the enumeration. */
const char *tutti_quantity_name(tutti_quantity quantity);

/** "s" or "s/B"; NULL for a value outside the enumeration. */
const char *tutti_quantity_unit(tutti_quantity quantity);

/** The quantity of a name. TUTTI_ERR_ARGUMENT lists the names. */
tutti_status tutti_quantity_parse(const char *name, tutti_quantity *quantity, tutti_error *error);

/** The order of parameters by quantity, of and bytes, for qsort(). */
int tutti_parameter_compare(const void *left, const void *right);

#ifdef __cplusplus
}
#endif
#endif
