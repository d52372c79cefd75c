/* Pieces of JSON (RFC 8259). */
#include "cli/report_json.h"

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
