/* Selections of MPICH's device layers: their names, and what becomes of a call under them. Where they choose nothing,
   the selection among MPIR's algorithms follows. */
#include <string.h>

#include "base/memory.h"
#include "decision/libraries/mpich/mpich.h"

enum {
  PARENT = NEEDS_PARENT,
  COMMUTATIVE = NEEDS_COMMUTATIVE,
  CONSECUTIVE = NEEDS_CONSECUTIVE,
  SINGLE = NEEDS_SINGLE,
};

static const struct device {
  enum mpich_layer layer;
  int since;
  struct mpich_device device;
} devices[] = {
#define DEVICE(layer, collective, name, since, needs, way) {LAYER_##layer, since, {name, #collective, needs, way}},
#include "decision/libraries/mpich/devices.def"
#undef DEVICE
};

/* Selectors. */
#define SHARED     "release_gather"
#define NOT_SHARED "mpir"

enum { DEVICES = sizeof devices / sizeof *devices };

enum mpich_layer tutti_mpich_layer(const struct tuning_file *file)
{
  const tutti_tuning_kind *kind = tutti_tuning_recognize_for(&file->version, file->text, file->length);
  if (kind && strcmp(kind->name, "mpich-ch4") == 0)
    return LAYER_CH4;
  if (kind && strcmp(kind->name, "mpich-variables") == 0)
    return LAYER_VARIABLES;
  return kind && strcmp(kind->name, "mpich-posix") == 0 ? LAYER_POSIX : LAYER_MPIR;
}

const char *tutti_mpich_leaf_key(enum mpich_layer layer)
{
  return layer == LAYER_CH4 ? "composition=" : "algorithm=";
}

const struct mpich_device *tutti_mpich_device(enum mpich_layer layer, const tutti_library_version *version,
                                              const char *name)
{
  for (int i = 0; i < DEVICES; i++)
    if (devices[i].layer == layer && tutti_library_between(version, devices[i].since, 0) &&
        strcmp(devices[i].device.name, name) == 0)
      return &devices[i].device;
  return NULL;
}

const struct mpich_device *tutti_mpich_composition(const tutti_library_version *version, tutti_collective collective,
                                                   const char *word)
{
  char name[MPICH_NAME_LENGTH], composition[40], full[MPICH_NAME_LENGTH + 8];
  snprintf(composition, sizeof composition, "composition_%.20s", word);
  snprintf(full, sizeof full, "MPIDI_%s", tutti_mpich_full_name(collective, composition, name));
  return tutti_mpich_device(LAYER_CH4, version, full);
}

const struct mpich_device *tutti_mpich_handing_on(const tutti_library_version *version, tutti_collective collective)
{
  for (int i = 0; i < DEVICES; i++)
    if (devices[i].layer == LAYER_CH4 && tutti_library_between(version, devices[i].since, 0) &&
        strcmp(devices[i].device.collective, tutti_collective_name(collective)) == 0 &&
        strcmp(devices[i].device.way, MPICH_WHOLE) == 0)
      return &devices[i].device;
  return NULL;
}

const struct mpich_device *tutti_mpich_shared(const tutti_library_version *version, tutti_collective collective,
                                              const char *word)
{
  char name[MPICH_NAME_LENGTH];
  snprintf(name, sizeof name, "MPIDI_POSIX_mpi_%s_%.20s", tutti_collective_name(collective), word);
  return tutti_mpich_device(LAYER_POSIX, version, name);
}

int tutti_mpich_device_since(const char *text, size_t length)
{
  int since = memmem(text, length, "MPIDI_POSIX_", 12) ? MPICH_SHARED_SINCE : 0;
  for (int i = 0; i < DEVICES; i++)
    if (devices[i].since > since && memmem(text, length, devices[i].device.name, strlen(devices[i].device.name)))
      since = devices[i].since;
  return since;
}

/* ---- what becomes of a call ---- */

/* MPIR selects, by its own file or that of the library, which is assumed. */
static void select_on(struct explaining *explaining, bool own)
{
  const tutti_tuning *untuned = explaining->tuning->untuned;
  tutti_explanation *answer = explaining->answer, other = {0};
  answer->own_choice = own;
  if (untuned && tutti_explain_answer(untuned, explaining->call, &other, NULL) == TUTTI_OK) {
    tutti_explain_step(explaining, NO_PLACE, "MPIR selects, without a file of its own: %s", other.algorithm);
    answer->known = other.known && !other.fails;
    answer->method = other.method;
    tutti_explain_at_least(explaining, other.min);
    tutti_explain_at_most(explaining, other.max);
    if (!*answer->algorithm)
      memcpy(answer->algorithm, other.algorithm, sizeof answer->algorithm);
    tutti_explanation_free(&other);
  }
  if (!*answer->algorithm)
    snprintf(answer->algorithm, sizeof answer->algorithm, "none");
}

/* The first composition of a collective is what MPIR's smp does, except for large bcasts. Its parts are selected by
   MPIR, again without a file of its own. */
