/* Files that lie beside the running executable: in the build tree or where it was installed. */
#ifndef TUTTI_HARNESS_SELF_H
#define TUTTI_HARNESS_SELF_H

/* The directory of the running executable, without a slash at its end; owned by the caller, NULL if it is unknown. */
char *tutti_self_directory(void);

/* DIRECTORY/relative, DIRECTORY being that of the executable; owned by the caller, NULL if it is unknown. */
char *tutti_self_path(const char *relative);

#endif
