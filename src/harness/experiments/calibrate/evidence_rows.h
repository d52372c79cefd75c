/* Measured calls of a machine, and calls that are asked for, as points of the evidence (evidence.h): cells, labels, and
   what a library's own choice is. */
#ifndef TUTTI_CALIBRATE_EVIDENCE_ROWS_H
#define TUTTI_CALIBRATE_EVIDENCE_ROWS_H

#include "base/vector.h"
#include "harness/experiments/calibrate/call_table.h"
#include "harness/experiments/calibrate/calls.h"
#include "harness/experiments/calibrate/evidence.h"
#include "tutti/tuning.h"

struct evidence_row {
  struct call_row call; /* its texts are owned; `seconds` is measured, NaN: it is asked for */
  const char *table;    /* the path of its table, the caller's; NULL: none */
  size_t cell;          /* of rows with the same call and run */
  size_t next;          /* the next row of its cell; SIZE_MAX: none */
  size_t choice;        /* of the library's own choice the row of the method that it is, of others its own */
  bool impossible;      /* tutti_evidence_rows_simulate() found that the method cannot do the call */
};

/* The first and the last row of a cell. */
struct evidence_cell {
  size_t first, last;
};

/* Zero-initialize; tutti_evidence_rows_free(). */
struct evidence_rows {
  TUTTI_VECTOR(struct evidence_row);
  struct {
    TUTTI_VECTOR(struct evidence_cell);
  } cells;
  void *index; /* 1 + number of a cell by its text */
};

/* Append a line of a table. */
void tutti_evidence_rows_add(struct evidence_rows *rows, const struct call_row *call);

/* Read a table, whose path must live as long as the rows. Of one that is `measured` lines without a time are not rows.
 */
tutti_status tutti_evidence_rows_read(const struct call_table *asked, tutti_passed *passed, struct evidence_rows *rows,
                                      tutti_error *error);

/* Simulate the rows that have a schedule and no time yet, as tutti_simulated_run() does, and mark those that no call
   can be of. */
tutti_status tutti_evidence_rows_simulate(struct evidence_rows *rows, const struct simulation_request *request,
                                          tutti_error *error);

/* Find the method that each own choice of a collective is, among the rows of its cell: @p tuning says what the library
   chooses, by its rules (tutti_tuning_of_decision()) or by a file. Until then it is unknown. */
tutti_status tutti_evidence_rows_explain(struct evidence_rows *rows, tutti_collective collective,
                                         const tutti_tuning *tuning, tutti_error *error);

/* Whether the row is the library's own choice. */
bool tutti_evidence_row_is_own(const struct evidence_row *row);

/* The points [count], in the order of the rows; owned by the caller. Of a cell without a simulated time the fastest one
   is taken to be a few messages of any network. */
struct evidence_point *tutti_evidence_rows_points(const struct evidence_rows *rows);

/* How much longer (natural logarithm) a method on several ports of Fugaku's interface takes than @p one, the simulated
   row of its call that it is related to, which sends on one: a message goes in parts over as many cables as there are
   ports and neighbours, so it takes the time of one part, straight between the simulated sizes of the job, and a set-up
   for each port. Such a time counts as simulated. 0 of other methods. */
double tutti_evidence_ports_longer(const struct evidence_rows *rows, const struct call_row *call,
                                   const struct call_row *one);

void tutti_evidence_rows_free(struct evidence_rows *rows);

#endif
