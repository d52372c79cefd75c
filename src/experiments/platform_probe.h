/* What a simulated platform really does between two hosts. */
#ifndef TUTTI_EXPERIMENTS_PLATFORM_PROBE_H
#define TUTTI_EXPERIMENTS_PLATFORM_PROBE_H

#include "tutti/platform.h"

/* The least-squares fit that tutti-pingpong printed. */
typedef struct platform_probe {
  double alpha; /* seconds */
  double beta;  /* seconds per byte */
  int sizes;    /* message sizes measured */
} platform_probe;

/*
 * Run @p program (tutti-pingpong of the SMPI flavor) under smpirun on the first two hosts of @p platform.
 * TUTTI_ERR_LAUNCH, with what smpirun said, unless all records arrived, the closing one included; TUTTI_ERR_IO.
 */
tutti_status tutti_platform_probe_run(const tutti_platform *platform, const char *program, platform_probe *probe,
                                      tutti_error *error);

/* Read what tutti-pingpong printed. TUTTI_ERR_LAUNCH if records are missing. For tutti_platform_probe_run() and its
 * test. */
tutti_status tutti_platform_probe_parse(char *output, platform_probe *probe, tutti_error *error);

#endif
