/* Pieces of JSON (RFC 8259). */
#include "cli/output/report_json.h"

#include <math.h>
#include <string.h>

void json_string(FILE *stream, const char *text)
{
  fputc('"', stream);
  for (; *text; text++) {
    unsigned char byte = (unsigned char)*text;
    if (strchr("\"\\", byte))
      fprintf(stream, "\\%c", byte);
    else if (byte < 0x20)
      fprintf(stream, "\\u%04x", byte);
    else
      fputc(byte, stream);
  }
  fputc('"', stream);
}

void json_number(FILE *stream, double number, int digits)
{
  if (isfinite(number))
    fprintf(stream, "%.*g", digits, number);
  else
    fputs("null", stream);
}

void json_member(const char *name, double number, int digits)
{
  printf(", \"%s\": ", name);
  json_number(stdout, number, digits);
}

void json_basis(const char *basis, const char *name)
{
  const char *comma = strcmp(basis, "scheme") == 0 ? strstr(name, ", ") : NULL;
  printf("\"%s\": ", basis);
  if (!comma) {
    json_string(stdout, name);
    return;
  }
  printf("\"%.*s\", \"patterns\": ", (int)(comma - name), name);
  json_string(stdout, comma + 2);
}

void json_report(const char *platform, const char *name, const void *items, size_t count, size_t size,
                 void (*print)(const void *item))
{
  printf("{\"platform\": ");
  json_string(stdout, platform);
  printf(",\n \"%s\": [\n", name);
  for (size_t i = 0; i < count; i++) {
    print((const char *)items + i * size);
    printf("%s\n", i + 1 < count ? "," : "");
  }
  printf(" ]}\n");
}
