/* Platform files: found, read, and written as hostfiles. */
#include <errno.h>
#include <math.h>
#include <nettle/base16.h>
#include <nettle/sha2.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/input.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/text.h"
#include "base/utf8.h"
#include "base/words.h"
#include "harness/platforms/platform_private.h"
#include "tutti/platform.h"

static tutti_status set_name(tutti_platform *platform, tutti_error *error)
{
  const char *slash = strrchr(platform->path, '/'), *base = slash ? slash + 1 : platform->path;
  size_t stem = tutti_stem_length(base, ".xml"), length = stem ? stem : strlen(base);
  if (length >= sizeof platform->name)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: the name of a platform has at most %d characters", platform->path,
                      TUTTI_PLATFORM_NAME_LENGTH - 1);
  memcpy(platform->name, base, length);
  if (!tutti_utf8_is_valid(platform->name))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: the name of a platform is not UTF-8", platform->path);
  return TUTTI_OK;
}

void tutti_hash(const void *bytes, size_t length, char hash[TUTTI_HASH_LENGTH])
{
  struct sha256_ctx context;
  uint8_t digest[SHA256_DIGEST_SIZE];
  _Static_assert(TUTTI_HASH_LENGTH == BASE16_ENCODE_LENGTH(SHA256_DIGEST_SIZE) + 1, "room for SHA-256 in hexadecimal");
  sha256_init(&context);
  sha256_update(&context, length, bytes);
  sha256_digest(&context, sizeof digest, digest);
  base16_encode_update(hash, sizeof digest, digest);
  hash[TUTTI_HASH_LENGTH - 1] = '\0';
}

static tutti_status interpret(const xml_file *file, tutti_platform *platform, tutti_error *error)
{
  tutti_hash(file->bytes, file->length, platform->hash);
  tutti_status status = set_name(platform, error);
  if (status == TUTTI_OK)
    status = tutti_platform_check_structure(file, error);
  if (status == TUTTI_OK)
    status = tutti_platform_read_properties(file, platform, error);
  if (status == TUTTI_OK)
    status = tutti_platform_check_profiles(file, platform, error);
  if (status == TUTTI_OK)
    status = tutti_platform_check_disks(file, error);
  if (status == TUTTI_OK)
    status = tutti_platform_read_hosts(file, platform, error);
  if (status == TUTTI_OK)
    tutti_platform_find_faults(file, platform);
  return status;
}

tutti_platform tutti_platform_unpublished(void)
{
  return (tutti_platform){.ranks_per_node = 1,
                          .copy_cost = 1,
                          .hosts_per_node = 1,
                          .published_alpha = NAN,
                          .published_beta = NAN,
                          .published_L = NAN,
                          .published_o = NAN,
                          .published_g = NAN,
                          .published_G = NAN,
                          .published_gamma = NAN};
}

/* That ranks use one after the other, where none is taken twice. */
static long hosts_of(const tutti_platform *platform, int ranks)
{
  return ranks == 0 ? platform->host_count : ((long)ranks + platform->ranks_per_node - 1) / platform->ranks_per_node;
}

bool tutti_platform_refuses(const tutti_platform *platform, const tutti_platform_finding *finding, int ranks)
{
  return finding->refused && hosts_of(platform, ranks) >= finding->hosts;
}

bool tutti_platform_concerns(const tutti_platform *platform, const tutti_platform_finding *finding, int ranks)
{
  return finding->hosts <= platform->host_count || hosts_of(platform, ranks) >= finding->hosts;
}

tutti_status tutti_platform_accept(const tutti_platform *platform, int ranks, FILE *warnings, tutti_error *error)
{
  for (int i = 0; i < platform->finding_count; i++)
    if (tutti_platform_refuses(platform, &platform->findings[i], ranks))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s", platform->findings[i].message);
  for (int i = 0; warnings && i < platform->finding_count; i++)
    if (tutti_platform_concerns(platform, &platform->findings[i], ranks))
      fprintf(warnings, "tutti: warning: %s\n", platform->findings[i].message);
  return TUTTI_OK;
}

/* Explain a missing path: it may be meant as a file beside it, or as the name of a platform. */
static tutti_status fail_path(const char *path, const char *reason, tutti_error *error)
{
  char meant[2 * TUTTI_GUESS_LENGTH];
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  char *folder = slash ? tutti_xprintf("%.*s", (int)(slash - path), path) : tutti_xstrdup(".");
  size_t stem = tutti_stem_length(base, ".xml");
  char *word = tutti_xprintf("%.*s", (int)(stem ? stem : strlen(base)), base);
  tutti_guess beside = {.word = word}, named = {.word = word};
  tutti_guess_try_files(&beside, *folder ? folder : "/", ".xml");
  tutti_platform_guess(&named);
  const char *file = tutti_guess_word(&beside);
  tutti_status status =
      file ? tutti_fail(error, TUTTI_ERR_IO, "%s: %s (did you mean '%s/%s.xml'?)", path, reason, folder, file)
           : tutti_fail(error, TUTTI_ERR_IO, "%s: %s%s", path, reason, tutti_guess_text(&named, meant));
  free(word);
  free(folder);
  return status;
}

