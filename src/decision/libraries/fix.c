/* Faults of tuning files that can be mended in one way only: their edits, and the text after all of them. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/memory.h"
#include "base/vector.h"
#include "decision/libraries/libraries.h"

/* ---- edits ---- */

/* Places count from after the byte order mark, edits from the beginning of the text. */
static size_t mark_bytes(const struct tuning_file *file)
{
  return file->marked ? strlen("\xef\xbb\xbf") : 0;
}

static void add_edit(struct tuning_file *file, int code, size_t at, size_t length, const char *text)
{
  tutti_findings *findings = file->findings;
  if (!findings || findings->count >= TUTTI_MAX_FINDINGS)
    return;
  findings->edits = tutti_xroom(findings->edits, findings->edit_count, sizeof *findings->edits);
  findings->edits[findings->edit_count++] = (tutti_edit){
      .code = &file->version.library->codes[code], .at = at, .length = length, .text = tutti_xstrdup(text)};
}

void tutti_tuning_edit(struct tuning_file *file, int code, size_t at, size_t length, const char *text)
{
  add_edit(file, code, mark_bytes(file) + at, length, text);
}

void tutti_tuning_edit_mark(struct tuning_file *file, int code)
{
  add_edit(file, code, 0, mark_bytes(file), "");
}

void tutti_tuning_edit_returns(struct tuning_file *file, int code)
{
  for (size_t i = 0; i + 1 < file->length; i++)
    if (file->text[i] == '\r' && file->text[i + 1] == '\n')
      tutti_tuning_edit(file, code, i, 1, "");
}

size_t tutti_tuning_number_length(const struct tuning_file *file, size_t at)
{
  size_t length = file->text[at] == '-';
  while (isdigit((unsigned char)file->text[at + length]))
    length++;
  return length;
}

/* ---- the text after them ---- */

static int by_place(const void *left, const void *right)
{
  const tutti_edit *a = left, *b = right;
  return (a->at > b->at) - (a->at < b->at);
}

/* Edits of one kind, in order; none of them is within another one. */
static struct tutti_text_stream apply(const tutti_fixed *fixed, const tutti_edit *edits, size_t count)
{
  struct tutti_text_stream text;
  size_t done = 0;
  tutti_xopen_text(&text);
  for (size_t i = 0; i < count; i++) {
    if (edits[i].at < done || edits[i].at + edits[i].length > fixed->length)
      continue;
    fwrite(fixed->text + done, 1, edits[i].at - done, text.stream);
    fputs(edits[i].text, text.stream);
    done = edits[i].at + edits[i].length;
  }
  fwrite(fixed->text + done, 1, fixed->length - done, text.stream);
  tutti_xclose_text(&text);
  return text;
}

/* Drop the edits of a kind. */
static void drop(tutti_findings *findings, const tutti_lint_code *code)
{
  size_t kept = 0;
  for (size_t i = 0; i < findings->edit_count; i++)
    if (findings->edits[i].code == code)
      free(findings->edits[i].text);
    else
      findings->edits[kept++] = findings->edits[i];
  findings->edit_count = kept;
}

/* Move the edits of the first kind to the front, in order; returns how many these are. */
static size_t choose_kind(tutti_findings *findings)
{
  const tutti_lint_code *code = findings->edits[0].code;
  size_t count = 0;
  for (size_t i = 0; i < findings->edit_count; i++)
    if (findings->edits[i].code == code) {
      tutti_edit chosen = findings->edits[i];
      findings->edits[i] = findings->edits[count];
      findings->edits[count++] = chosen;
    }
  qsort(findings->edits, count, sizeof *findings->edits, by_place);
  return count;
}

/* Keep the findings of a kind as mended. */
static void note_mended(tutti_fixed *fixed, const tutti_lint_code *code)
{
  for (size_t i = 0; i < fixed->left.count; i++) {
    tutti_finding finding = fixed->left.items[i];
    if (finding.code != code)
      continue;
    finding.message = tutti_xstrdup(finding.message);
    tutti_xpush(&fixed->mended, finding);
  }
}

/* How much of the text follows the first edit of a kind; 0: there is none. */
static size_t length_after(const tutti_fixed *fixed, const tutti_lint_code *code)
{
  size_t longest = 0;
  for (size_t i = 0; i < fixed->left.edit_count; i++) {
    const tutti_edit *edit = &fixed->left.edits[i];
    if (edit->code == code && fixed->length - edit->at + 1 > longest)
      longest = fixed->length - edit->at + 1;
  }
  return longest;
}

/* Kinds whose edits did not help: those of a text that is odd in other ways. */
struct given_up {
  TUTTI_VECTOR(const tutti_lint_code *);
};

static void find(tutti_fixed *fixed, const char *path, const tutti_library_version *version,
                 const struct given_up *given_up)
{
  fixed->left = (tutti_findings){.count = 0};
  tutti_lint_text(fixed->text, fixed->length, path, version, &fixed->left);
  for (size_t i = 0; i < given_up->count; i++)
    drop(&fixed->left, given_up->items[i]);
}

/* Mend the first kind, or give it up: after its edits the first fault of it that is left must be nearer to the end. */
static void mend_kind(tutti_fixed *fixed, const char *path, const tutti_library_version *version,
                      struct given_up *given_up)
{
  const size_t count = choose_kind(&fixed->left);
  const tutti_lint_code *code = fixed->left.edits[0].code;
  const size_t after = length_after(fixed, code);
  struct tutti_text_stream text = apply(fixed, fixed->left.edits, count);
  tutti_fixed next = {.text = text.text, .length = text.length, .mended = fixed->mended};
  find(&next, path, version, given_up);
  if (length_after(&next, code) < after) {
    note_mended(fixed, code);
    next.mended = fixed->mended;
    free(fixed->text);
    tutti_findings_free(&fixed->left);
    *fixed = next;
    return;
  }
  free(next.text);
  tutti_findings_free(&next.left);
  tutti_xpush(given_up, code);
  drop(&fixed->left, code);
}

/* A fault may hide others, which are found when it is mended. Of counts the first wrong one is reported; of all other
   kinds a round mends all faults. */
void tutti_tuning_fix(const char *text, size_t length, const char *path, const tutti_library_version *version,
                      tutti_fixed *fixed)
{
  struct given_up given_up = {.items = NULL};
  *fixed = (tutti_fixed){.text = tutti_xcalloc(length + 1, 1), .length = length};
  memcpy(fixed->text, text, length);
  find(fixed, path, version, &given_up);
  for (int round = 0; round < TUTTI_MAX_FIX_ROUNDS && fixed->left.edit_count > 0; round++)
    mend_kind(fixed, path, version, &given_up);
  tutti_vector_free(&given_up);
}

void tutti_fixed_free(tutti_fixed *fixed)
{
  free(fixed->text);
  tutti_findings_free(&fixed->mended);
  tutti_findings_free(&fixed->left);
}
