/* Cards: under what a chunk is measured, one NAME=VALUE a line. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiments/work.h"

#define CARD_TITLE "tutti-card v=1"

static tutti_status rename_card(const struct work *work, unsigned number, tutti_error *error)
{
  char from[WORK_NAME_LENGTH], to[WORK_NAME_LENGTH];
  tutti_work_name(number, "card.new", from);
  tutti_work_name(number, "card", to);
  if (renameat(work->directory, from, work->directory, to) != 0)
    return tutti_fail(error, TUTTI_ERR_IO, "%s/%s: cannot rename: %s", work->path, from, strerror(errno));
  return TUTTI_OK;
}

tutti_status tutti_card_write(const struct work *work, unsigned number, const struct card *card, tutti_error *error)
{
  FILE *stream = tutti_work_create(work, number, "card.new", error);
  if (!stream)
    return TUTTI_ERR_IO;
  fprintf(stream, "%s\nplatform=%s\nplatform_hash=%s\nflavor=%s\nlibrary=%s\ntutti=%s\n", CARD_TITLE, card->platform,
          card->platform_hash, card->flavor, card->library, card->tutti);
  fprintf(stream, "scheme=%s\nranks=%d\nranks_per_node=%d\n", tutti_scheme_name(card->scheme), card->ranks,
          card->ranks_per_node);
  tutti_status status = tutti_work_finish(work, stream, error);
  return status == TUTTI_OK ? rename_card(work, number, error) : status;
}

static bool copy_text(char *target, size_t length, const char *value)
{
  return (size_t)snprintf(target, length, "%s", value) < length;
}

static bool copy_number(int *target, const char *value)
{
  char *end;
  errno = 0;
  long number = strtol(value, &end, 10);
  *target = (int)number;
  return end != value && !*end && errno == 0 && number >= 1 && number <= 1 << 30;
}

/* One line NAME=VALUE; sets its bit in *seen. */
static bool read_field(struct card *card, char *line, unsigned *seen)
{
  char *value = strchr(line, '=');
  if (!value)
    return false;
  *value++ = '\0';
  struct {
    const char *name;
    char *text;
    size_t length;
  } texts[] = {{"platform", card->platform, sizeof card->platform},
               {"platform_hash", card->platform_hash, sizeof card->platform_hash},
               {"flavor", card->flavor, sizeof card->flavor},
               {"library", card->library, sizeof card->library},
               {"tutti", card->tutti, sizeof card->tutti}};
  for (unsigned i = 0; i < 5; i++)
    if (strcmp(line, texts[i].name) == 0) {
      *seen |= 1u << i;
      return copy_text(texts[i].text, texts[i].length, value);
    }
  if (strcmp(line, "scheme") == 0) {
    *seen |= 1u << 5;
    return tutti_scheme_parse_ours(value, &card->scheme, NULL) == TUTTI_OK;
  }
  bool ranks = strcmp(line, "ranks") == 0, per_node = strcmp(line, "ranks_per_node") == 0;
  *seen |= ranks ? 1u << 6 : per_node ? 1u << 7 : 0;
  return (ranks || per_node) && copy_number(ranks ? &card->ranks : &card->ranks_per_node, value);
}

static bool read_lines(struct card *card, FILE *stream)
{
  char *line = NULL;
  size_t capacity = 0;
  unsigned seen = 0;
  bool good = getline(&line, &capacity, stream) >= 0 && strcmp(line, CARD_TITLE "\n") == 0;
  while (good && getline(&line, &capacity, stream) >= 0) {
    line[strcspn(line, "\n")] = '\0';
    good = read_field(card, line, &seen);
  }
  free(line);
  return good && seen == 0xff;
}

tutti_status tutti_card_read(const struct work *work, unsigned number, struct card *card, tutti_error *error)
{
  *card = (struct card){0};
  int file = tutti_work_file(work, number, "card", O_RDONLY, error);
  if (file < 0)
    return TUTTI_ERR_IO;
  FILE *stream = fdopen(file, "r");
  if (!stream) {
    close(file);
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory for the files of a job", work->path);
  }
  bool good = read_lines(card, stream);
  fclose(stream);
  if (good)
    return TUTTI_OK;
  char name[WORK_NAME_LENGTH];
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s/%s is not a card of Tutti", work->path,
                    tutti_work_name(number, "card", name));
}

tutti_environment tutti_card_environment(const struct card *card)
{
  return (tutti_environment){.platform = card->platform,
                             .platform_hash = card->platform_hash,
                             .flavor = card->flavor,
                             .library = card->library,
                             .tutti = card->tutti};
}
