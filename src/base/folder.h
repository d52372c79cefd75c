/* Folders: what is in one, and removing it with all that is in it. */
#ifndef TUTTI_BASE_FOLDER_H
#define TUTTI_BASE_FOLDER_H

#include <stdbool.h>

/* Whether a path is the folder, or below it. Compares texts: both are without links and "..". */
bool tutti_folder_has(const char *folder, const char *path);

/* Links are removed, not followed; what cannot be removed stays. */
void tutti_folder_remove(const char *path);

#endif
