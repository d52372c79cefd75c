/* Comparisons as JUnit XML. Its elements are those that Jenkins, GitLab and the reporters of GitHub read. */
#include <libxml/xmlwriter.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "harness/experiments/regression/private.h"

struct writer {
  xmlTextWriter *xml;
  const tutti_baseline_comparison *comparison;
  size_t section;
  bool failed; /* anything could not be written */
};

static void begin_element(struct writer *writer, const char *element)
{
  writer->failed |= xmlTextWriterStartElement(writer->xml, BAD_CAST element) < 0;
}

static void end(struct writer *writer)
{
  writer->failed |= xmlTextWriterEndElement(writer->xml) < 0;
}

/* A copy in which U+FFFD replaces what XML cannot hold even escaped: control characters, and invalid UTF-8. */
static char *clean(const char *text)
{
  char *copy = tutti_xmalloc(3 * strlen(text) + 1), *end = copy;
  uint32_t code;
  for (int length; (length = tutti_utf8_decode(text, &code)) != 0; text += length < 0 ? 1 : length)
    if (length < 0 || (!tutti_utf8_is_shown(code) && code != '\t' && code != '\n'))
      end = stpcpy(end, "\ufffd");
    else
      end = mempcpy(end, text, (size_t)length);
  *end = '\0';
  return copy;
}

static void attribute(struct writer *writer, const char *name, const char *value)
{
  char *text = clean(value);
  writer->failed |= xmlTextWriterWriteAttribute(writer->xml, BAD_CAST name, BAD_CAST text) < 0;
  free(text);
}

static void number(struct writer *writer, const char *name, size_t value)
{
  writer->failed |= xmlTextWriterWriteFormatAttribute(writer->xml, BAD_CAST name, "%zu", value) < 0;
}

/* ---- what became of a point ---- */

/* The first difference of a point with verdict @p verdict, from @p from on, or NULL. */
static const tutti_difference *next_difference(const struct writer *writer, const tutti_baseline_entry *entry,
                                               tutti_baseline_verdict verdict, const tutti_difference *from)
{
  const tutti_baseline_comparison *comparison = writer->comparison;
  for (size_t i = from ? (size_t)(from - comparison->differences) + 1 : 0; i < comparison->count; i++)
    if (comparison->differences[i].entry == entry && comparison->differences[i].verdict == verdict)
      return &comparison->differences[i];
  return NULL;
}

static const tutti_baseline_section *section_before(const struct writer *writer)
{
  return &writer->comparison->before->sections[writer->section];
}

static const tutti_baseline_section *section_after(const struct writer *writer)
{
  return &writer->comparison->after->sections[writer->section];
}

static bool fails(const struct writer *writer, const tutti_baseline_entry *entry)
{
  return next_difference(writer, entry, TUTTI_BASELINE_WORSE, NULL) ||
         next_difference(writer, entry, TUTTI_BASELINE_MISSING, NULL);
}

/* Why a point has no verdict, or NULL. */
static const char *skipped(const struct writer *writer, const tutti_baseline_entry *entry)
{
  if (fails(writer, entry))
    return NULL;
  if (next_difference(writer, entry, TUTTI_BASELINE_NEW, NULL))
    return "without values in the baseline";
  if (tutti_baseline_other_library(section_before(writer), section_after(writer)))
    return "times are not compared: the baseline is of another simulator";
  return NULL;
}

/* ---- elements ---- */

static void describe(const tutti_difference *difference, char *text, size_t size)
{
  const char *name = tutti_metric_name(difference->metric);
  if (tutti_metric_aspect(difference->metric) == TUTTI_ASPECT_PENALTY || isinf(difference->change))
    snprintf(text, size, "%s %.12g instead of %.12g%s", name, difference->after, difference->before,
             isinf(difference->change) ? ", from none, which no tolerance in percent allows" : "");
  else
    snprintf(text, size, "%s %.12g instead of %.12g, %+.3g %%", name, difference->after, difference->before,
             difference->change);
}

static void write_failure(struct writer *writer, const tutti_baseline_entry *entry)
{
  char text[160];
  const tutti_difference *worst = next_difference(writer, entry, TUTTI_BASELINE_WORSE, NULL);
  begin_element(writer, "failure");
  attribute(writer, "type", worst ? "regression" : "missing");
  if (worst)
    describe(worst, text, sizeof text);
  attribute(writer, "message", worst ? text : "in the baseline, but not measured any more");
  for (const tutti_difference *d = worst; d; d = next_difference(writer, entry, TUTTI_BASELINE_WORSE, d)) {
    describe(d, text, sizeof text);
    writer->failed |= xmlTextWriterWriteFormatString(writer->xml, "%s\n", text) < 0;
  }
  char *place = tutti_xprintf("%s:%d: %s\n", writer->comparison->before->path, entry->line, entry->key);
  char *place_text = clean(place);
  writer->failed |= xmlTextWriterWriteString(writer->xml, BAD_CAST place_text) < 0;
  free(place_text);
  free(place);
  end(writer);
}

/* "bcast/split-binary/8KB ranks=8 root=0" is of class bcast.split-binary; readers take dots as levels. */
static void write_class(struct writer *writer, const tutti_baseline_entry *entry)
{
  char name[128];
  bool collective = entry->kind == TUTTI_BASELINE_COLLECTIVE;
  int length = (int)strcspn(entry->key, " ");
  if (collective)
    snprintf(name, sizeof name, "%s.%s", tutti_collective_name(entry->collective), entry->method.algorithm->name);
  else
    snprintf(name, sizeof name, "%.*s.%.*s", length, entry->key, (int)strcspn(entry->key + length + 1, " "),
             entry->key + length + 1);
  attribute(writer, "classname", name);
}

