/* What others put into or before the lines of a program: launchers, log keepers, terminals. */
#ifndef TUTTI_BASE_LABEL_H
#define TUTTI_BASE_LABEL_H

/* The text after the label of a rank: "[1,0]<stdout>:", "[0] ", "0: ", "0:" of an empty line. */
char *tutti_skip_label(char *line);

/* The text after a time, the label of a rank or a host ("nid00012: " before a number, a comment or nothing) and the mark
   of a quotation ("> ", "| "), as far as they are there. Times are those of ts, syslog, GitHub and GitLab. */
char *tutti_skip_prefix(char *line);

/* Take the escape sequences of a terminal (ECMA-48) out of a line. */
void tutti_strip_escapes(char *line);

#endif