static void run_parts(struct explaining *explaining)
{
  const tutti_explained_call *call = explaining->call;
  const tutti_tuning *untuned = explaining->tuning->untuned;
  tutti_explanation *answer = explaining->answer;
  struct explaining parts = {.tuning = untuned, .call = call, .answer = answer, .silent = true};
  if (!untuned || call->ranks_per_node <= 1 || call->ranks_per_node >= call->ranks ||
      !tutti_mpich_method(call->collective, "smp", &answer->method))
    return;
  answer->known = answer->method.algorithm->domain & TUTTI_NEEDS_NODES &&
                  tutti_mpich_pick_parts(&parts, &answer->method, NULL) &&
                  answer->method.algorithm->domain & TUTTI_NEEDS_NODES;
}

void tutti_mpich_run_device(struct explaining *explaining, const struct mpich_node *leaf)
{
  const struct mpich_device *device = leaf->device;
  const char *composition = strstr(device->name, "_composition_");
  snprintf(explaining->answer->algorithm, TUTTI_METHOD_LENGTH, "%s", device->name);
  tutti_explain_step(explaining, leaf->at, "%s: it %s", leaf->key, device->way);
  if (strcmp(device->way, MPICH_WHOLE) == 0)
    select_on(explaining, false);
  else if (strstr(device->name, "_alpha"))
    run_parts(explaining);
  if (composition)
    tutti_explain_selector(explaining, composition + strlen("_composition_"));
  else if (strstr(device->name, SHARED))
    tutti_explain_selector(explaining, SHARED);
}

void tutti_mpich_run_no_device(struct explaining *explaining, const char *reason)
{
  tutti_explain_step(explaining, NO_PLACE, "%s", reason);
  select_on(explaining, true);
}

/* Without a file the shared memory serves these collectives where their operations commute. */
void tutti_mpich_run_not_shared(struct explaining *explaining)
{
  const tutti_explained_call *call = explaining->call;
  const struct mpich_device *shared = tutti_mpich_shared(&explaining->tuning->file.version, call->collective, SHARED);
  tutti_explain_step(explaining, NO_PLACE, "no condition is left: the layer chooses nothing");
  select_on(explaining, !shared || (call->ordered && shared->needs & COMMUTATIVE));
  explaining->unlike = true; /* to compare MPIR's selection with */
  if (shared)
    tutti_explain_selector(explaining, NOT_SHARED);
}

/* ---- what files can select ---- */

static const tutti_library_version version_4_0 = {.major = 4}, version_4_1 = {.major = 4, .minor = 1},
                                   version_4_2 = {.major = 4, .minor = 2};

/* Compositions that do something, and one of those that hand the communicator on: others of these are for one node. */
static bool is_choice(const struct mpich_device *device, const struct mpich_device *handing_on)
{
  return device && (strcmp(device->way, MPICH_WHOLE) != 0 || device == handing_on);
}

static tutti_size_unit unit_of(tutti_collective collective, const tutti_library_version *version)
{
  const struct mpich_device *first = tutti_mpich_composition(version, collective, "alpha"),
                            *handing_on = tutti_mpich_handing_on(version, collective);
  return first && handing_on && first != handing_on ? tutti_mpich_unit(collective) : TUTTI_UNIT_ABSENT;
}

static bool supports(const tutti_method *method, const tutti_library_version *version)
{
  const char *word = tutti_method_is_native(method) ? tutti_selector_name(method->parameters.k) : NULL;
  const tutti_collective collective = method->algorithm->collective;
  return word && unit_of(collective, version) != TUTTI_UNIT_ABSENT &&
         is_choice(tutti_mpich_composition(version, collective, word), tutti_mpich_handing_on(version, collective));
}

tutti_size_unit tutti_mpich_ch4_unit_4_0(tutti_collective collective)
{
  return unit_of(collective, &version_4_0);
}

tutti_size_unit tutti_mpich_ch4_unit_4_1(tutti_collective collective)
{
  return unit_of(collective, &version_4_1);
}

tutti_size_unit tutti_mpich_posix_unit(tutti_collective collective)
{
  return tutti_mpich_shared(&version_4_2, collective, SHARED) ? tutti_mpich_unit(collective) : TUTTI_UNIT_ABSENT;
}

bool tutti_mpich_posix_supports(const tutti_method *method, int ranks)
{
  const char *word = tutti_method_is_native(method) ? tutti_selector_name(method->parameters.k) : NULL;
  (void)ranks;
  return word && tutti_mpich_posix_unit(method->algorithm->collective) != TUTTI_UNIT_ABSENT &&
         (strcmp(word, SHARED) == 0 || strcmp(word, NOT_SHARED) == 0);
}

bool tutti_mpich_ch4_supports_4_0(const tutti_method *method, int ranks)
{
  (void)ranks;
  return supports(method, &version_4_0);
}

bool tutti_mpich_ch4_supports_4_1(const tutti_method *method, int ranks)
{
  (void)ranks;
  return supports(method, &version_4_1);
}