static void write_case(struct writer *writer, const tutti_baseline_entry *entry)
{
  const tutti_baseline_entry *after = tutti_baseline_find(section_after(writer), entry);
  double time = after ? after->values[TUTTI_METRIC_TIME] : NAN;
  const char *reason = skipped(writer, entry);
  begin_element(writer, "testcase");
  write_class(writer, entry);
  attribute(writer, "name", entry->key);
  if (!isnan(time))
    writer->failed |= xmlTextWriterWriteFormatAttribute(writer->xml, BAD_CAST "time", "%.12f", time) < 0;
  if (fails(writer, entry))
    write_failure(writer, entry);
  if (reason) {
    begin_element(writer, "skipped");
    attribute(writer, "message", reason);
    end(writer);
  }
  end(writer);
}

static void write_error(struct writer *writer, const char *title, const char *message)
{
  begin_element(writer, "testcase");
  attribute(writer, "classname", "tutti.check");
  attribute(writer, "name", title);
  begin_element(writer, "error");
  attribute(writer, "type", title);
  attribute(writer, "message", message);
  end(writer);
  end(writer);
}

static bool is_error(const struct writer *writer, const tutti_baseline_gap *gap)
{
  return writer->comparison->strict && gap->section == section_before(writer);
}

static void write_gaps(struct writer *writer)
{
  for (size_t i = 0; i < writer->comparison->gap_count; i++) {
    const tutti_baseline_gap *gap = &writer->comparison->gaps[i];
    if (!is_error(writer, gap))
      continue;
    char *message = tutti_xprintf("%s: %s: %s", gap->section->name, gap->what, gap->mend);
    write_error(writer, tutti_baseline_gap_title(gap->kind), message);
    free(message);
  }
}

static void begin_suite(struct writer *writer, const char *name, size_t tests, size_t failures, size_t errors,
                        size_t skips)
{
  begin_element(writer, "testsuite");
  attribute(writer, "name", name);
  number(writer, "tests", tests);
  number(writer, "failures", failures);
  number(writer, "errors", errors);
  number(writer, "skipped", skips);
}

static void write_suite(struct writer *writer)
{
  const tutti_baseline_section *section = section_before(writer);
  size_t failures = 0, skips = 0, errors = 0;
  for (size_t i = 0; i < writer->comparison->gap_count; i++)
    errors += is_error(writer, &writer->comparison->gaps[i]);
  for (size_t i = 0; i < section->count; i++) {
    failures += fails(writer, &section->entries[i]);
    skips += skipped(writer, &section->entries[i]) != NULL;
  }
  char *name = tutti_xprintf("%s: %s", writer->comparison->before->path, section->name);
  begin_suite(writer, name, section->count + errors, failures, errors, skips);
  free(name);
  for (size_t i = 0; i < section->count; i++)
    write_case(writer, &section->entries[i]);
  write_gaps(writer);
  end(writer);
}

static void write_suites(struct writer *writer, const tutti_baseline_comparison *comparisons, size_t count)
{
  for (size_t c = 0; c < count; c++) {
    writer->comparison = &comparisons[c];
    for (writer->section = 0; writer->section < comparisons[c].before->count; writer->section++)
      write_suite(writer);
  }
}

/* The comparisons, or the reason why they are missing. */
static tutti_status write_file(const tutti_baseline_comparison *comparisons, size_t count, const char *reason,
                               FILE *stream, tutti_error *error)
{
  static const char name[] = "tutti check";
  xmlBuffer *buffer = xmlBufferCreate();
  struct writer writer = {.xml = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL};
  if (!writer.xml) {
    if (buffer)
      xmlBufferFree(buffer);
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a JUnit file");
  }
  writer.failed |= xmlTextWriterSetIndent(writer.xml, 1) < 0;
  writer.failed |= xmlTextWriterStartDocument(writer.xml, NULL, "UTF-8", NULL) < 0;
  begin_element(&writer, "testsuites");
  attribute(&writer, "name", name);
  write_suites(&writer, comparisons, count);
  if (reason) {
    begin_suite(&writer, name, 1, 0, 1, 0);
    write_error(&writer, "nothing was compared", reason);
    end(&writer);
  }
  end(&writer);
  writer.failed |= xmlTextWriterEndDocument(writer.xml) < 0;
  xmlFreeTextWriter(writer.xml);
  size_t length = (size_t)xmlBufferLength(buffer);
  if (!writer.failed)
    writer.failed = fwrite(xmlBufferContent(buffer), 1, length, stream) != length || fflush(stream) != 0;
  xmlBufferFree(buffer);
  return writer.failed ? tutti_fail(error, TUTTI_ERR_IO, "the JUnit file cannot be written") : TUTTI_OK;
}

tutti_status tutti_baseline_write_junit(const tutti_baseline_comparison *comparisons, size_t count, FILE *stream,
                                        tutti_error *error)
{
  return write_file(comparisons, count, NULL, stream, error);
}

tutti_status tutti_baseline_write_junit_error(const char *message, FILE *stream, tutti_error *error)
{
  return write_file(NULL, 0, message, stream, error);
}
