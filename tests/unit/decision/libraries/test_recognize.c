/* What a file is, by its content, and what is said of files that are judged for another library, or not at all. */
#include "tutti/tuning.h"
#include "unit/test.h"

#define MPICH(text) "{\"collective=bcast\": {\"comm_type=intra\": {" text "}}}"

static const struct {
  const char *kind, *target, *text; /* kind NULL: unknown; target NULL: it is not judged */
} files[] = {
    {"openmpi-rules", "openmpi-4.1.4", "# rules\n1\n7\n"},
    {"openmpi-rules", "openmpi-4.1.4", "rule-file-version-2\n"},
    {"openmpi-rules", "openmpi-4.1.4", "1\n7\n1\n0 1\n0 6 0 0\n"},
    {"openmpi-rules", "openmpi-4.1.4", "1 7 1 0 1\n0 3 0 8KB\n"},
    {"openmpi-rules", "openmpi-5", "# tutti export --format openmpi-5\n1 7 1 0 1\n0 6 0 0\n"},
    {"openmpi-json", "openmpi-6", "{\"collectives\": {\"bcast\": []}}"},
    {"openmpi-json", "openmpi-6", "{\"$schema\": \"rules.json\", \"collectives\": {"},
    {"openmpi-schema", NULL, "{\"$schema\": \"x\", \"properties\": {\"collectives\": {}}}"},
    {"openmpi-han", "openmpi-4.1.4", "1 # one\n7\n1\n0\n1\n1\n2\n0 3\n128 1\n"},
    {"openmpi-han", "openmpi-6", "1\nbcast\n1\n2\n1\n1\n1\n0 han@intra\n"},
    {"openmpi-han", "openmpi-5", "1\nallreduce\n1\nintra_node\n1\n1\n1\n0 tuned\n"},
    {"openmpi-han", "openmpi-5", "# tutti export --format openmpi-han-5\n1\nbcast\n1\n2\n1\n1\n1\n0 tuned\n"},
    {"openmpi-parameters", "openmpi-4.1.4", "# site\n\nbtl = ^openib\ncoll_tuned_bcast_algorithm = 6\n"},
    {"openmpi-variables", "openmpi-4.1.4", "module load mpi\nexport OMPI_MCA_coll_tuned_use_dynamic_rules=1\n"},
    {"openmpi-results", NULL, "#Nnodes Message_size linear\n2 1 64.33(0.94)\n"},
    {NULL, NULL, "2 1 linear 64.33(0.94)\n2 2 linear 64.26(0.92)\n"},
    {"mpich-selection", "mpich-4.0.2", MPICH("\"algorithm=MPIR_Bcast_intra_binomial\": {}")},
    {"mpich-selection", "mpich-4.1.0", MPICH("\"algorithm = MPIR_Bcast_intra_tree\": {}")},
    {"mpich-ch4", "mpich-4.0.2", MPICH("\"composition=MPIDI_Bcast_intra_composition_alpha\": {}")},
    {"mpich-posix", "mpich-4.2.0", MPICH("\"algorithm=MPIDI_POSIX_mpi_bcast_release_gather\": {}")},
    {"mpich-template", NULL, MPICH("\"replace me\": {}, \"algorithm=MPIR_Bcast_intra_binomial\": {}")},
    {"mpich-template", NULL, "{\"comm_size=any\": {\"composition=MPIDI_Bcast_intra_composition_beta\": {}}}"},
    {"mpich-variables", "mpich-4.0.2", "setenv MPICH_BCAST_INTRA_ALGORITHM binomial\n"},
    {"mpich-variables", "mpich-4.0.2", "MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial\n"},
    {"openmpi-variables", "openmpi-4.1.4", "cd run\n/opt/bin/mpirun --mca coll_tuned_bcast_algorithm 6 -n 8 ./a\n"},
    {"mpich-variables", "mpich-4.0.2", "mpiexec -n 4 \\\n\t-genv MPIR_CVAR_BCAST_INTRA_ALGORITHM=ring ./a\n"},
    {"mpich-variables", "mpich-4.0.2", "mpiexec -env MPIR_CVAR_BCAST_INTRA_ALGORITHM ring ./a\n"},
    {"script", NULL, "# mpirun --mca coll_tuned_bcast_algorithm 6\nmpirun ./a\n"},
    {"script", NULL, "#!/bin/sh\nmpi_bin=/usr\ncoll=bcast\n$mpi_bin/run $coll\n"},
    {"script", NULL, "LANG=C\nPATH=/bin\n"},
    {"cray-variables", NULL, "export MPICH_ALLREDUCE_NO_SMP=1\n"},
    {"libfabric-variables", NULL, "export FI_PROVIDER=cxi\nmpirun ./a\n"},
    {"hcoll-variables", NULL, "mpirun -x HCOLL_ENABLE_MCAST_ALL=1 ./a\n"},
    {"oneccl-variables", NULL, "CCL_ALLREDUCE=ring ./a\n"},
    {"openmpi-variables", "openmpi-4.1.4", "# Lua\nsetenv(\"OMPI_MCA_coll\", \"^hcoll\")\n"},
    {"tutti-rules", "tutti", "bcast/linear\n"},
    {"tutti-rules", "tutti", "# mine\nbcst/linear\n"},
    {"tutti-trees", "tutti", "tutti-decision 1\n"},
    {"ucc-sections", "ucc", "# site\n[vendor=x]\nUCC_TL_UCP_TUNE=allreduce:0-4k:@0\n"},
    {"ucc-variables", "ucc", "UCC_TL_UCP_TUNE=allreduce:0-4k:@0\n"},
    {"ucc-tune", NULL, "allreduce:0-4k:@0#allreduce:4k-inf:@1\n"},
    {"nccl-topology", NULL, "<system version=\"1\">"},
    {"mpich-named", NULL, "{\"name=bcast-auto\": {\"algorithm=MPIR_Bcast_intra_tree\": {}}}"},
    {"ucx-variables", NULL, "UCX_TLS=rc\n"},
    {"nccl-variables", NULL, "NCCL_ALGO=Ring\n"},
    {"nccl-tuner", "nccl", "# collective_type,min_bytes\nallreduce,0,65536,tree,simple,2,1,-1\n"},
    {"nccl-tuner", "nccl", "AllReduce, 0, 65536, tree\n"},
    {"ncclx-rules", "ncclx", "{\"rules\": [{\"filter\": {}, \"config\": {}}]}"},
    {"msccl-algorithm", NULL, "<!-- a <b> --><algo name=\"x\" coll=\"allgather\">"},
    {"simgrid-platform", NULL, "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"x\">\n<platform version=\"4.1\"/>"},
    {"fujitsu-tree", "openmpi-4.1.4", "======\nheader:\n  version: 1.0\n"},
    {"fujitsu-tree", "openmpi-4.1.4", "barrier:\n  bruck\n"},
    {"openmpi-rules", "openmpi-4.1.4",
     "\xef\xbb\xbf"
     "1\r\n7\r\n1\r\n0 1\r\n0 6 0 0\r\n"},
    {"openmpi-han", "openmpi-6",
     "\xef\xbb\xbf"
     "1\r\nbcast\r\n1\r\n2\r\n1\r\n1\r\n1\r\n0 han@intra\r\n"},
    {"openmpi-json", "openmpi-6", "\xef\xbb\xbf{\"collectives\": {}}\r\n"},
    {"mpich-variables", "mpich-4.0.2", "\xef\xbb\xbfMPIR_CVAR_BCAST_INTRA_ALGORITHM=smp\r\n"},
    {"openmpi-variables", "openmpi-4.1.4", "\xef\xbb\xbf#!/bin/sh\r\nmpirun \\\r\n --mca coll tuned ./a\r\n"},
    {"nccl-tuner", "nccl",
     "\xef\xbb\xbf"
     "allreduce,0,65536,tree\r\n"},
    {"msccl-algorithm", NULL, "\xef\xbb\xbf<algo name=\"x\">\r\n"},
    {"openmpi-results", NULL, "\xef\xbb\xbf#Nnodes Message_size linear\r\n2 1 64.33(0.94)\r\n"},
    {"tutti-trees", "tutti", "\xef\xbb\xbftutti-decision 1\r\n"},
    {"osu-results", NULL, "\n# OSU MPI Allreduce Latency Test\n8 1.0\n"},
    {"mvapich2-variables", "mvapich2", "export MV2_ALLTOALL_TUNING=3\n"},
    {"intelmpi-variables", "intelmpi", "export I_MPI_ADJUST_BCAST=3\n"},
    {"openmpi-tuning", NULL, "collectives : bcast\nnumber_of_ranks : 2 4\n"},
    {NULL, NULL, "# parameters\n\n"},
    {NULL, NULL, "{\"menu\": []}"},
    {NULL, NULL, "[section]\nkey = value\n"},
    {NULL, NULL, "Dear reader,\n"},
};

