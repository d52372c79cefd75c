#include "base/folder.h"

#include <ftw.h>
#include <stdio.h>
#include <string.h>

bool tutti_folder_has(const char *folder, const char *path)
{
  size_t length = strlen(folder);
  while (length > 0 && folder[length - 1] == '/')
    length--;
  return strncmp(path, folder, length) == 0 && (path[length] == '/' || !path[length]);
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
  (void)status;
  (void)type;
  (void)place;
  remove(path);
  return 0;
}

void tutti_folder_remove(const char *path)
{
  nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}
