/**
 * @file error.h
 * @ingroup base
 * Status codes and error messages.
 *
 * Every Tutti function that can fail returns a @ref tutti_status and, where it takes a @ref tutti_error, fills in one
 * sentence that names the file, line, option or rank at fault. Nothing aborts on bad input.
 */
#ifndef TUTTI_ERROR_H
#define TUTTI_ERROR_H

#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tutti_status {
  TUTTI_OK = 0,
  TUTTI_ERR_ARGUMENT,    /**< a value outside its domain: unknown method, impossible size, malformed file */
  TUTTI_ERR_MEMORY,      /**< the allocator returned NULL */
  TUTTI_ERR_IO,          /**< a file or database could not be read or written */
  TUTTI_ERR_MPI,         /**< an MPI call returned an error */
  TUTTI_ERR_FAULT,       /**< a validator found a fault (schedule, tree, store) */
  TUTTI_ERR_LAUNCH,      /**< a launched program failed, or ended without its closing record */
  TUTTI_ERR_UNSUPPORTED, /**< outside the domain of the algorithm or of this build */
} tutti_status;

/** Longest message, terminating zero included. Small, because simulated ranks have small stacks. */
#define TUTTI_ERROR_LENGTH 552

/** One error: its class and one sentence for a person. Owned by the caller; no function allocates for it. */
typedef struct tutti_error {
  tutti_status status;
  int mpi_code; /**< result of the MPI call that failed, for MPI_Error_class(); 0 (MPI_SUCCESS) without one */
  char message[TUTTI_ERROR_LENGTH];
} tutti_error;

/**
 * Fill in @p error (may be NULL: then only the status is returned) and return @p status, so that a function can end
 * with `return tutti_fail(error, TUTTI_ERR_IO, "...", ...)`. A message that is too long is cut.
 */
tutti_status tutti_fail(tutti_error *error, tutti_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** The same as tutti_fail(), with a va_list. */
tutti_status tutti_vfail(tutti_error *error, tutti_status status, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/** The name of a status in lower case ("out of memory"); never NULL, static storage. */
const char *tutti_status_name(tutti_status status);

#ifdef __cplusplus
}
#endif
#endif