TEST(test_kinds)
{
  int wrong = 0;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    const size_t length = strlen(files[i].text);
    const tutti_tuning_kind *kind;
    tutti_library_version version;
    char name[40];
    const tutti_status status = tutti_tuning_identify("file", files[i].text, length, NULL, &kind, &version, REASON);
    const char *found = kind ? kind->name : "unknown", *wanted = files[i].kind ? files[i].kind : "unknown";
    const bool judged = status == TUTTI_OK && files[i].target &&
                        strcmp(tutti_library_version_format(&version, name), files[i].target) == 0;
    if (strcmp(found, wanted) != 0 || (!judged && (files[i].target || status != TUTTI_ERR_ARGUMENT))) {
      print_error("%s, not %s: %s\n", found, wanted, files[i].text);
      wrong++;
    }
  }
  assert_int_equal(wrong, 0);
}

/* Each kind has a file above, but those that are one more of some variables or comments. */
TEST(test_messages)
{
  static const struct {
    const char *target, *text, *message;
  } refused[] = {
      {NULL, "UCX_TLS=ucp\n", "file: variables of UCX; such files are not judged"},
      {"openmpi-4.1", "UCC_TLS=ucp\n", "file: variables of UCC, no file for openmpi-4.1"},
      {"openmpi-4.1", "bcast/linear\n", "file: rules of Tutti, no file for openmpi-4.1"},
      {"mpich-4.0", "1\n7\n1\n0\n1\n0 6 0 0\n", "file: rules of Open MPI's coll/tuned, no file for mpich-4.0"},
      {NULL, "Dear\n",
       "file: no tuning file that is known: these are files of openmpi, mpich, ucc, intelmpi, mvapich, mvapich2, "
       "tutti, nccl, "
       "ncclx "
       "(docs/reference/lint.md, 'Kinds of files')"},
  };
  tutti_library_version version;
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    assert_int_equal(tutti_tuning_identify("file", refused[i].text, strlen(refused[i].text), refused[i].target, NULL,
                                           &version, &error),
                     TUTTI_ERR_ARGUMENT);
    assert_string_equal(error.message, refused[i].message);
  }
  assert_int_equal(tutti_tuning_identify("file", "Dear\n", 5, "openmpi", NULL, &version, &error), TUTTI_OK);
  assert_int_equal(tutti_tuning_identify("file", "", 0, NULL, NULL, &version, &error), TUTTI_OK);
}

