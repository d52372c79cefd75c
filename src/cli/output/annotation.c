/* Annotations of a change, as GitHub Actions reads them: ::LEVEL file=FILE,line=LINE,title=TITLE::MESSAGE */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "cli/output/output.h"

/* What the runner would take for its own signs is written as %XX. */
static void put_escaped(const char *text, const char *signs)
{
  while (*text)
    if (strchr(signs, *text))
      printf("%%%02X", (unsigned char)*text++);
    else
      text += tutti_utf8_put(stdout, text);
}

/* The file as seen from the top of the repository, where annotations are looked for; owned by the caller. */
static char *path_in_repository(const char *path)
{
  const char *top = getenv("GITHUB_WORKSPACE");
  char real[PATH_MAX], real_top[PATH_MAX];
  size_t length = top && realpath(top, real_top) ? strlen(real_top) : 0;
  bool within = length > 0 && realpath(path, real) && strncmp(real, real_top, length) == 0 && real[length] == '/';
  return tutti_xstrdup(within ? real + length + 1 : path);
}

void annotation_print(const char *level, const char *path, int line, const char *title, char *message)
{
  char *file = path ? path_in_repository(path) : NULL;
  printf("::%s ", level);
  if (file) {
    printf("file=");
    put_escaped(file, "%\r\n:,");
    printf(",line=%d,", line > 0 ? line : 1);
  }
  printf("title=");
  put_escaped(title, "%\r\n:,");
  printf("::");
  put_escaped(message, "%\r\n");
  putchar('\n');
  free(message);
  free(file);
}
