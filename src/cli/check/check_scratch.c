/* The store that a check measures into. */
#include <errno.h>
#include <unistd.h>

#include "cli/check/check.h"

static void remove_scratch(void *of)
{
  const struct check_scratch *scratch = of;
  tutti_folder_remove(scratch->folder);
  tutti_signals_restore(&scratch->signals);
}

void check_scratch_open(const char *keep, struct check_scratch *scratch)
{
  const char *temporary = getenv("TMPDIR");
  *scratch = (struct check_scratch){0};
  if (keep && access(keep, F_OK) == 0)
    die("%s: is there already; a check measures into a store of its own", keep);
  scratch->folder = keep ? tutti_xprintf("%s.XXXXXX", keep)
                         : tutti_xprintf("%s/tutti-check.XXXXXX", temporary && *temporary ? temporary : "/tmp");
  tutti_signals_block(&scratch->signals);
  if (!mkdtemp(scratch->folder))
    die("%s: cannot be made: %s", keep ? keep : scratch->folder, strerror(errno));
  scratch->database = tutti_xprintf("%s/check.db", scratch->folder);
  failure_undo(remove_scratch, scratch);
}

void check_scratch_close(struct check_scratch *scratch, const char *keep)
{
  if (keep && rename(scratch->database, keep) != 0)
    die("%s: cannot be written: %s", keep, strerror(errno));
  failure_forget();
  remove_scratch(scratch);
  free(scratch->folder);
  free(scratch->database);
}
