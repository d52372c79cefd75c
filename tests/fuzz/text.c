#include "text.h"

fuzz_text fuzz_text_create(void)
{
  fuzz_text text = {.bytes = calloc(1, FUZZ_MAX_BYTES + 1)};
  if (!text.bytes)
    abort();
  return text;
}

void fuzz_text_free(fuzz_text *text)
{
  free(text->bytes);
  *text = (fuzz_text){.bytes = NULL};
}

void fuzz_text_set(fuzz_text *text, const char *bytes, size_t length)
{
  fuzz_text_replace(text, 0, text->length, bytes, length);
}

void fuzz_text_replace(fuzz_text *text, size_t from, size_t to, const char *bytes, size_t length)
{
  char *copy = malloc(length + 1);
  if (!copy)
    abort();
  memcpy(copy, bytes, length);
  size_t room = FUZZ_MAX_BYTES - from, tail = text->length - to;
  length = length < room ? length : room;
  tail = tail < room - length ? tail : room - length;
  memmove(text->bytes + from + length, text->bytes + to, tail);
  memcpy(text->bytes + from, copy, length);
  text->length = from + length + tail;
  text->bytes[text->length] = '\0';
  free(copy);
}

bool fuzz_text_read(fuzz_text *text, const char *path)
{
  FILE *stream = fopen(path, "r");
  if (!stream)
    return false;
  text->length = fread(text->bytes, 1, FUZZ_MAX_BYTES, stream);
  text->bytes[text->length] = '\0';
  bool good = !ferror(stream);
  return fclose(stream) == 0 && good;
}

bool fuzz_text_write(const fuzz_text *text, const char *path)
{
  FILE *stream = fopen(path, "w");
  if (!stream)
    return false;
  bool good = fwrite(text->bytes, 1, text->length, stream) == text->length;
  return fclose(stream) == 0 && good;
}
