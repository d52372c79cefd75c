/**
 * @file lint.h
 * @ingroup libraries
 * Faults of tuning files that MPI libraries swallow: what the library makes of a file, not what its author meant. No
 * MPI.
 *
 * Files are read as the library reads them, character by character: the classic rules of Open MPI's coll/tuned (4.0 to
 * 6), its JSON rules (6), MPICH's collective selection (4.0 and later), and Tutti's own decision files. Nothing is
 * refused: whatever the library would drop, misread or abort on is a finding with its place.
 */
#ifndef TUTTI_LINT_H
#define TUTTI_LINT_H

#include <stddef.h>
#include <stdio.h>

#include "tutti/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How bad a finding is. */
typedef enum tutti_severity {
  TUTTI_NOTE,    /**< works as written; worth knowing */
  TUTTI_WARNING, /**< the library does something else than is written */
  TUTTI_ERROR,   /**< the library drops the file, or the program dies */
} tutti_severity;

/** "note", "warning", "error". Static storage. */
const char *tutti_severity_name(tutti_severity severity);

/** A kind of fault. Its name never gets another meaning. Static storage. */
typedef struct tutti_lint_code {
  const char *name; /**< "OMPI-006" */
  tutti_severity severity;
  const char *title;  /**< what is wrong, a clause */
  const char *effect; /**< what the library does, a sentence */
  const char *remedy; /**< how to mend it, a sentence */
} tutti_lint_code;

/** The codes in their order; NULL past the end. */
const tutti_lint_code *tutti_lint_code_at(size_t index);

/** Which library. */
typedef enum tutti_library_family { TUTTI_FAMILY_OPENMPI, TUTTI_FAMILY_MPICH, TUTTI_FAMILY_TUTTI } tutti_library_family;

/** A version of a library; a number that was not said is -1. */
typedef struct tutti_library_version {
  tutti_library_family family;
  int major, minor, patch;
} tutti_library_version;

/**
 * Read "openmpi-4.1", "openmpi-5.0.7", "openmpi-6", "mpich-4.0.2", "tutti"; "openmpi" and "mpich" are the versions of
 * Debian 12. Known are Open MPI 4.0 to 6 and MPICH 4.0 to 5. Where the patch level matters and is not said, the first
 * release is meant. TUTTI_ERR_ARGUMENT says what is known.
 */
tutti_status tutti_library_version_parse(const char *name, tutti_library_version *version, tutti_error *error);

/** Write the name back; @p text has 40 bytes. Returns @p text. */
char *tutti_library_version_format(const tutti_library_version *version, char *text);

/** Which target a file is for, if its text says so: JSON of Open MPI 6, JSON of MPICH (4.0), numbers of Open MPI (4.1),
    else Tutti's own. */
tutti_library_version tutti_lint_guess(const char *text, size_t length);

/** A fault at a place. */
typedef struct tutti_finding {
  const tutti_lint_code *code;
  int line, column; /**< from 1; columns are bytes */
  char *message;    /**< a sentence with the values at hand; owned */
} tutti_finding;

/** Findings in the order of the file. Begin with {0}, end with tutti_findings_free(). */
typedef struct tutti_findings {
  size_t count, capacity;
  tutti_finding *items;
} tutti_findings;

void tutti_findings_free(tutti_findings *findings);

/** How many are of that severity. */
size_t tutti_findings_count(const tutti_findings *findings, tutti_severity severity);

/** Most findings that are kept of one file. */
#define TUTTI_MOST_FINDINGS 10000

/**
 * Find the faults of a file, for a target.
 * @param findings  appended to
 * @return TUTTI_ERR_IO if it cannot be read, TUTTI_ERR_MEMORY; faults in the file are no error
 */
tutti_status tutti_lint_file(const char *path, const tutti_library_version *version, tutti_findings *findings,
                             tutti_error *error);

/** The same for @p length bytes in memory. Tutti's own files are read from @p path, whatever @p text has. */
tutti_status tutti_lint_text(const char *text, size_t length, const char *path, const tutti_library_version *version,
                             tutti_findings *findings, tutti_error *error);

/** A whole file in memory, a zero byte behind it; to be freed. TUTTI_ERR_IO, TUTTI_ERR_MEMORY. */
tutti_status tutti_lint_slurp(const char *path, char **text, size_t *length, tutti_error *error);

/** Print the settings, as lines of shell, with which the library reads the file at @p path. */
void tutti_lint_print_use(const tutti_library_version *version, const char *path, FILE *stream);

#ifdef __cplusplus
}
#endif
#endif
