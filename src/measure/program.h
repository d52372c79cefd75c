/* What the measuring programs have in common: rank 0 reads what to measure and prints records; errors that all ranks
   share end the program in good order. */
#ifndef TUTTI_MEASURE_PROGRAM_H
#define TUTTI_MEASURE_PROGRAM_H

#include "measure/options.h"
#include "tutti/record.h"
#include "tutti/view.h"

struct program {
  const char *name; /* "tutti-bench" */
  tutti_status (*read)(int argc, char **argv, struct options *options, tutti_error *error);
  /* On all ranks: the points that rank 0 has read, which it must free, and the file that they come from (NULL: the
     command line). TUTTI_ERR_ARGUMENT, TUTTI_ERR_UNSUPPORTED and TUTTI_ERR_IO must be the same on all. */
  tutti_status (*measure)(const tutti_view *view, char *text, const char *name, tutti_error *error);
};

/* All of main(). Returns the exit status. */
int tutti_program_run(const struct program *program, int argc, char **argv);

/* For rank 0: the records around measurements, and any record. */
void tutti_program_print(const tutti_record *record);
void tutti_program_print_run(const tutti_view *view, int ranks_per_node);
void tutti_program_print_end(size_t measurements);

#endif
