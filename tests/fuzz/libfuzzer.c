/*
 * One kind of input under libFuzzer: FUZZ_KIND is its name. A finding is a crash, a leak, a hang, what a sanitizer
 * reports, or what fuzz_fail() says. run.sh runs these programs.
 */
#include "kinds.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static struct {
  const fuzz_kind *kind;
  fuzz_text text;
  char *folder;
} state;

static void clean_up(void)
{
  fuzz_folder_remove(state.folder);
  fuzz_text_free(&state.text);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
  (void)argc, (void)argv;
  state.kind = fuzz_kind_find(FUZZ_KIND);
  if (!state.kind)
    abort();
  state.text = fuzz_text_create();
  state.folder = fuzz_folder_make();
  fuzz_set_platforms(TUTTI_SOURCE_DIR);
  atexit(clean_up);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
  char reason[600] = "";
  const fuzz_trial trial = {&state.text, state.folder, reason, sizeof reason, .aborts = true};
  if (length > FUZZ_MAX_BYTES)
    return 0;
  fuzz_text_set(&state.text, (const char *)bytes, length);
  state.kind->feed(&trial);
  return 0;
}
