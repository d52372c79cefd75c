/* Labels of an axis in gnuplot's words: ("1KB" 1024, "4KB" 4096). */
#ifndef TUTTI_CLI_PLOT_TICS_H
#define TUTTI_CLI_PLOT_TICS_H

#define PLOT_TICS_LENGTH 1024

/* @{ Begin with an empty text, append, close. Labels have no quotes. */
void plot_tics_append(char tics[PLOT_TICS_LENGTH], const char *label, double position);
void plot_tics_close(char tics[PLOT_TICS_LENGTH]);
/* @} */

/* All labels of a logarithmic axis: powers of two, written as sizes (bytes). */
void plot_tics_bytes(double least, double most, char tics[PLOT_TICS_LENGTH]);

/* All labels of a logarithmic axis: powers of ten, and 2 and 5 times them if there are less than three. */
void plot_tics_decades(double least, double most, char tics[PLOT_TICS_LENGTH]);

#endif
