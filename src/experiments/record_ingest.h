/* From the growing records file of a job into the store, a batch a transaction. */
#ifndef TUTTI_EXPERIMENTS_RECORD_INGEST_H
#define TUTTI_EXPERIMENTS_RECORD_INGEST_H

#include "experiments/work.h"
#include "results/row.h"
#include "tutti/job.h"
#include "tutti/record.h"

/* A batch holds so many measurements at most and waits so long at most: what a killed tutti reads again. */
enum { INGEST_BATCH = 500 };
#define INGEST_SECONDS 1.0

/* Measurements of one environment on their way into the store. */
struct record_ingest {
  tutti_store *store;
  int64_t environment;
  const struct tutti_row_kind *kind; /* of what waits; NULL: nothing came yet */
  char *rows;                        /* [INGEST_BATCH] structs of that kind; owned */
  size_t waiting;                    /* of these */
  size_t stored;
  double flushed; /* seconds, when the last batch went in */
};

/* Reading the records of one chunk. */
struct reader {
  int file;                            /* the records, opened for reading */
  off_t offset;                        /* of the first byte not taken in: the beginning of a line */
  const struct job_manifest *manifest; /* what the records must agree with */
  const tutti_plan *plan;              /* what was asked for; NULL for leftovers, of which it is not known any more */
  const tutti_chunk *chunk;
  bool begun; /* the tutti-run record came */
  bool ended; /* the tutti-end record came */
  size_t received;
  uint64_t promised; /* measurements according to tutti-end */
  tutti_record run;  /* the tutti-run record */
  tutti_error fault; /* of leftovers: the first line that could not be used */
};

/* Seconds of a clock that never steps back. */
double tutti_job_clock(void);

/* An empty batch for the environment on @p manifest, whose row is made if it is missing; NULL with @p error filled in.
 */
struct record_ingest *tutti_ingest_create(tutti_store *store, const struct job_manifest *manifest, tutti_error *error);

void tutti_ingest_free(struct record_ingest *ingest); /* NULL: nothing to do */

/* Add the row of a record; stores the batch when it is full. */
tutti_status tutti_ingest_add(struct record_ingest *ingest, const tutti_record *record, tutti_error *error);

/* Store what waits. */
tutti_status tutti_ingest_flush(struct record_ingest *ingest, tutti_error *error);

/* Store what waits if it has waited long enough. */
tutti_status tutti_ingest_flush_if_due(struct record_ingest *ingest, tutti_error *error);

/* Take in all lines that are complete. The message names the fault in the records, not the job. */
tutti_status tutti_reader_poll(struct reader *reader, struct record_ingest *ingest, tutti_error *error);

/* Did everything that was asked for arrive, and the closing record with the right number? */
bool tutti_reader_complete(const struct reader *reader);

/* Take in what an earlier run left in the work directory, but for what is queued, and remove it; *recovered counts
 * measurements. A line on standard error names records that could not be used, and manifests that are not understood:
 * these files stay there. */
tutti_status tutti_work_recover(const struct work *work, tutti_store *store, size_t *recovered, tutti_error *error);

#endif
