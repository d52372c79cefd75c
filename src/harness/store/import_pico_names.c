/* Methods by the names that PICO's tables have for them. Whose code ran follows from the form of the name:
 *
 *     WORD_ompi, WORD_mpich, default-WORD    the library's own; of a default alone what it chose by itself
 *     WORD_over, WORD                        an implementation over plain MPI: our algorithm, if it is the same one
 *     WORD-MPI-SEGMENT-PORTS                 the same on Fugaku; -UTOFU- through the network's own interface
 *
 * A word that is not listed in pico_names.txt is the name of the algorithm. What the authors' own methods send on
 * several ports at once has no schedule here.
 */
#include "harness/store/import_pico.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

extern const char tutti_pico_names[]; /* pico_names.txt */

enum { LONGEST = 64 };

/* A name cut into its parts. */
struct parts {
  char word[LONGEST]; /* with '-' for each '_' */
  const char *owner;  /* "@openmpi", "@mpich" or "" */
  uint64_t segment;
  bool utofu, unknown;
};

static void replace_underscores(char *word)
{
  for (; *word; word++)
    if (*word == '_')
      *word = '-';
}

/* Cut "-MPI-4096-1" off; false: it is not there. */
static bool cut_interface(struct parts *parts)
{
  char *interface = strstr(parts->word, "-UTOFU-");
  parts->utofu = interface != NULL;
  if (!interface)
    interface = strstr(parts->word, "-MPI-");
  if (!interface)
    return false;
  char *segment = strchr(interface + 1, '-') + 1, *ports = strchr(segment, '-');
  *interface = '\0';
  if (ports)
    *ports++ = '\0';
  parts->unknown = !ports || strcmp(ports, "1") != 0 || !tutti_parse_integer(segment, 0, UINT32_MAX, &parts->segment);
  return true;
}

static void cut_owner(struct parts *parts)
{
  static const struct {
    const char *ending, *owner;
  } endings[] = {{"-ompi", "@openmpi"}, {"-mpich", "@mpich"}, {"-over", ""}, {"-nccl", "@nccl"}, {"-rccl", "@rccl"}};
  static const char fujitsu[] = "default-", any_even[] = "-over-any-even";
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    const size_t length = tutti_stem_length(parts->word, endings[i].ending);
    if (length > 0) {
      parts->word[length] = '\0';
      parts->owner = endings[i].owner;
      return;
    }
  }
  const size_t even = tutti_stem_length(parts->word, any_even);
  if (even > 0)
    strcpy(parts->word + even, any_even + strlen("-over"));
  if (strncmp(parts->word, fujitsu, strlen(fujitsu)) != 0)
    return;
  memmove(parts->word, parts->word + strlen(fujitsu), strlen(parts->word + strlen(fujitsu)) + 1);
  parts->owner = "@openmpi";
}

static struct parts cut(const char *name)
{
  struct parts parts = {.owner = ""};
  parts.unknown = snprintf(parts.word, sizeof parts.word, "%s", name) >= LONGEST;
  replace_underscores(parts.word);
  if (!parts.unknown && !cut_interface(&parts))
    cut_owner(&parts);
  return parts;
}

/* The line of a name, cut into words. */
struct line {
  char text[3 * LONGEST];
  const char *algorithm, *variant; /* NULL: not there */
};

/* Whether a line is of the collective and the word, under the settings. */
static bool fits(const char *text, size_t length, const char *key, const char *settings, struct line *line)
{
  const size_t begin = strlen(key);
  if (strncmp(text, key, begin) != 0)
    return false;
  *line = (struct line){.algorithm = line->text};
  snprintf(line->text, sizeof line->text, "%.*s", (int)(length - begin), text + begin);
  char *needed = strstr(line->text, " settings="), *variant = strstr(line->text, " variant=");
  if (needed && !strstr(settings, needed + strlen(" settings=")))
    return false;
  line->variant = variant ? variant + strlen(" variant=") : NULL;
  line->text[strcspn(line->text, " ")] = '\0';
  return true;
}

