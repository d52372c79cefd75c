/* Hosts of a real machine: read from either way of writing them, written as a launcher wants them. */
#ifndef TUTTI_HARNESS_HOSTS_H
#define TUTTI_HARNESS_HOSTS_H

#include <stdio.h>

#include "experiments/launcher.h"

struct hosts {
  char **names;
  int count;
  int slots; /* ranks on each of them */
};

/*
 * A line is `NAME`, `NAME:4` (MPICH) or `NAME slots=4` (Open MPI, whose further words are passed over); '#' begins a
 * comment. All hosts have as many slots, 1 unless told, because the ranks per node are part of what a measurement is.
 * TUTTI_ERR_IO, TUTTI_ERR_ARGUMENT with FILE:LINE.
 */
tutti_status tutti_hosts_read(const char *path, struct hosts *hosts, tutti_error *error);

/* TUTTI_ERR_IO if the stream fails. */
tutti_status tutti_hosts_write(const struct hosts *hosts, enum manner manner, FILE *stream, tutti_error *error);

void tutti_hosts_free(struct hosts *hosts);

#endif
