/* Why the answer of a replay may not depend on what was changed. */
#include "cli/replay/replay.h"

char *replay_edited_begin(const char *path, const char *const *edits, size_t count)
{
  tutti_edited_platform edited;
  struct tutti_output output;
  must(tutti_platform_edit(path, edits, (int)count, &edited, &failure));
  char *name = tutti_xprintf("%s.xml", edited.name), *file = simulation_file_begin(name);
  output_begin(file, &output);
  fwrite(edited.bytes, 1, edited.length, output.stream); /* a fault of the stream is one of its end */
  output_end(&output);
  free(name);
  tutti_edited_platform_free(&edited);
  return file;
}

double replay_without(double seconds, double part)
{
  const double rest = seconds - part;
  return rest > 1e-12 * seconds ? rest : 0;
}

double replay_rest(const struct workload *workload, const struct replay_answer *answer)
{
  return replay_without(answer->seconds, replay_mean(workload, answer->compute + answer->all.seconds));
}

char *replay_edits_text(const struct option_strings *edits)
{
  struct tutti_text_stream text;
  tutti_xopen_text(&text);
  for (size_t i = 0; i < edits->count; i++)
    fprintf(text.stream, "%s%s", i ? ", " : "", edits->items[i]);
  return tutti_xclose_text(&text);
}

/* The command line again, with one rank a node; owned by the caller. */
static char *paste_line(const char *command, const char *subject)
{
  static const char *const names[] = {"platform", "set",          "trace",         "decision", "untuned", "compute",
                                      "engine",   "rounds-apart", "most-messages", "output",   NULL};
  char *given = options_given(names), *word = tutti_xshell_word(subject);
  char *line = tutti_xprintf("tutti %s %s%s --ranks-per-node 1", command, word, given);
  free(given);
  free(word);
  return line;
}

bool replay_is_local(const struct replay_traffic *traffic)
{
  return traffic->ranks > 1 && traffic->ranks <= traffic->ranks_per_node;
}

void replay_warn_layout(struct notes *notes, const struct replay_traffic *traffic, const char *command,
                        const char *subject, tutti_format format)
{
  if (!replay_is_local(traffic))
    return;
  char *line = format == TUTTI_FORMAT_TEXT ? paste_line(command, subject) : NULL;
  tutti_xpush(notes,
              tutti_xprintf("warning: all %d ranks are on one node of %s, which has %d a node: no message crosses "
                            "the network, so nothing that is changed there can change the time; "
                            "--ranks-per-node 1 puts one rank on a node%s%s",
                            traffic->ranks, traffic->platform, traffic->ranks_per_node, line ? ":\n  " : "",
                            line ? line : ""));
  free(line);
}

/* Ranks on a few nodes of many meet nobody where the machine is crowded. */
void replay_warn_few(struct notes *notes, const struct replay_traffic *traffic)
{
  enum { MANY_NODES = 32, FEW = 16 };
  const int nodes = (traffic->ranks + traffic->ranks_per_node - 1) / traffic->ranks_per_node;
  if (!replay_is_local(traffic) && traffic->hosts >= MANY_NODES && nodes <= traffic->hosts / FEW)
    tutti_xpush(notes, tutti_xprintf("warning: %d ranks use %d of the %d nodes of %s: what links do that only a full "
                                     "machine crowds is not in the answer; a recording of more ranks has it",
                                     traffic->ranks, nodes, traffic->hosts, traffic->platform));
}

void replay_warn_turns(struct notes *notes, int ranks_per_node, int cores, bool neighbors)
{
  notes_add_turns(notes, ranks_per_node, cores,
                  "warning: ", "computation and waiting are too long, and differ from one recording to the next",
                  neighbors ? "" : ", or under SMPI, where each rank has a core of its own (docs/how-to/forecast.md)");
}

void replay_warn_recording(struct notes *notes, const struct workload *workload, const struct replay_answer *answer)
{
  replay_warn_turns(notes, workload->ranks_per_node, workload->cores, workload->neighbors);
  if (workload->neighbors)
    tutti_xpush(notes, tutti_xstrdup("note: collectives of neighbors are priced as a message to each neighbor, also "
                                     "where combining ran; SMPI has none of them"));
  if (answer->compute == 0)
    tutti_xpush(notes, tutti_xstrdup("warning: the trace has no computation; SMPI records none where the platform says "
                                     "smpi/simulate-computation:no, but with --cfg=smpi/simulate-computation:yes"));
}

static bool is_same(const struct replay_answer *left, const struct replay_answer *right)
{
  bool same = left->seconds == right->seconds && left->compute == right->compute;
  for (int p = 0; p < WORKLOAD_PARTS; p++)
    same = same && left->parts[p].seconds == right->parts[p].seconds;
  return same;
}

/* The network between nodes, within them, or neither: what the ranks do not use. */
static const char *reason_of(const struct replay_answer *answer, const char *edit)
{
  if (strncmp(edit, "speed", strlen("speed")) == 0 && answer->compute == 0)
    return "the trace has no computation, and no reduction that takes time";
  if (strncmp(edit, "actor", strlen("actor")) == 0)
    return "only the making of groups has that cost";
  if (answer->all.messages == 0)
    return "the program sends no message";
  if (strncmp(edit, "loopback", strlen("loopback")) == 0 && answer->all.across == answer->all.messages)
    return "no message stays within a node";
  if (answer->all.across == 0)
    return "no message leaves a node";
  return "no message crosses what it changes, or something else takes longer at the same time";
}

void replay_warn_unchanged(struct notes *notes, const struct replay_answer *before, const struct replay_answer *after,
                           const char *edit)
{
  if (is_same(before, after))
    tutti_xpush(notes, tutti_xprintf("warning: %s changes no time of this program, to the last digit: %s", edit,
                                     reason_of(before, edit)));
}
