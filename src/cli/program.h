/* Where the measuring programs are. */
#ifndef TUTTI_CLI_PROGRAM_H
#define TUTTI_CLI_PROGRAM_H

/*
 * Path of a measuring program (name "tutti-bench", flavor "smpi"), owned by the caller; NULL without memory. What the
 * user gave, if not NULL; else in the build directory that the user gave, if not NULL; else beside this executable or
 * where it is installed. If it is in neither place, the first one, for the message.
 */
char *program_find(const char *given, const char *build_dir, const char *flavor, const char *name);

#endif