static tutti_status check_path(const char *path, tutti_error *error)
{
  tutti_status status = tutti_input_permit_handing_on(path, error);
  if (status != TUTTI_OK || access(path, R_OK) == 0)
    return status;
  return errno == ENOENT ? fail_path(path, strerror(errno), error)
                         : tutti_fail(error, TUTTI_ERR_IO, "%s: %s", path, strerror(errno));
}

tutti_status tutti_platform_read(const char *path, tutti_platform *platform, tutti_error *error)
{
  xml_file file;
  *platform = tutti_platform_unpublished();
  platform->path = tutti_xstrdup(path);
  tutti_status status = check_path(path, error);
  if (status == TUTTI_OK)
    status = tutti_xml_file_read(path, &file, error);
  if (status == TUTTI_OK) {
    status = interpret(&file, platform, error);
    tutti_xml_file_free(&file);
  }
  if (status != TUTTI_OK)
    tutti_platform_free(platform);
  return status;
}

void tutti_platform_free(tutti_platform *platform)
{
  for (int i = 0; i < platform->host_count; i++)
    free(platform->hosts[i]);
  for (int i = 0; i < platform->finding_count; i++)
    free(platform->findings[i].message);
  free(platform->findings);
  free(platform->hosts);
  free(platform->description);
  free(platform->source);
  free(platform->fit);
  free(platform->nodes);
  free(platform->level_hosts);
  free(platform->path);
  *platform = (tutti_platform){0};
}

tutti_status tutti_platform_write_hostfile(const tutti_platform *platform, int ranks, FILE *stream, tutti_error *error)
{
  long room = (long)platform->host_count * platform->ranks_per_node;
  if (ranks < 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a hostfile for %d ranks: at least one is needed", ranks);
  if (ranks > room)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "platform %s has room for %ld ranks (%d hosts, %d each), not for %d",
                      platform->name, room, platform->host_count, platform->ranks_per_node, ranks);
  for (int rank = 0; rank < ranks; rank++)
    fprintf(stream, "%s\n", platform->hosts[rank / platform->ranks_per_node]);
  if (fflush(stream) != 0 || ferror(stream))
    return tutti_fail(error, TUTTI_ERR_IO, "the hostfile of platform %s could not be written: %s", platform->name,
                      strerror(errno));
  return TUTTI_OK;
}

/* ---- where platforms are looked for ---- */

char *tutti_platform_directories(void)
{
  char *beside = tutti_self_path("../platforms"), *installed = tutti_self_path("../share/tutti/platforms");
  const char *own = getenv("TUTTI_PLATFORM_PATH");
  char *all = tutti_xprintf("%s%splatforms%s%s%s%s:%s", own ? own : "", own && *own ? ":" : "", beside ? ":" : "",
                            beside ? beside : "", installed ? ":" : "", installed ? installed : "", TUTTI_PLATFORM_DIR);
  free(beside);
  free(installed);
  return all;
}

bool tutti_platform_is_path(const char *name)
{
  return strchr(name, '/') || tutti_stem_length(name, ".xml") > 0;
}

/* DIRECTORY/NAME.xml if it can be read, else NULL. */
static char *look_into(const char *directory, const char *name)
{
  char *path = tutti_xprintf("%s/%s.xml", directory, name);
  if (access(path, R_OK) == 0)
    return path;
  free(path);
  return NULL;
}

void tutti_platform_guess(tutti_guess *guess)
{
  char *directories = tutti_platform_directories(), *rest = directories;
  for (char *directory; (directory = strsep(&rest, ":"));)
    if (*directory)
      tutti_guess_try_files(guess, directory, ".xml");
  free(directories);
}

static tutti_status find_path(const char *name, char **path, tutti_error *error)
{
  tutti_status status = check_path(name, error);
  if (status == TUTTI_OK)
    *path = tutti_xstrdup(name);
  return status;
}

static tutti_status fail_name(const char *name, const char *directories, tutti_error *error)
{
  char meant[2 * TUTTI_GUESS_LENGTH];
  tutti_guess guess = {.word = name};
  tutti_platform_guess(&guess);
  char *here = look_into(".", name);
  tutti_status status =
      here ? tutti_fail(error, TUTTI_ERR_IO, "platform '%s' not found: say %s for the file that is here", name, here)
           : tutti_fail(error, TUTTI_ERR_IO, "platform '%s' not found%s: no %s.xml in %s", name,
                        tutti_guess_text(&guess, meant), name, directories);
  free(here);
  return status;
}

static tutti_status find_name(const char *name, const char *directories, char **path, tutti_error *error)
{
  char *copy = tutti_xstrdup(directories), *rest = copy;
  for (char *directory; !*path && (directory = strsep(&rest, ":"));)
    if (*directory)
      *path = look_into(directory, name);
  free(copy);
  return *path ? TUTTI_OK : fail_name(name, directories, error);
}

tutti_status tutti_platform_find(const char *name, char **path, tutti_error *error)
{
  *path = NULL;
  if (tutti_platform_is_path(name))
    return find_path(name, path, error);
  if (*name == '\0')
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the name of a platform is empty");
  char *directories = tutti_platform_directories();
  tutti_status status = find_name(name, directories, path, error);
  free(directories);
  return status;
}
