/*
 * What a command says of itself, help/NAME.txt: the summary in the first line, then sections under SYNOPSIS,
 * DESCRIPTION, NOTES, EXAMPLES and SEE ALSO, each of which may be missing. Lines of a paragraph are joined, but for
 * those of SYNOPSIS and EXAMPLES, and those that begin with a blank.
 */
#ifndef TUTTI_CLI_COMMAND_TEXT_H
#define TUTTI_CLI_COMMAND_TEXT_H

enum command_section { SECTION_SYNOPSIS, SECTION_DESCRIPTION, SECTION_NOTES, SECTION_EXAMPLES, SECTION_SEE_ALSO };

/* A section without its heading; NULL: missing. Owned by the caller. */
char *command_section(const char *text, enum command_section section);

/* Length of the summary, with which the text begins. */
int command_summary_length(const char *text);

#endif
