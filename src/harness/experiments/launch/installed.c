/* Which MPI library is installed, as its launcher says: nothing is measured, and no rank starts. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

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

bool tutti_launcher_installed(const char *flavor, char library[LAUNCHER_LIBRARY_LENGTH])
{
  const bool openmpi = strcmp(flavor, "openmpi") == 0;
  char text[512] = "", version[16];
  char *command = tutti_launcher_find(flavor, NULL), *arguments[] = {command, "--version", NULL};
  const struct tutti_command ask = {.arguments = arguments, .directory = -1};
  const bool answers = command && tutti_process_capture(&ask, text, sizeof text) == 0 &&
                       strstr(text, openmpi ? "(Open" : "HYDRA") && find_version(text, version);
  if (answers)
    snprintf(library, LAUNCHER_LIBRARY_LENGTH, "%s-%s", openmpi ? "OpenMPI" : "MPICH", version);
  free(command);
  return answers;
}
