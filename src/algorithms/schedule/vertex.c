/* A vertex in words. */
#include <inttypes.h>
#include <stdio.h>

#include "tutti/schedule.h"

/* Returns how long the text is. */
static int format_block(tutti_block block, char *text, size_t length)
{
  static const char *const names[] = {"input", "output"};
  const uint64_t last = block.first + block.count - 1;
  if (block.count == 0)
    return snprintf(text, length, "no data");
  if (block.buffer < TUTTI_FIRST_TEMPORARY)
    return snprintf(text, length, "%s[%" PRIu64 "..%" PRIu64 "]", names[block.buffer], block.first, last);
  return snprintf(text, length, "temporary %d[%" PRIu64 "..%" PRIu64 "]", block.buffer - TUTTI_FIRST_TEMPORARY,
                  block.first, last);
}

char *tutti_vertex_format(const tutti_vertex *vertex, char text[TUTTI_VERTEX_LENGTH])
{
  static const char *const verbs[] = {"send to", "receive from", "reduce", "copy"};
  tutti_block block = tutti_block_of(vertex->buffer, vertex->first, vertex->count);
  bool moves = vertex->kind == TUTTI_SEND || vertex->kind == TUTTI_RECV;
  size_t room = TUTTI_VERTEX_LENGTH;
  int used;
  if (!moves && block.count == 0) { /* tutti_add_join() */
    snprintf(text, room, "join");
    return text;
  }
  used = moves ? snprintf(text, room, "%s %d: ", verbs[vertex->kind], vertex->peer)
               : snprintf(text, room, "%s: ", verbs[vertex->kind]);
  used += format_block(block, text + used, room - (size_t)used);
  if (!moves) {
    used += snprintf(text + used, room - (size_t)used, " -> ");
    format_block(tutti_vertex_target(vertex), text + used, room - (size_t)used);
  }
  return text;
}
