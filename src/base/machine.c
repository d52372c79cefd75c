#include "base/machine.h"

#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/numbers.h"
#include "base/splitmix64.h"
#include "base/vector.h"

/* A line of such a file, "NAME: VALUE", that begins with the name; its value is in the line then, else NULL. */
static const char *find_value(const char *path, const char *name, char *line, size_t size)
{
  const char *value = NULL;
  FILE *stream = fopen(path, "r");
  while (stream && !value && fgets(line, (int)size, stream))
    if (strncmp(line, name, strlen(name)) == 0 && (value = strchr(line, ':')))
      value += 1 + strspn(value + 1, " \t");
  if (stream)
    fclose(stream);
  return value;
}

/* Blanks, many as they are, become one hyphen; other bytes that records do not have, question marks. */
static char *make_word(char *word, const char *text)
{
  size_t used = 0;
  for (text += strspn(text, " \t\r\n"); *text && used + 1 < TUTTI_MACHINE_WORD; text++) {
    size_t blanks = strspn(text, " \t\r\n");
    text += blanks > 0 ? blanks - 1 : 0;
    if (blanks > 0 && !text[1])
      break;
    word[used++] = blanks > 0 ? '-' : *text > ' ' && *text <= '~' ? *text : '?';
  }
  word[used] = '\0';
  return word;
}

char *tutti_machine_host(char *name)
{
  char text[256] = "";
  if (gethostname(text, sizeof text - 1) != 0)
    *text = '\0';
  return make_word(name, text);
}

char *tutti_machine_cpu(char *model)
{
  static const char *const names[] = {"model name", "Model Name", "cpu\t", "Processor"};
  char line[256];
  struct utsname system;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = find_value("/proc/cpuinfo", names[i], line, sizeof line);
    if (value && *make_word(model, value))
      return model;
  }
  return make_word(model, uname(&system) == 0 ? system.machine : "");
}

char *tutti_machine_processor(char *name, size_t size)
{
  char line[256];
  const char *value = find_value("/proc/cpuinfo", "model name", line, sizeof line);
  snprintf(name, size, "%.*s", value ? (int)strcspn(value, "\n") : INT_MAX, value ? value : "processor");
  return name;
}

int tutti_machine_cores(void)
{
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? (int)online : 0;
}

uint64_t tutti_machine_memory(uint64_t *available)
{
  char line[256];
  const char *value = find_value("/proc/meminfo", "MemAvailable", line, sizeof line);
  *available = value ? strtoull(value, NULL, 10) * 1024 : 0;
  value = find_value("/proc/meminfo", "MemTotal", line, sizeof line);
  return value ? strtoull(value, NULL, 10) * 1024 : 0;
}

double tutti_machine_load(void)
{
  double load;
  return getloadavg(&load, 1) == 1 ? load : 0;
}

int tutti_machine_affinity(uint64_t processors[TUTTI_PROCESSORS_WORDS])
{
  cpu_set_t set[TUTTI_PROCESSORS_WORDS * 8 / sizeof(cpu_set_t)];
  memset(set, 0, sizeof set);
  memset(processors, 0, TUTTI_PROCESSORS_WORDS * sizeof *processors);
  if (sched_getaffinity(0, sizeof set, set) != 0)
    return 0;
  for (int i = 0; i < TUTTI_PROCESSORS_WORDS * 64; i++)
    if (CPU_ISSET_S((size_t)i, sizeof set, set))
      processors[i / 64] |= UINT64_C(1) << i % 64;
  return CPU_COUNT_S(sizeof set, set);
}

char *tutti_machine_date(char *date)
{
  struct timespec now;
  struct tm parts;
  clock_gettime(CLOCK_REALTIME, &now);
  gmtime_r(&now.tv_sec, &parts);
  size_t used = strftime(date, TUTTI_DATE_LENGTH, "%Y-%m-%dT%H:%M:%S", &parts);
  snprintf(date + used, TUTTI_DATE_LENGTH - used, ".%03dZ", (int)(now.tv_nsec / 1000000));
  return date;
}

/* ---- digests ---- */

uint64_t tutti_digest(const void *bytes, size_t length)
{
  const unsigned char *at = bytes;
  uint64_t digest = length;
  for (size_t i = 0; i < length; i++)
    digest = tutti_splitmix64(digest * 0x100 + at[i] + 1);
  return digest;
}

uint64_t tutti_digest_set(uint64_t *digests, size_t count)
{
  return tutti_digest(digests, tutti_numbers_unique(digests, count) * sizeof *digests);
}

char *tutti_digest_format(uint64_t digest, char *text)
{
  snprintf(text, TUTTI_DIGEST_LENGTH, "%016" PRIx64, digest);
  return text;
}
