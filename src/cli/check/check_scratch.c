/* The store that a check measures into. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/memory.h"
#include "cli/check/check.h"

tutti_status check_scratch_open(const char *keep, struct check_scratch *scratch, tutti_error *error)
{
  const char *temporary = getenv("TMPDIR");
  *scratch = (struct check_scratch){0};
  if (keep && access(keep, F_OK) == 0)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: is there already; a check measures into a store of its own", keep);
  scratch->folder = keep ? tutti_xprintf("%s.XXXXXX", keep)
                         : tutti_xprintf("%s/tutti-check.XXXXXX", temporary && *temporary ? temporary : "/tmp");
  if (mkdtemp(scratch->folder)) {
    scratch->database = tutti_xprintf("%s/check.db", scratch->folder);
    return TUTTI_OK;
  }
  tutti_status status =
      tutti_fail(error, TUTTI_ERR_IO, "%s: cannot be made: %s", keep ? keep : scratch->folder, strerror(errno));
  free(scratch->folder);
  return status;
}

tutti_status check_scratch_close(struct check_scratch *scratch, const char *keep, tutti_status status,
                                 tutti_error *error)
{
  if (status == TUTTI_OK && keep && rename(scratch->database, keep) != 0)
    status = tutti_fail(error, TUTTI_ERR_IO, "%s: cannot be written: %s", keep, strerror(errno));
  tutti_folder_remove(scratch->folder);
  free(scratch->folder);
  free(scratch->database);
  return status;
}
