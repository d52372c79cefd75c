/* Where platforms are looked for. */
#ifndef TUTTI_HARNESS_PLATFORM_FIND_H
#define TUTTI_HARNESS_PLATFORM_FIND_H

/* Directories searched for platform names, separated by colons: owned by the caller, NULL if out of memory. */
char *tutti_platform_directories(void);

#endif
