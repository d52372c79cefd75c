#include "cli/options/own_choice.h"

#include "cli/command.h"
#include "cli/output/output.h"
#include "decision/libraries/libraries.h"
#include "harness/experiments/launch/launcher.h"

static const char *const flavors[] = {"openmpi", "mpich"};

enum { FLAVORS = sizeof flavors / sizeof *flavors };

static bool is_asked(const struct selection_options *options, const char *flavor)
{
  return !options->selection.flavor || strcmp(options->selection.flavor, flavor) == 0;
}

/* A library as stores call it, OpenMPI-4.1.4. */
static bool read_run(const char *library, struct own_choice *found)
{
  return tutti_library_version_parse(library, &found->version, NULL) == TUTTI_OK;
}

/* What was measured on the platform, or anywhere without one, of real flavors. */
static bool find_measured(const struct selection_options *options, struct own_choice *found)
{
  tutti_store_contents contents = selection_contents(options);
  bool known = false;
  for (int i = 0; i < contents.environment_count && !known; i++) {
    const tutti_environment *own = &contents.environments[i];
    known = (!*options->platform || strcmp(own->platform, options->platform) == 0) &&
            !tutti_flavor_is_simulated(own->flavor) && is_asked(options, own->flavor) && read_run(own->library, found);
    if (known)
      snprintf(found->where, sizeof found->where, "%.60s, which was measured on %.80s", own->library, own->platform);
  }
  tutti_store_contents_free(&contents);
  return known;
}

/* Of two that are installed the first one, and the other is named. */
static bool find_installed(const struct selection_options *options, struct own_choice *found)
{
  bool known = false;
  for (int i = 0; i < FLAVORS; i++) {
    char library[LAUNCHER_LIBRARY_LENGTH];
    struct own_choice other;
    if (!is_asked(options, flavors[i]) || !tutti_launcher_installed(flavors[i], library) || !read_run(library, &other))
      continue;
    if (!known)
      snprintf(other.where, sizeof other.where, "%s, which is installed", library);
    else
      text_append(found->where, sizeof found->where, "; of %s: --flavor %s", library, flavors[i]);
    if (!known)
      *found = other;
    known = true;
  }
  return known;
}

const char *own_choice_rules(const tutti_library_version *version)
{
  static char name[64];
  snprintf(name, sizeof name, "library:%s-%d.%d", version->library->name, version->major, version->minor);
  return tutti_library_rules(name) ? name : NULL;
}

void own_choice_find(const struct selection_options *options, struct own_choice *found)
{
  const char *named = options->selection.library;
  *found = (struct own_choice){.where = ""};
  if (named && !read_run(named, found))
    die("--library %s: its own choice is not known; --decision says what else decides", named);
  if (named)
    snprintf(found->where, sizeof found->where, "%.80s, as --library says", named);
  else if (!(*options->platform && find_measured(options, found)) && !find_installed(options, found) &&
           !find_measured(options, found))
    die("which --decision? No MPI library is installed here whose own choice is known: say one, such as "
        "library:openmpi-4.1 or library:mpich-4.0");
}
