/* Folders: removing one with all that is in it. */
#ifndef TUTTI_BASE_FOLDER_H
#define TUTTI_BASE_FOLDER_H

/* Links are removed, not followed; what cannot be removed stays. */
void tutti_folder_remove(const char *path);

#endif
