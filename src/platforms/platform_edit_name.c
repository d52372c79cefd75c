/* The name of an edited platform. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <nettle/base16.h>
#include <nettle/sha2.h>

#include "platforms/platform_edit_private.h"

enum { HASH_BYTES = 4, HASH_LENGTH = 1 + 2 * HASH_BYTES };

/* Of the edits with their ends. */
static void append_hash(char *name, const char *const *edits, int count)
{
  struct sha256_ctx context;
  uint8_t digest[HASH_BYTES];
  char text[2 * HASH_BYTES + 1] = "";
  sha256_init(&context);
  for (int i = 0; i < count; i++)
    sha256_update(&context, strlen(edits[i]) + 1, (const uint8_t *)edits[i]);
  sha256_digest(&context, sizeof digest, digest);
  base16_encode_update(text, sizeof digest, digest);
  snprintf(name + strlen(name), HASH_LENGTH + 1, "-%s", text);
}

/* What smpirun, shells and file systems leave alone. The operators of factors, and what is before the parameters of a
   topology, have others in their place. */
static char plain(char byte, bool *lossy)
{
  static const char replaced[] = "*x/%:-";
  if (isalnum((unsigned char)byte) || strchr("._=+,@%-", byte))
    return byte;
  const char *found = strchr(replaced, byte);
  *lossy |= !found;
  return found ? found[1] : '-';
}

void tutti_edit_name(const char *platform, const char *const *edits, int count, char name[TUTTI_PLATFORM_NAME_LENGTH])
{
  const size_t most = TUTTI_PLATFORM_NAME_LENGTH - 1 - HASH_LENGTH;
  size_t length = strlen(platform);
  bool lossy = length > most;
  length = lossy ? most : length;
  memcpy(name, platform, length);
  for (int i = 0; i < count; i++) {
    lossy |= length == most;
    if (length < most)
      name[length++] = '+';
    for (const char *c = edits[i]; *c; c++) {
      char byte = plain(*c, &lossy);
      lossy |= length == most;
      if (length < most)
        name[length++] = byte;
    }
  }
  name[length] = '\0';
  if (lossy)
    append_hash(name, edits, count);
}
