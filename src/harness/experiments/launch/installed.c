/* Which MPI library is installed, as its launcher says: nothing is measured, and no rank starts. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "harness/experiments/launch/launcher.h"

/* "4.1.4" of "mpiexec (OpenRTE) 4.1.4" or "Version:   4.0.2": the first word of a digit with a dot in it. */
static bool find_version(const char *text, char version[16])
{
  for (const char *word = text; *word; word += strcspn(word, " \t\n")) {
    word += strspn(word, " \t\n");
    const size_t length = strspn(word, "0123456789.");
    if (isdigit((unsigned char)*word) && memchr(word, '.', length) && length < 16) {
      memcpy(version, word, length);
      version[length] = '\0';
      return true;
    }
  }
  return false;
}

const char *tutti_launcher_asked(char *const *words, const struct tutti_variable *variables,
                                 char library[LAUNCHER_LIBRARY_LENGTH])
{
  char text[512] = "", version[16];
  int count = 0;
  while (words[count])
    count++;
  char **arguments = tutti_xcalloc((size_t)count + 2, sizeof *arguments);
  memcpy(arguments, words, (size_t)count * sizeof *arguments);
  arguments[count] = "--version";
  const struct tutti_command ask = {.arguments = arguments, .variables = variables, .directory = -1};
  const bool answers = tutti_process_capture(&ask, text, sizeof text) == 0 && find_version(text, version);
  free(arguments);
  const char *flavor = !answers ? NULL : strstr(text, "(Open") ? "openmpi" : strstr(text, "HYDRA") ? "mpich" : NULL;
  if (flavor)
    snprintf(library, LAUNCHER_LIBRARY_LENGTH, "%s-%s", *flavor == 'o' ? "OpenMPI" : "MPICH", version);
  return flavor;
}

bool tutti_launcher_installed(const char *flavor, char library[LAUNCHER_LIBRARY_LENGTH])
{
  char *words[] = {tutti_launcher_find(flavor, NULL), NULL};
  const char *found = words[0] ? tutti_launcher_asked(words, NULL, library) : NULL;
  free(words[0]);
  return found && strcmp(found, flavor) == 0;
}
