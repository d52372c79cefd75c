#include "interpose/serve/recent.h"

static bool moves(const struct user_buffer *given, const struct user_buffer *normalized)
{
  return given->base == normalized->base && given->base != MPI_IN_PLACE;
}

/* For irregular collectives only the operation has copies of the arrays, as far as they are significant. */
static bool can_be_found(const struct call *call, unsigned traits, const struct cached_operation *cached)
{
  const struct arguments *given = &call->given, *arguments = call->arguments;
  return !(traits & TUTTI_KEY_IRREGULAR) ||
         (cached && given->input.counts == arguments->input.counts && given->output.counts == arguments->output.counts);
}

void tutti_recent_note(struct recent_calls *recent, const struct communicators *known, const struct call *call,
                       struct cached_operation *cached, bool counted)
{
  const struct arguments *given = &call->given, *arguments = call->arguments;
  const unsigned traits = tutti_key_traits(given);
  if (RECENT_CALLS == 1 || !known->in_turn || !can_be_found(call, traits, cached))
    return;
  const uint32_t place = tutti_recent_place(call->site, given);
  if (RECENT_WAYS == 2)
    recent->calls[place ^ 1] = recent->calls[place];
  recent->calls[place] = (struct recent_call){.site = call->site,
                                              .comm = call->communicator->comm,
                                              .given = *given,
                                              .traits = traits,
                                              .dropped = known->budget.dropped,
                                              .communicator = call->communicator,
                                              .cached = cached,
                                              .simple = cached && cached->operation->direct && !counted &&
                                                        !call->adapted && !cached->may_be_aliased,
                                              .reason = call->reason,
                                              .adapted = call->adapted,
                                              .candidate = call->candidate,
                                              .input_moves = moves(&given->input, &arguments->input),
                                              .output_moves = moves(&given->output, &arguments->output),
                                              .input = arguments->input.base,
                                              .output = arguments->output.base,
                                              .row = call->row,
                                              .shape = call->shape,
                                              .ranks = call->ranks,
                                              .bytes = call->bytes,
                                              .sized = call->sized};
}