/* A script that sets variables of several kinds: all of them with their places; and for each library its own kind. */
TEST(test_parts)
{
  static const char script[] = "#!/bin/sh\nexport UCX_TLS=rc FI_PROVIDER=cxi\nMPIR_CVAR_NOLOCAL=1 mpiexec ./a\nmpirun "
                               "--mca coll tuned -x UCX_TLS=sm ./a\n";
  static const char *const texts[] = {"file:4: variables of Open MPI (1 setting), which are judged",
                                      "file:3: variables of MPICH (1 setting), which are judged",
                                      "file:2: variables of UCX (2 settings), which are not judged",
                                      "file:2: variables of libfabric (1 setting), which are not judged"};
  tutti_tuning_part parts[TUTTI_TUNING_KINDS];
  const tutti_tuning_kind *kind;
  tutti_library_version version;
  assert_int_equal(tutti_tuning_parts(script, strlen(script), parts), 4);
  for (int i = 0; i < 4; i++) {
    char *text = tutti_tuning_part_text("file", &parts[i]);
    assert_string_equal(text, texts[i]);
    free(text);
  }
  assert_ok(tutti_tuning_identify("file", script, strlen(script), "mpich-4.0", &kind, &version, REASON), error);
  assert_string_equal(kind->name, "mpich-variables");
  assert_int_equal(tutti_tuning_parts("bcast/linear\n", 13, parts), 0);
}
