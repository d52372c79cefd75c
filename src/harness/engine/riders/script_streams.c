/* Programs of several streams: the work of one goes on beside the messages and the work of others. A stream does one
   thing at a time: what is ready while it works waits, first come, first served. */
#include <stdlib.h>

#include "base/memory.h"
#include "harness/engine/riders/script_rank.h"

/* NULL: the vertex does not use its stream. */
static struct script_stream *stream_of(struct script_rank *r, uint32_t vertex)
{
  const struct program_vertex *v = &r->program.vertices[vertex];
  if (!r->streams || (v->kind == PROGRAM_WORK && v->bytes == 0))
    return NULL;
  return &r->streams[r->program.streams[vertex]];
}

void tutti_streams_begin(struct script_rank *r)
{
  r->held = 0;
  r->streams = tutti_xmalloc(SCRIPT_STREAMS * sizeof *r->streams);
  for (int s = 0; s < SCRIPT_STREAMS; s++)
    r->streams[s] = (struct script_stream){.first = ENGINE_NONE};
}

void tutti_streams_end(struct script_rank *r)
{
  free(r->streams);
  r->streams = NULL;
}

bool tutti_stream_holds(struct script_rank *r, uint32_t vertex)
{
  struct script_stream *stream = stream_of(r, vertex);
  if (!stream || !stream->works)
    return false;
  r->program.vertices[vertex].pending = ENGINE_NONE;
  *(stream->first == ENGINE_NONE ? &stream->first : &r->program.vertices[stream->last].pending) = vertex;
  stream->last = vertex;
  r->held++;
  return true;
}

void tutti_stream_is_free(struct script_rank *r, uint32_t vertex)
{
  struct script_stream *stream = stream_of(r, vertex);
  if (!stream)
    return;
  if (r->program.vertices[vertex].kind == PROGRAM_WORK)
    stream->works = false;
  const uint32_t next = stream->first;
  if (stream->works || next == ENGINE_NONE)
    return;
  stream->first = r->program.vertices[next].pending;
  r->held--;
  tutti_script_enqueue(r, next);
}

void tutti_stream_begin_work(struct script_rider *rider, uint32_t rank)
{
  struct script_rank *r = &rider->ranks[rank];
  struct script_stream *stream = stream_of(r, r->vertex);
  if (!stream) {
    tutti_script_complete(r, r->vertex);
    return;
  }
  const double seconds = (double)r->program.vertices[r->vertex].bytes * 1e-9;
  const uint32_t request = tutti_request_new(&rider->matching, rank, r->vertex, r->active);
  tutti_script_add_flight(r, request, r->vertex);
  stream->works = true;
  tutti_engine_alarm(&rider->engine, seconds, request);
}