/* Find the name of a method of the collective, or of any. */
static bool find(const char *collective, const char *word, const char *settings, struct line *line)
{
  char own[2 * LONGEST], any[2 * LONGEST];
  snprintf(own, sizeof own, "%s %s ", collective, word);
  snprintf(any, sizeof any, "any %s ", word);
  size_t length;
  for (const char *text = tutti_pico_names; *text; text += length + (text[length] != '\0')) {
    length = strcspn(text, "\n");
    if (fits(text, length, own, settings, line) || fits(text, length, any, settings, line))
      return true;
  }
  return false;
}

/* Whether the torus has a tree for each neighbor. Otherwise the times are those of the library's own choice
   (docs/explanation/machines.md), so the method is unknown. */
static bool has_trees(const tutti_method *method, const int *sides, int count)
{
  int neighbors = 0;
  for (int d = 0; d < count; d++)
    neighbors += sides[d] > 2 ? 2 : sides[d] - 1;
  return !(method->algorithm->parameters & TUTTI_TAKES_OUTSTANDING) || method->parameters.outstanding <= neighbors;
}

/* A method that needs the torus gets the shape of the job, as from a word torus=4x4x4. */
static bool tell_torus(const char *nodes, tutti_method *method)
{
  int sides[TUTTI_MAX_SIDES], count = 0;
  uint64_t side;
  char copy[LONGEST], *rest = copy;
  if (!(method->algorithm->domain & TUTTI_NEEDS_TORUS) || !strchr(nodes, 'x'))
    return true;
  if (snprintf(copy, sizeof copy, "%s", nodes) >= LONGEST)
    return false;
  for (char *word; (word = strsep(&rest, "x")); sides[count++] = (int)side)
    if (count == TUTTI_MAX_SIDES || !tutti_parse_integer(word, 1, TUTTI_MAX_SIDE, &side))
      return false;
  method->parameters.k = tutti_sides_pack(sides, count);
  return has_trees(method, sides, count);
}

/* The library's method if it has it; a method listed in the table is our schedule, whichever library has it. */
static bool parse(tutti_collective collective, const char *algorithm, const char *owner, bool listed,
                  tutti_method *method)
{
  char text[3 * LONGEST];
  tutti_error ignored;
  snprintf(text, sizeof text, "%s/%s%s", tutti_collective_name(collective), algorithm, owner);
  if (tutti_method_parse(text, method, &ignored) == TUTTI_OK)
    return true;
  return listed && *owner && parse(collective, algorithm, "", false, method);
}

bool tutti_pico_method(tutti_collective collective, const char *name, const char *nodes, const char *settings,
                       struct pico_method *found)
{
  const struct parts parts = cut(name);
  const bool native = strcmp(parts.word, "default") == 0;
  struct line line;
  char owned[2 * LONGEST];
  snprintf(owned, sizeof owned, "%s%s", parts.word, parts.owner);
  const bool listed = find(tutti_collective_name(collective), owned, settings, &line) ||
                      find(tutti_collective_name(collective), parts.word, settings, &line);
  const char *algorithm = native ? "native" : listed ? line.algorithm : parts.word;
  if (parts.unknown || strcmp(algorithm, "-") == 0)
    return false;
  *found = (struct pico_method){.utofu = parts.utofu};
  if (listed && line.variant)
    snprintf(found->variant, sizeof found->variant, "%s", line.variant);
  if (!parse(collective, algorithm, native || strchr(algorithm, '/') ? "" : parts.owner, listed, &found->method) ||
      !tell_torus(nodes, &found->method))
    return false;
  if (parts.segment > 0)
    found->method.parameters.segment_bytes = parts.segment;
  return parts.segment == 0 || found->method.algorithm->parameters & TUTTI_TAKES_SEGMENT;
}
