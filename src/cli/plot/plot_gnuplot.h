/* Pictures drawn by gnuplot, whose scripts are in plots/. */
#ifndef TUTTI_CLI_PLOT_GNUPLOT_H
#define TUTTI_CLI_PLOT_GNUPLOT_H

#include <stdio.h>

#include "tutti/error.h"

/* What gnuplot is given: SCRIPT DATA OUTPUT TERMINAL ARGUMENT... */
struct plot_request {
  const char *script;                             /* file name below plots/ */
  const char *const *arguments;                   /* of the script's own, at most 6 (it knows nine); NULL at the end */
  void (*write)(FILE *data, const void *context); /* writes the data; errors of the stream are noticed afterwards */
  const void *context;
};

/* Is the file name one that can be drawn (.svg, .png, .pdf)? TUTTI_ERR_ARGUMENT. */
tutti_status gnuplot_check(const char *path, tutti_error *error);

/* The same, for OPTION_PARSE(); the member is a const char *. */
tutti_status gnuplot_option(void *member, const char *path, tutti_error *error);

/* Run gnuplot and write what it draws to @p path, which gnuplot_check() accepted. TUTTI_ERR_LAUNCH without gnuplot or
   if it failed, TUTTI_ERR_IO. */
tutti_status gnuplot_draw(const struct plot_request *request, const char *path, tutti_error *error);

#endif
