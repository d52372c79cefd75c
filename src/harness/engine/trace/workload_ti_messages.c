/* Messages of SimGrid's time-independent traces, and waiting for them. */
#include <stdlib.h>
#include <string.h>

#include "harness/engine/trace/workload_ti.h"

#define MAX_BYTES (double)(UINT64_C(1) << 40)

/* "-1": from any rank, with any tag. */
static bool is_any(const struct ti *ti, size_t at, uint32_t any, uint64_t *number)
{
  *number = any;
  return strcmp(tutti_ti_word(ti, at), "-1") == 0;
}

static bool read_other(struct ti *ti, size_t at, uint32_t any, uint64_t *number)
{
  return is_any(ti, at, any, number) || tutti_ti_number(ti, at, 1e9, number);
}

/* "send 1 0 1e6 6": the other rank, tag, elements, datatype. */
static bool read_message(struct ti *ti, enum workload_op_kind kind, struct workload_op *op)
{
  uint64_t peer, tag, count, bytes;
  const bool receives = kind == WORKLOAD_RECV;
  *op = (struct workload_op){.kind = kind};
  if (tutti_ti_arguments(ti) < 3)
    return tutti_ti_pass(ti, "a message needs RANK TAG ELEMENTS: the older form without tags is not read", ""), false;
  if ((!is_any(ti, 0, WORKLOAD_UNKNOWN, &peer) && !tutti_ti_rank(ti, 0, &peer)) ||
      !read_other(ti, 1, WORKLOAD_ANY_TAG, &tag) || !tutti_ti_number(ti, 2, MAX_BYTES, &count) ||
      !tutti_ti_type(ti, 3, &bytes))
    return false;
  if (!receives && (peer == WORKLOAD_UNKNOWN || tag == WORKLOAD_ANY_TAG))
    return tutti_ti_pass(ti, "a message to no rank or without a tag", ""), false;
  op->peer = (uint32_t)peer;
  op->channel = tag == WORKLOAD_ANY_TAG ? WORKLOAD_ANY_TAG : tutti_channel_of(&ti->channels, 0, tag);
  op->amount = count * bytes;
  return true;
}

/* The request of a message: its ends and tag, as wait has them. */
static uint64_t request_of(uint64_t from, uint64_t to, uint64_t tag)
{
  return from * UINT64_C(0x9E3779B97F4A7C15) ^ to * UINT64_C(0xC2B2AE3D27D4EB4F) ^ tag;
}

static void read_blocking(struct ti *ti, enum workload_op_kind kind)
{
  struct workload_op op;
  struct workload_writer *writer = &ti->ranks[ti->rank].writer;
  if (!read_message(ti, kind, &op))
    return;
  op.blocking = kind == WORKLOAD_SEND;
  (void)tutti_writer_add(writer, op);
  tutti_writer_end(writer);
}

static void read_nonblocking(struct ti *ti, enum workload_op_kind kind)
{
  struct workload_op op;
  if (!read_message(ti, kind, &op))
    return;
  const uint64_t tag = strtoull(tutti_ti_word(ti, 1), NULL, 10);
  tutti_writer_start(&ti->ranks[ti->rank].writer, op,
                     kind == WORKLOAD_SEND ? request_of(ti->rank, op.peer, tag) : request_of(op.peer, ti->rank, tag));
}

/* "sendrecv 10 1 10 2 0 0": elements, to, elements, from, datatypes; the tag is 0. */
static void read_both(struct ti *ti)
{
  struct workload_writer *writer = &ti->ranks[ti->rank].writer;
  uint64_t out, to, in, from, out_bytes, in_bytes;
  if (!tutti_ti_number(ti, 0, MAX_BYTES, &out) || !tutti_ti_rank(ti, 1, &to) ||
      !tutti_ti_number(ti, 2, MAX_BYTES, &in) || !tutti_ti_rank(ti, 3, &from) || !tutti_ti_type(ti, 4, &out_bytes) ||
      !tutti_ti_type(ti, 5, &in_bytes))
    return;
  const uint32_t channel = tutti_channel_of(&ti->channels, 0, 0);
  tutti_writer_both(
      writer,
      (struct workload_op){.kind = WORKLOAD_SEND, .peer = (uint32_t)to, .channel = channel, .amount = out * out_bytes},
      (struct workload_op){.kind = WORKLOAD_RECV, .peer = (uint32_t)from, .channel = channel, .amount = in * in_bytes});
}

/* The oldest request of these ends and tag; none, where a test has seen it: nothing to wait for. */
static void read_wait(struct ti *ti)
{
  struct workload_writer *writer = &ti->ranks[ti->rank].writer;
  uint64_t from, to, tag;
  if (!read_other(ti, 0, WORKLOAD_UNKNOWN, &from) || !read_other(ti, 1, WORKLOAD_UNKNOWN, &to) ||
      !read_other(ti, 2, WORKLOAD_ANY_TAG, &tag))
    return;
  const uint64_t request = request_of(from, to, strtoull(tutti_ti_word(ti, 2), NULL, 10));
  size_t place = 0;
  while (place < writer->requests.count && writer->requests.items[place].number != request)
    place++;
  if (place == writer->requests.count)
    return;
  tutti_writer_wait(writer, place, tutti_writer_add(writer, (struct workload_op){.kind = WORKLOAD_WORK}));
  tutti_writer_end(writer);
}

static void read_wait_for_all(struct ti *ti)
{
  struct workload_writer *writer = &ti->ranks[ti->rank].writer;
  if (writer->requests.count == 0)
    return;
  const uint32_t end = tutti_writer_add(writer, (struct workload_op){.kind = WORKLOAD_WORK});
  while (writer->requests.count > 0)
    tutti_writer_wait(writer, writer->requests.count - 1, end);
  tutti_writer_end(writer);
}

bool tutti_ti_read_message(struct ti *ti)
{
  if (tutti_ti_is(ti, "send") || tutti_ti_is(ti, "recv"))
    return read_blocking(ti, tutti_ti_is(ti, "send") ? WORKLOAD_SEND : WORKLOAD_RECV), true;
  if (tutti_ti_is(ti, "isend") || tutti_ti_is(ti, "irecv"))
    return read_nonblocking(ti, tutti_ti_is(ti, "isend") ? WORKLOAD_SEND : WORKLOAD_RECV), true;
  if (tutti_ti_is(ti, "sendrecv"))
    return read_both(ti), true;
  if (tutti_ti_is(ti, "wait"))
    return read_wait(ti), true;
  if (tutti_ti_is(ti, "waitall"))
    return read_wait_for_all(ti), true;
  return false;
}
