#include "cli/meaning.h"

#include <stddef.h>

#include "base/words.h"

const struct meaning command_meanings[] = {
    {"tune optimize optimise autotune tuner improve", "tune", "finds, writes and proves a tuning file"},
    {"tune optimize optimise autotune tuner improve", "learn",
     "makes rules of measurements, which tutti export writes for a library and tutti compare judges"},
    {"run start exec execute launch mpirun mpiexec srun", "run", "starts a program of yours under Tutti"},
    {"run start exec execute launch mpirun mpiexec srun", "bench", "runs measurements, simulated and real ones"},
    {"record trace profile intercept monitor attach preload", "run", "records a program of yours while it runs"},
    {"trace record intercept preload attach", "replay",
     "runs a program's trace on a simulated machine, and its page says how to record one: docs/how-to/replay.md"},
    {"profile monitor hotspots recommend suggest advice", "advise",
     "says what a program would gain, and its page says how to get the profile: docs/how-to/application.md"},
    {"place rank rate rival position", "place", "says where an algorithm stands among all others"},
    {"plot draw graph picture figure view heatmap best winner select crossover", "map",
     "shows which method is best where, and draws it with --plot FILE"},
    {"chart html page pdf summary overview dashboard document", "report", "writes one page of what the store holds"},
    {"forecast scale project extrapolate upgrade", "forecast", "says what other machines and methods would bring"},
    {"forecast scale project extrapolate upgrade machine network", "whatif",
     "runs an experiment on a machine and on the same one changed"},
    {"simulate sim smpi simgrid measure benchmark time sweep perf osu imb", "bench",
     "measures, and simulates with --platform NAME of a simulated machine"},
    {"model estimate cost price", "predict", "predicts times by models"},
    {"list ls catalog catalogue methods collectives info", "algorithms", "lists collectives and their algorithms"},
    {"platforms machines hosts hostfile topology cluster", "platform", "lists, shows and writes simulated machines"},
    {"undo uninstall remove revert rollback deactivate disable reset restore install activate enable apply use deploy",
     "lint", "shows with --activate FILE what makes a library read a tuning file; without these lines it does not"},
    {"test verify prove proof validate correctness debug visualize visualise timeline", "schedule",
     "proves that an algorithm is correct, and shows its messages"},
    {"ci gate regress regression regressions baseline", "check", "finds what got slower than in a baseline"},
    {"diff versus vs before after ab significance", "compare", "measures a library before and after a tuning file"},
    {"why reason decide which choose decision", "explain", "says which method runs for a call, and why"},
    {"place rank rate rival position loss lost regret slower slowdown evaluate score judge", "penalty",
     "compares decisions with the best measured methods"},
    {"train tree classify classifier rules generate fit-rules", "learn", "makes rules of measurements"},
    {"convert write save translate emit codegen", "export", "writes decisions as files that libraries read"},
    {"add create init template scaffold plugin algorithm", "new", "begins an algorithm of your own"},
    {"load read ingest insert", "import", "stores results of other benchmarks and other stores"},
    {"join combine union stores", "import", "puts results and other stores into one store"},
    {"calibrate adjust", "fit", "fits parameters of a platform to measured times"},
    {"setup config configure env system status probe diagnose libraries where", "doctor",
     "shows the libraries and programs of this machine, and what is missing"},
    {NULL, NULL, NULL}};

const struct meaning verb_meanings[] = {{"ls all names", "list", NULL},
                                        {"print cat info describe view", "show", NULL},
                                        {"verify validate test lint", "check", NULL},
                                        {"make create init add write generate", "new", NULL},
                                        {"hosts machinefile nodes", "hostfile", NULL},
                                        {"method collective plugin template", "algorithm", NULL},
                                        {NULL, NULL, NULL}};

const struct meaning option_meanings[] = {
    {"np nprocs procs processes ntasks tasks num-ranks nranks comm-size", "ranks", NULL},
    {"ppn npernode tasks-per-node ntasks-per-node map-by", "ranks-per-node", NULL},
    {"bytes message-size msg-size length sizes message", "size", NULL},
    {"elements", "count", NULL},
    {"datatype dtype element-size", "type-size", NULL},
    {"threads parallel workers cores cpus", "jobs", NULL},
    {"database store sqlite input", "db", NULL},
    {"out file save save-as write-to", "output", NULL},
    {"machine cluster system topology network", "platform", NULL},
    {"mpi implementation vendor", "flavor", NULL},
    {"mpi implementation vendor version", "library", NULL},
    {"mpi implementation vendor library", "target", NULL},
    {"algorithm algorithms method", "methods", NULL},
    {"algorithm method rules tree", "decision", NULL},
    {"image svg png pdf draw figure graph", "plot", NULL},
    {"simulator", "engine", NULL},
    {"silent no-progress", "quiet", NULL},
    {"force redo rerun overwrite", "again", NULL},
    {"limit head max-rows", "top", NULL},
    {"repeat iterations reps", "repetitions", NULL},
    {"operation op coll", "collective", NULL},
    {"machinefile hosts nodes nodefile", "hostfile", NULL},
    {"timeout time-limit", "job-timeout", NULL},
    {NULL, NULL, NULL}};

const struct meaning *meaning_find(const struct meaning *rows, const char *word,
                                   bool (*is_known)(const char *name, const void *of), const void *of)
{
  for (; rows->words; rows++)
    if (tutti_word_is_listed(rows->words, ' ', word) && is_known(rows->name, of))
      return rows;
  return NULL;
}
