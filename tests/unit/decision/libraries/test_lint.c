/* The linter: a small bad file for every code, and that it is silent where there is nothing to say. */
#include "base/splitmix64.h"
#include "decision/libraries/libraries.h"
#include "tutti/tuning.h"
#include "unit/base/scratch_file.h"
#include "unit/patience.h"
#include "unit/test.h"

/* A text in which a code is found at a place. */
struct bad {
  const char *code, *target;
  int line, column;
  const char *text;
};

#define INTRA(text)                    "{\"collective=bcast\":{\"comm_type=intra\":" text "}}"
#define LEAF                           "{\"algorithm=MPIR_Bcast_intra_binomial\":{}}"
#define CH4(collective, name)          "{\"composition=MPIDI_" collective "_intra_composition_" name "\":{}}"
#define SHARED                         "{\"algorithm=MPIDI_POSIX_mpi_bcast_release_gather\":{}}"
#define FLAT                           "MV2_USE_INDEXED_TUNING=0\nMV2_USE_INDEXED_ALLTOALL_TUNING=0\n"
#define TUNED_ON                       "coll_tuned_use_dynamic_rules = true\n"
#define HAN(level, sizes, rules, text) "1\nbcast\n1\n" level "\n" sizes "\n1\n" rules "\n" text "\n"
#define JSON(text)                     "{\"collectives\":{\"bcast\":[{\"rules\":[" text "]}]}}"
#define DEEP                           "{\"comm_size=any\":{\"comm_size=any\":{\"comm_size=any\":{\"comm_size=any\":{\"comm_size=any\":"

#define LONG "0123456789012345678901234567890123456789012345678901234567890123456789"
#define NCCLX(collective, algorithm)                                                                                   \
  "{\"rules\": [{\"filter\": {\"collective\": " collective "}, \"config\": {\"algorithm\": " algorithm                 \
  ", \"protocol\": \"ll\"}}]}"

static const struct bad bads[] = {
    {"INTEL-001", "intelmpi", 1, 36, "export I_MPI_ADJUST_BCAST='1:0-8@2;2:9-;3'\n"},
    {"INTEL-002", "intelmpi", 1, 27, "export I_MPI_ADJUST_BCAST=77\n"},
    {"INTEL-003", "intelmpi", 1, 8, "export I_MPI_ADJUST_BCST=1\n"},
    {"INTEL-004", "intelmpi", 1, 36, "export I_MPI_ADJUST_BCAST='1:0-9;2:3-4@5'\n"},
    {"INTEL-005", "intelmpi", 1, 8, "export I_MPI_ADJUST_BCAST=1\nexport I_MPI_ADJUST_BCAST=2\n"},
    {"INTEL-006", "intelmpi", 1, 8, "export I_MPI_FABRICS=shm\n"},
    {"INTEL-007", "intelmpi", 1, 32, "export I_MPI_ADJUST_BARRIER='1:8'\n"},
    {"MVAPICH-001", "mvapich", 1, 34, "export MVP_BCAST_INTRA_ALGORITHM=fast\n"},
    {"MVAPICH-002", "mvapich", 1, 1, "MVP_BCAST_INTRA_ALGORITHM=tree\nMVP_BCAST_INTRA_ALGORITHM=smp\n"},
    {"MVAPICH-003", "mvapich", 1, 1, "MVP_DEBUG=1\n"},
    {"MVAPICH-004", "mvapich", 1, 1, "MV2_USE_MCAST=1\n"},
    {"MV-001", "mvapich2", 1, 21, "MV2_ALLTOALL_TUNING=4\n"},
    {"MV-002", "mvapich2", 1, 21, "MV2_ALLTOALL_TUNING=0:0-8,3:8-+\n"},
    {"MV-003", "mvapich2", 3, 27, FLAT "MV2_ALLTOALL_TUNING=0:0-8,3-9\n"},
    {"MV-004", "mvapich2", 3, 28,
     "MV2_USE_INDEXED_TUNING=0\nMV2_USE_INDEXED_ALLREDUCE_TUNING=0\nMV2_INTER_ALLREDUCE_TUNING=1:0-8,2:9-+\n"},
    {"MV-005", "mvapich2", 3, 27, FLAT "MV2_ALLTOALL_TUNING=0:0-8,3:80-+\n"},
    {"MV-006", "mvapich2", 1, 1, "MV2_ALLTOALL_TUNING=0\nMV2_ALLTOALL_TUNING=3\n"},
    {"MV-007", "mvapich2", 1, 1, "MV2_USE_MCAST=1\n"},
    {"UCC-001", "ucc", 1, 34, "export UCC_TL_UCP_TUNE=allreduce:junk:@0\n"},
    {"UCC-002", "ucc", 1, 25, "export UCC_TL_UCP_TUNE=#bcast:@9\n"},
    {"UCC-003", "ucc", 2, 26, "[ppn=1]\nUCC_TL_UCP_TUNE=bcast:@0#bcast:[2]:5-9:@1\n"},
    {"UCC-003", "ucc", 1, 17, "UCC_TL_UCP_TUNE=bcast:4-4:@0\n"},
    {"UCC-004", "ucc", 1, 17, "UCC_TL_UCP_TUNE=bcast:4-8\n"},
    {"UCC-005", "ucc", 2, 1, "UCC_TL_UCP_TUNE=bcast:@0\nUCC_TL_UCP_TUNE=bcast:@1\n"},
    {"UCC-005", "ucc", 2, 2, "UCC_TL_UCP_TUNE=bcast:@0\n bcast:@1\n"},
    {"UCC-006", "ucc", 2, 1, "UCC_TL_UCP_TUNE=bcast:@0\njunk\n"},
    {"UCC-007", "ucc", 1, 8, "[ppn=1 nodes=2]\nUCC_TL_UCP_TUNE=bcast:@0\n"},
    {"UCC-008", "ucc", 1, 1, "UCC_TLS=ucp\n"},
    {"UCC-009", "ucc", 3, 1, "UCC_TL_UCP_TUNE=bcast:@0\n[ppn=1]\nUCC_TL_UCP_TUNE=bcast:@1\n"},
    {"UCC-010", "ucc", 2, 1, "[ppn=1-4]\n[team_size=2]\n"},
    {"UCC-011", "ucc", 1, 17, "UCC_TL_UCP_TUNE=alltoallv:0-4:@0\n"},
    {"UCC-012", "ucc", 2, 17, "[ppn=1]\nUCC_TL_UCP_TUNE='bcast:@0'\n"},
    {"OMPI-001", "openmpi-4.1", 1, 12, "1 7 1 0 2 0"},
    {"OMPI-001", "openmpi-4.1", 1, 1, ""},
    {"OMPI-002", "openmpi-4.1", 2, 1, "1 7 1 0 1\n-1 6 0 0"},
    {"OMPI-003", "openmpi-4.1", 1, 1, "rule-file-version-2\n1 3 1 0 1\n0 4 0 0 8\n"},
    {"OMPI-003", "openmpi-5.0.6", 1, 1, "rule-file-version-2\n1 3 1 0 1\n0 4 0 0 8\n"},
    {"OMPI-004", "openmpi-4.1", 1, 1, "23\n"},
    {"OMPI-005", "openmpi-4.1", 1, 3, "1 22 1 0 1 0 0 0 0"},
    {"OMPI-006", "openmpi-4.1", 2, 1, "1 7 1 0 1\n8 6 0 0\n"},
    {"OMPI-007", "openmpi-4.1", 2, 3, "1 7 1 0 1\n0 10 0 0\n"},
    {"OMPI-007", "openmpi-4.1", 2, 3, "1 0 1 0 1\n0 7 0 0\n"},
    {"OMPI-007", "openmpi-5", 2, 3, "1 2 1 0 1\n0 7 0 0\n"},
    {"OMPI-008", "openmpi-4.1", 3, 1, "1 7 1 0 1\n0 6 0 0\n8 1 0 0\n"},
    {"OMPI-009", "openmpi-4.1", 3, 1, "1 7 1 0 2\n0 6 0 0\n01000 1 0 0\n"},
    {"OMPI-009", "openmpi-4.1", 2, 7, "1 7 1 0 1\n0 3 0 0x400\n"},
    {"OMPI-010", "openmpi-4.1", 2, 8, "1 7 1 0 1\n0 3 0 8KB\n"},
    {"OMPI-010", "openmpi-4.1", 3, 2, "1 7 1 0 2\n0 6 0 0\n08 1 0 0\n"},
    {"OMPI-011", "openmpi-4.1", 3, 1, "1 7 2 8 1\n0 6 0 0\n4 1\n0 1 0 0\n"},
    {"OMPI-012", "openmpi-4.1", 4, 1, "1 7 1 2 3\n0 6 0 0\n100 1 0 0\n50 2 1 0\n"},
    {"OMPI-013", "openmpi-4.1", 3, 1, "2 7 1 0 1\n0 6 0 0\n7 1 0 1\n0 1 0 0\n"},
    {"OMPI-014", "openmpi-4.1", 1, 3, "1 10 1 0 1\n0 1 0 0\n"},
    {"OMPI-015", "openmpi-4.1", 2, 7, "1 2 1 0 1\n0 3 0 1024\n"},
    {"OMPI-016", "openmpi-4.1", 2, 5, "1 7 1 0 1\n0 6 4 0\n"},
    {"OMPI-017", "openmpi-5.0.7", 3, 9, "rule-file-version-2\n1 3 1 0 1\n0 2 0 0 8\n"},
    {"OMPI-018", "openmpi-4.1", 2, 3, "1 3 1 2 1\n0 5 0 0\n"},
    {"OMPI-019", "openmpi-4.1", 2, 3, "1 0 1 0 1\n0 3 0 0\n"},
    {"OMPI-019", "openmpi-4.1", 2, 3, "1 0 1 0 1\n0 5 0 0\n"},
    {"OMPI-020", "openmpi-4.1", 2, 3, "1 2 1 0 1\n0 4 0 0\n"},
    {"OMPI-021", "openmpi-4.1", 1, 7, "1 7 1 8 1\n0 6 0 0\n"},
    {"OMPI-022", "openmpi-6", 1, 1, "1 7 1 0 1\n0 6 0 0\n"},
    {"OMPI-023", "openmpi-4.1", 2, 7, "1 7 1 0 1\n0 6 0 4294967296\n"},
    {"OMPI-024", "openmpi-4.1", 3, 1, "1 6 1 0 2\n0 3 0 0\n8 4 0 0\n"},
    {"OMPI-025", "openmpi-4.1", 3, 1, "1 14 1 0 2\n0 1 0 0\n8 2 0 0\n"},
    {"OMPI-026", "openmpi-4.1", 2, 5, "1 7 1 0 1\n0 2 0 0\n"},
    {"OMPI-027", "openmpi-4.1", 3, 1, "1 9 1 0 2\n0 1 0 0\n8 2 0 0\n"},
    {"OMPI-028", "openmpi-4.1", 1, 3, "1 7 0\n"},
    {"OMPI-028", "openmpi-4.1", 1, 1, "0\n"},
    {"OMPI-028", "openmpi-6", 1, 1, "{\"collectives\": {}}\n"},
    {"OMPI-029", "openmpi-4.1", 2, 9, "1 7 1 0 2\n1 0 0 6 0 0\n8 1 0 0\n"},
    {"OMPI-031", "openmpi-5", 1, 1, "{\"collectives\": {}}\n"},
    {"OMPI-030", "openmpi-4.1", 3, 1, "1 7 1 2 3\n0 6 0 0\n100 1 0 0\n50 2 1 0\n"},
    {"OMPI-033", "openmpi-4.1", 5, 1, "1\n7\n2\n4\n3 # two\n0 1 0 0\n8 2 1 0\n8\n1\n0 1 0 0\n"},
    {"OMPI-033", "openmpi-4.1", 3, 1, "1\n7\n3 # two\n4\n1\n0 1 0 0\n8\n1\n0 1 0 0\n"},
    {"OMPI-033", "openmpi-4.1", 3, 1, "2\n7\n1\n4\n1\n0 1 0 0\n8\n1\n0 1 0 0\n2\n1\n4\n1\n0 3 0 0\n"},
    {"OMPI-033", "openmpi-4.1", 1, 1, "2 # one\n7\n1\n4\n1\n0 1 0 0\n"},
    {"OMPI-033", "openmpi-4.1", 1, 1, "1 # two\n7\n1\n4\n1\n0 1 0 0\n2\n1\n4 1\n0 3 0 0\n"},
    {"OMPI-033", "openmpi-4.1", 5, 1, "1\n6\n2\n2\n1 # none\n4\n1\n0 6 0 0\n"},
    {"OMPI-033", "openmpi-5.0.7", 6, 1, "rule-file-version-2\n1\n3\n1\n0\n2\n0 4 0 0 8\n"},
    {"OMPI-032", "openmpi-6", 1, 60, "{\"collectives\":{\"allgather\":[{\"rules\":[{\"alg\":2,\"faninout\":1}]}]}}"},
    {"OMPI-101", "openmpi-6", 1, 19, "{\"collectives\":{},,}"},
    {"OMPI-102", "openmpi-6", 1, 1, "{\"rules\":{}}"},
    {"OMPI-103", "openmpi-6", 1, 17, "{\"collectives\":{\"reducescatter\":[]}}"},
    {"OMPI-104", "openmpi-6", 1, 25, "{\"collectives\":{\"bcast\":{}}}"},
    {"OMPI-105", "openmpi-6", 1, 26, "{\"collectives\":{\"bcast\":[{\"comm_size_min\":2}]}}"},
    {"OMPI-106", "openmpi-6", 1, 48, JSON("{\"seg_size\":\"8KB\",\"alg\":3}")},
    {"OMPI-107", "openmpi-6", 1, 43, "{\"collectives\":{\"bcast\":[{\"comm_size_max\":\"inf\",\"rules\":[]}]}}"},
    {"OMPI-108", "openmpi-6", 1, 36, JSON("{\"msg_size_min\":0}")},
    {"OMPI-109", "openmpi-6", 1, 43, JSON("{\"alg\":\"tree\"}")},
    {"OMPI-110", "openmpi-6", 1, 46, JSON("{\"alg\":1},{\"alg\":2,\"faninout\":2}")},
    {"OMPI-111", "openmpi-6", 1, 26, JSON("{\"alg\":1,\"msg_size_max\":100}")},
    {"OMPI-112", "openmpi-6", 1, 45, JSON("{\"alg\":1,\"segsize\":100}")},
    {"OMPI-113", "openmpi-6", 1, 52,
     "{\"collectives\":{\"bcast\":[{\"comm_rank_distribution\":\"all\",\"rules\":[{\"alg\":1}]}]}}"},
    {"OMPI-114", "openmpi-6", 1, 78, JSON("{\"alg\":1,\"msg_size_min\":10,\"msg_size_max\":5}")},
    {"OMPI-115", "openmpi-6", 1, 45, JSON("{\"alg\":1,\"alg\":2}")},
    {"OMPI-116", "openmpi-6", 1, 47, "{\"collectives\":{\"alltoallw\":[{\"rules\":[{\"alg\":1}]}]}}"},
    {"OMPI-116", "openmpi-6", 1, 35, "{\"collectives\":{\"bcast\":[{\"rules\":{\"a\":{\"alg\":1}}}]}}"},
    {"OMPI-117", "openmpi-6", 1, 52, "{\"collectives\":{\"bcast\":[{\"comm_rank_distribution\":1,\"rules\":[]}]}}"},
    {"OMPI-023", "openmpi-6", 1, 43, "{\"collectives\":{\"bcast\":[{\"comm_size_max\":4294967299,\"rules\":[]}]}}"},
    {"OMPI-114", "openmpi-6", 1, 70,
     "{\"collectives\":{\"bcast\":[{\"rules\":[{\"msg_size_min\":-1,\"msg_size_max\":9,\"alg\":1}]}]}}"},
    {"OMPI-101", "openmpi-6", 1, 43, "{\"collectives\":{\"bcast\":[{\"rules\":[{\"alg\":03}]}]}}"},
    {"OMPI-201", "openmpi-4.1", 10, 1, HAN("2", "1", "2", "0 basic\n8 ")},
    {"OMPI-202", "openmpi-4.1", 5, 1, HAN("2", "-1", "1", "0 basic")},
    {"OMPI-203", "openmpi-4.1", 9, 1, "2\nbcast\n1\n2\n1\n1\n1\n0 basic\nbcst\n"},
    {"OMPI-204", "openmpi-4.1", 4, 1, HAN("3", "1", "1", "0 basic")},
    {"OMPI-204", "openmpi-5", 4, 1, HAN("node", "1", "1", "0 basic")},
    {"OMPI-205", "openmpi-4.1", 6, 1, "1\nbcast\n1\n2\n1\n2\n1\n0 basic\n"},
    {"OMPI-206", "openmpi-4.1", 8, 1, HAN("2", "1", "1", "8 basic")},
    {"OMPI-207", "openmpi-4.1", 8, 3, HAN("2", "1", "1", "0 3")},
    {"OMPI-207", "openmpi-4.1", 8, 3, HAN("2", "1", "1", "0 han@intra")},
    {"OMPI-207", "openmpi-5.0.7", 8, 3, HAN("2", "1", "1", "0 han@intra")},
    {"OMPI-207", "openmpi-5.0.7", 8, 3, HAN("2", "1", "1", "0 xhc")},
    {"OMPI-208", "openmpi-4.1", 9, 1, HAN("2", "1", "2", "0 basic\n0 tuned")},
    {"OMPI-209", "openmpi-5", 8, 1, HAN("0", "1", "1", "0 han")},
    {"OMPI-210", "openmpi-4.1", 2, 1, "1\nalltoall\n1\n2\n1\n1\n1\n0 basic\n"},
    {"OMPI-211", "openmpi-4.1", 9, 1, HAN("2", "1", "1", "0 basic\n8 tuned")},
    {"OMPI-212", "openmpi-4.1", 5, 1, "2\nbcast\n1\n2\n0\n7\n1\n2\n1\n1\n1\n0 basic\n"},
    {"OMPI-213", "openmpi-4.1", 4, 1, HAN("0", "1", "1", "0 basic")},
    {"OMPI-214", "openmpi-4.1", 8, 1, "1\nallreduce\n1\n2\n1\n1\n1\n0 tuned\n"},
    {"OMPI-010", "openmpi-4.1", 4, 1, HAN("global_communicator\n2", "1", "1", "0 basic")},
    {"OMPI-301", "openmpi-4.1", 2, 1, "coll_tuned_priority = 30\nand more\n"},
    {"OMPI-302", "openmpi-4.1", 1, 1, "coll_tuned_priority = 30\ncoll_tuned_priority = 40\n"},
    {"OMPI-303", "openmpi-4.1", 1, 1, "coll_tuned_bcst_algorithm = 6\n"},
    {"OMPI-303", "openmpi-4.1", 1, 8, "export OMPI_MCA_coll_tuned_bcast_segmentsize=6\n"},
    {"OMPI-304", "openmpi-4.1", 2, 30, TUNED_ON "coll_tuned_bcast_algorithm = 10\n"},
    {"OMPI-304", "openmpi-4.1", 2, 30, TUNED_ON "coll_tuned_bcast_algorithm = 6 # binomial\n"},
    {"OMPI-304", "openmpi-4.1", 2, 43, TUNED_ON "coll_tuned_reduce_scatter_block_algorithm=ring\n"},
    {"OMPI-305", "openmpi-4.1", 1, 1, "coll_tuned_bcast_algorithm = 6\n"},
    {"OMPI-306", "openmpi-4.1", 2, 1, TUNED_ON "OMPI_MCA_coll_tuned_bcast_algorithm = 6\n"},
    {"OMPI-307", "openmpi-4.1", 1, 32, "coll_tuned_use_dynamic_rules = on\n"},
    {"OMPI-308", "openmpi-4.1", 2, 37, TUNED_ON "coll_tuned_dynamic_rules_filename = /rules\n"},
    {"OMPI-401", "openmpi-4.1", 2, 3, "bcast:\n  if msg_size ~ 8:\n    binomial\n"},
    {"OMPI-401", "openmpi-4.1", 3, 5, "bcast:\n  case msg_size:\n    match 8:\n      binomial\n"},
    {"OMPI-401", "openmpi-4.1", 2, 3, "bcast:\n  case proc_count / msg_size:\n    match _:\n      binomial\n"},
    {"OMPI-402", "openmpi-4.1", 3, 1, "bcast:\n  binomial\nbroadcast:\n  binomial\n"},
    {"OMPI-302", "openmpi-4.1", 1, 8, "export OMPI_MCA_coll=tuned\ncd /tmp\nexport OMPI_MCA_coll=basic\n./a\n"},
    {"OMPI-302", "openmpi-4.1", 1, 14, "mpirun --mca coll tuned --mca coll basic ./a\n"},
    {"OMPI-305", "openmpi-4.1", 4, 14,
     "export OMPI_MCA_coll_tuned_use_dynamic_rules=1\nmpirun --mca coll_tuned_bcast_algorithm 6 ./a\nunset "
     "OMPI_MCA_coll_tuned_use_dynamic_rules\nmpirun --mca coll_tuned_bcast_algorithm 5 ./a\n"},
    {"OMPI-305", "openmpi-4.1", 1, 1,
     "OMPI_MCA_coll_tuned_bcast_algorithm=6 ./a\nexport OMPI_MCA_coll_tuned_use_dynamic_rules=1\n./a\n"},
    {"OMPI-305", "openmpi-4.1", 2, 40,
     "export OMPI_MCA_coll_tuned_use_dynamic_rules=1\nOMPI_MCA_coll_tuned_use_dynamic_rules= "
     "OMPI_MCA_coll_tuned_bcast_algorithm=6 mpirun ./a\n"},
    {"OMPI-304", "openmpi-4.1", 1, 74,
     "E=\"--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_bcast_algorithm 10\"\nmpirun $E ./a\n"},
    {"OMPI-309", "openmpi-4.1", 2, 1, "# site\nbtl = ^openib\nmpi_leave_pinned = 1\n"},
    {"OMPI-309", "openmpi-4.1", 1, 14, "mpirun --mca btl tcp,self ./a\n"},
    {"OMPI-310", "openmpi-4.1", 1, 1, "\xef\xbb\xbf" TUNED_ON},
    {"OMPI-311", "openmpi-4.1", 3, 1,
     "# site\r\n\r\n"
     "coll_tuned_use_dynamic_rules = 1\r\n"},
    {"OMPI-304", "openmpi-4.1", 2, 30, "\xef\xbb\xbf" TUNED_ON "coll_tuned_bcast_algorithm = 10\n"},
    {"OMPI-007", "openmpi-4.1", 6, 3,
     "\xef\xbb\xbf"
     "1\r\n7\r\n1\r\n0\r\n1\r\n0 99 0 0\r\n"},
    {"MPICH-034", "mpich-4.0", 1, 1, "\xef\xbb\xbf" INTRA(LEAF)},
    {"MPICH-035", "mpich-4.0", 1, 1, "MPIR_CVAR_BCAST_INTRA_ALGORITHM=\"smp\"\r\n"},
    {"MPICH-033", "mpich-4.0", 1, 8, "export MPIR_CVAR_CH4_OFI_ENABLE_HMEM=0\n"},
    {"MPICH-029", "mpich-4.0", 1, 33, "MPIR_CVAR_BCAST_INTRA_ALGORITHM=tree\n"},
    {"MPICH-029", "mpich-4.1", 1, 42, "export  MPICH_BARRIER_INTRA_ALGORITHM = \"dissemination\"\n"},
    {"MPICH-029", "mpich-4.0", 1, 40, "setenv MPIR_CVAR_BCAST_INTRA_ALGORITHM tree\n"},
    {"MPICH-030", "mpich-4.0", 1, 1, "MPIR_CVAR_NOLOCAL=1\nMPIR_CVAR_NOLOCAL=0\n"},
    {"MPICH-031", "mpich-4.0", 1, 1, "MPIR_CVAR_BCAST_ALGORITHM=binomial\n"},
    {"MPICH-032", "mpich-4.0", 1, 43, "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=/x\n"},
    {"MPICH-001", "mpich-4.0", 1, 1, "collective=bcast"},
    {"MPICH-002", "mpich-4.0", 1, 1, INTRA(LEAF)},
    {"MPICH-003", "mpich-4.0", 1, 1, INTRA(LEAF)},
    {"MPICH-004", "mpich-4.0", 1, 40, INTRA("1")},
    {"MPICH-005", "mpich-4.0", 1, 41, INTRA("{\"comm_size>8\":" LEAF "}")},
    {"MPICH-005", "mpich-4.0", 1, 41, INTRA("{\"comm_avg_ppn<8\":" LEAF "}")},
    {"MPICH-006", "mpich-4.0", 1, 2, "{\"collective=broadcast\":" LEAF "}"},
    {"MPICH-007", "mpich-4.0", 1, 41, INTRA("{\"algorithm=MPIR_Bcast_intra_tree\":{}}")},
    {"MPICH-007", "mpich-4.1", 1, 24, "{\"collective=barrier\":{\"algorithm=MPIR_Barrier_intra_dissemination\":{}}}"},
    {"MPICH-008", "mpich-4.0", 1, 41, INTRA("{\"algorithm=MPIR_Gather_intra_binomial\":{}}")},
    {"MPICH-009", "mpich-4.0", 1, 41, INTRA("{\"avg_msg_size<=8\":" LEAF "}")},
    {"MPICH-010", "mpich-4.0", 1, 103,
     INTRA("{\"avg_msg_size=any\":" LEAF ",\"avg_msg_size<=8\":" LEAF ",\"avg_msg_size=any\":" LEAF "}")},
    {"MPICH-011", "mpich-4.0", 1, 23,
     "{\"collective=gather\":{\"avg_msg_size<=8\":{\"algorithm=MPIR_Gather_intra_binomial\":{}},"
     "\"avg_msg_size=any\":{\"algorithm=MPIR_Gather_intra_binomial\":{}}}}"},
    {"MPICH-012", "mpich-4.0", 1, 41, INTRA("{\"comm_size=any\":{}}")},
    {"MPICH-013", "mpich-4.0", 1, 41, INTRA("{\"comm_hierarchy=parent\":" LEAF "}")},
    {"MPICH-014", "mpich-4.0", 1, 22, INTRA(LEAF)},
    {"MPICH-015", "mpich-4.0", 1, 26,
     "{\"collective=allgather\":{\"algorithm=MPIR_Allgather_intra_recursive_doubling\":{}}}"},
    {"MPICH-016", "mpich-4.0", 1, 61,
     INTRA("{\"avg_msg_size=any\":{\"comm_size<8\":" LEAF ",\"comm_size=any\":" LEAF "}}")},
    {"MPICH-017", "mpich-4.0", 1, 41, INTRA("{\"avg_msg_size<=8KB\":" LEAF ",\"avg_msg_size=any\":" LEAF "}")},
    {"MPICH-019", "mpich-4.0", 1, 23,
     "{\"collective=gather\":{\"total_msg_size<=8\":{\"algorithm=MPIR_Gather_intra_binomial\":{}},"
     "\"total_msg_size=any\":{\"algorithm=MPIR_Gather_intra_binomial\":{}}}}"},
    {"MPICH-020", "mpich-4.0", 1, 103,
     INTRA("{\"avg_msg_size<=80\":" LEAF ",\"avg_msg_size<=8\":" LEAF ",\"avg_msg_size=any\":" LEAF "}")},
    {"MPICH-021", "mpich-4.0", 1, 64, "{\"collective=bcast\":" LEAF ",\"collective=bcast\":" LEAF "}"},
    {"MPICH-022", "mpich-4.0", 1, 2, "{\"avg_msg_size=any\":{\"collective=bcast\":" LEAF "}}"},
    {"MPICH-023", "mpich-4.0", 1, 101,
     INTRA("{\"comm_size<=8\":" LEAF ",  \"algorithm=MPIR_Bcast_intra_binomial\":{}}")},
    {"MPICH-024", "mpich-4.0", 1, 80, INTRA("{\"algorithm=MPIR_Bcast_intra_binomial\":{\"k=2\":{}}}")},
    {"MPICH-025", "mpich-4.0", 1, 1, "/* bcast */" INTRA(LEAF)},
    {"MPICH-026", "mpich-4.0", 1, 548, "{\"collective=bcast\":" DEEP DEEP DEEP DEEP DEEP DEEP DEEP LEAF},
    {"MPICH-027", "mpich-4.0", 1, 38,
     "{\"collective=ireduce_scatter_block\":{\"total_msg_size<=8\":"
     "{\"algorithm=MPIR_Ireduce_scatter_block_intra_sched_recursive_doubling\":{}},\"total_msg_size=any\":"
     "{\"algorithm=MPIR_Ireduce_scatter_block_intra_sched_recursive_doubling\":{}}}}"},
    {"MPICH-028", "mpich-4.2", 1, 1, INTRA(SHARED)},
    {"MPICH-036", "mpich-4.0", 1, 1, INTRA(SHARED)},
    {"MPICH-015", "mpich-4.2", 1, 41, INTRA(SHARED)},
    {"MPICH-008", "mpich-4.2", 1, 41, INTRA("{\"algorithm=MPIDI_POSIX_mpi_reduce_release_gather\":{}}")},
    {"MPICH-007", "mpich-4.0", 1, 41, INTRA("{\"algorithm=MPIDI_POSIX_mpi_bcast_ipc_read\":{}}")},
    {"MPICH-007", "mpich-4.0", 1, 41, INTRA("{\"composition=MPIDI_Bcast_intra_composition_delta\":{}}")},
    {"MPICH-007", "mpich-4.0", 1, 120, INTRA("{\"count<=8\":" CH4("Bcast", "gamma") ",\"count=any\":" LEAF "}")},
    {"MPICH-008", "mpich-4.0", 1, 41, INTRA(CH4("Reduce", "gamma"))},
    {"MPICH-009", "mpich-4.0", 1, 41, INTRA("{\"count<=8\":" CH4("Bcast", "gamma") "}")},
    {"MPICH-015", "mpich-4.0", 1, 41, INTRA(CH4("Bcast", "alpha"))},
    {"MPICH-024", "mpich-4.0", 1, 92, INTRA("{\"composition=MPIDI_Bcast_intra_composition_gamma\":{\"k=2\":{}}}")},
    {"TUTTI-001", "tutti", 2, 1, "bcast/binomial bytes=..8\nbcast/unheard-of\n"},
    {"TUTTI-002", "tutti", 2, 1, "bcast/binomial\nbcast/linear ranks=..8\n"},
    {"TUTTI-003", "tutti", 1, 1, "allgather/two-process ranks=3..8\n"},
    {"TUTTI-004", "tutti", 1, 1, "bcast/binomial ranks=..8\n"},
    {"TUTTI-005", "tutti", 5, 1, "tutti-decision 1\ntree bcast\nlinear\n\ntree bcast\nbinomial\n"},
    {"TUTTI-006", "tutti", 6, 1,
     "tutti-decision 1\ntree bcast\nattribute bytes\nbytes <= 8 :\n|   bytes <= 16 : linear\n|   bytes > 16 : "
     "binomial\nbytes > 8 : binary\n"},
    {"TUTTI-007", "tutti", 2, 1, "tutti-decision 1\ntree bcast barrier\nbinomial\n"},
    {"NCCL-001", "nccl", 2, 1, "# x\nallreduce,0,1,ring,simple,1,1\n"},
    {"NCCL-002", "nccl", 1, 1, "AllReduce,0,1,ring,simple,1,1,2\n"},
    {"NCCL-003", "nccl", 1, 15, "allreduce,0,1,Ring,simple,1,1,2\n"},
    {"NCCL-004", "nccl", 1, 22, "allreduce,0,1, ring, LL,1,1,2\n"},
    {"NCCL-004", "nccl", 1, 20, "allreduce,0,1,ring,LL,1,1,2\n"},
    {"NCCL-005", "nccl", 1, 13, "allreduce,0,1k,ring,ll,1,1,2\n"},
    {"NCCL-005", "nccl", 1, 25, "allreduce,0,1,ring,ll,1,9999999999,2\n"},
    {"NCCL-006", "nccl", 2, 1, "\n# " LONG LONG LONG LONG "\n"},
    {"NCCL-007", "nccl", 1, 1, "allreduce,2,1,ring,ll,1,1,2\n"},
    {"NCCL-007", "nccl", 1, 1, "allreduce,0,1,ring,ll,1,4,2\n"},
    {"NCCL-008", "nccl", 2, 1, "allreduce,0,9,ring,ll,1,-1,-1\nallreduce,1,9,tree,ll,1,1,2\n"},
    {"NCCL-009", "nccl", 1, 1, "allreduce,0,9,ring,ll,1,-1,-1,-1,-1,7\n"},
    {"NCCLX-001", "ncclx", 1, 2, "{"},
    {"NCCLX-002", "ncclx", 1, 11, "{\"rules\": 1}"},
    {"NCCLX-003", "ncclx", 2, 1, "{\"rules\": [\n{\"filter\": {}}]}"},
    {"NCCLX-003", "ncclx", 1, 38, NCCLX("\"bcast\"", "\"ring\"")},
    {"NCCLX-003", "ncclx", 1, 73, NCCLX("\"reduce\"", "\"rings\"")},
    {"NCCLX-003", "ncclx", 1, 58, NCCLX("\"reduce\", \"nNodes\": \"(2,1]\"", "\"ring\"")},
    {"NCCLX-003", "ncclx", 1, 93, NCCLX("\"reduce\"", "\"ring\", \"channels\": [4]")},
    {"NCCLX-004", "ncclx", 1, 12, NCCLX("\"reduce\", \"nNodes\": 0", "\"ring\"")},
    {"NCCLX-005", "ncclx", 2, 1,
     "{\"rules\": [{\"filter\": {\"collective\": \"reduce\"}, \"config\": {\"algorithm\": \"ring\", \"protocol\": "
     "\"ll\"}},\n"
     "{\"filter\": {\"collective\": \"reduce\", \"nNodes\": 2}, \"config\": {\"algorithm\": \"ring\", \"protocol\": "
     "\"ll\"}}]}"},
};

enum { BADS = sizeof bads / sizeof *bads };

static tutti_findings lint(const char *target, const char *text, size_t length)
{
  tutti_findings findings = {0};
  tutti_library_version version;
  assert_int_equal(tutti_library_version_parse(target, &version, &error), TUTTI_OK);
  SCRATCH_FILE(file, "file", text);
  FREED_BY(free_memory) char *exact = malloc(length + !length); /* no zero after it */
  memcpy(exact, text, length);
  tutti_lint_text(exact, length, file.path, &version, &findings);
  return findings;
}

static const tutti_finding *find(const tutti_findings *findings, const char *code)
{
  for (size_t i = 0; i < findings->count; i++)
    if (strcmp(findings->items[i].code->name, code) == 0)
      return &findings->items[i];
  return NULL;
}

TEST(test_every_code_is_found)
{
  int wrong = 0;
  for (int i = 0; i < BADS; i++) {
    tutti_findings findings = lint(bads[i].target, bads[i].text, strlen(bads[i].text));
    const tutti_finding *found = find(&findings, bads[i].code);
    if (!found)
      print_error("%s is not found in: %s\n", bads[i].code, bads[i].text);
    else if (found->line != bads[i].line || found->column != bads[i].column)
      print_error("%s at %d:%d, not %d:%d in: %s\n", bads[i].code, found->line, found->column, bads[i].line,
                  bads[i].column, bads[i].text);
    wrong += !found || found->line != bads[i].line || found->column != bads[i].column;
    tutti_findings_free(&findings);
  }
  assert_int_equal(wrong, 0);
}

/* A wrong count hides what follows from it, and notes, but no fault before it; further wrong counts are numbered. */
TEST(test_wrong_counts)
{
  static const char wrong[] = "1\n7\n2\n4\n1\n0 99 0 0\n8\n3\n0 1 0 0\n8 1 5 0\n16\n4\n0 1 0 0\n";
  static const char later[] = "1\n7\n2\n4\n1\n0 99 0 0\n8\n3\n0 1 0 0\n8 1 5 0\n";
  FREED_BY(tutti_findings_free) tutti_findings first = lint("openmpi-4.1", wrong, strlen(wrong));
  FREED_BY(tutti_findings_free) tutti_findings second = lint("openmpi-4.1", later, strlen(later));
  assert_int_equal(first.count, 1);
  assert_string_equal(first.items[0].message,
                      "the count says 2 communicator sizes, 3 follow; 2 further counts are wrong, too");
  assert_int_equal(second.count, 2);
  assert_string_equal(second.items[0].code->name, "OMPI-007");
  assert_string_equal(second.items[1].message, "the count says 3 rules, 2 follow");
}

/* An algorithm that is not known is of no other collective. */
TEST(test_one_fault_is_said_once)
{
  static const char text[] = INTRA("{\"algorithm=MPIR_Foo\":{}}");
  FREED_BY(tutti_findings_free) tutti_findings findings = lint("mpich-4.0", text, strlen(text));
  assert_non_null(find(&findings, "MPICH-007"));
  assert_null(find(&findings, "MPICH-008"));
}

/* MPICH-018 is about the length of a file. */
TEST(test_every_code_has_a_file)
{
  const tutti_lint_code *code;
  for (size_t i = 0; (code = tutti_lint_code_at(i)); i++) {
    bool has = strcmp(code->name, "MPICH-018") == 0;
    for (int b = 0; b < BADS; b++)
      has = has || strcmp(bads[b].code, code->name) == 0;
    if (!has)
      print_error("no bad file for %s\n", code->name);
    assert_true(has);
    assert_true(*code->title && *code->effect && *code->remedy);
  }
}

TEST(test_codes_are_unique)
{
  const tutti_lint_code *code, *other;
  for (size_t i = 0; (code = tutti_lint_code_at(i)); i++)
    for (size_t j = 0; j < i && (other = tutti_lint_code_at(j)); j++)
      assert_string_not_equal(code->name, other->name);
}

TEST(test_page)
{
  char text[4097];
  for (int length = 4095; length <= 4096; length++) {
    memset(text, ' ', sizeof text);
    text[0] = '{';
    text[1] = '}';
    text[length] = '\0';
    tutti_findings findings = lint("mpich-4.0", text, (size_t)length);
    assert_true(!find(&findings, "MPICH-018") == (length == 4095));
    tutti_findings_free(&findings);
  }
}

/* The file that the formats' page calls minimal and valid, and what a version knows and another does not. */
#define ON    "export OMPI_MCA_coll_tuned_use_dynamic_rules=1\n"
#define BCAST "OMPI_MCA_coll_tuned_bcast_algorithm"

TEST(test_silence)
{
  static const struct {
    const char *target, *text;
  } good[] = {
      {"openmpi-4.1", "1 # one\n2 # allreduce\n2\n0\n1\n0 0 0 0 # fixed\n64\n2\n0 3 0 0\n8192 5 0 65536\n"},
      {"openmpi-4.1.8", "rule-file-version-2\n1 3 1 0 1\n0 4 0 0 8\n"},
      {"openmpi-5.0.7", "rule-file-version-2\n1 3 1 0 1\n0 4 0 0 8\n"},
      {"openmpi-5", "1 0 1 0 1\n0 7 0 0\n"},
      {"openmpi-6", JSON("{\"alg\":\"binomial\",\"msg_size_max\":\"inf\"}")},
      {"openmpi-6", JSON("{\"alg\":\"Binomial\",\"msg_size_max\":9,},{\"alg\":\"6\"},")},
      {"openmpi-6", "{\"collectives\":{\"allgather\":[{\"rules\":[{\"alg\":2,\"faninout\":2}]}]}}"},
      {"openmpi-4.1", "1 3 2 2 1\n0 5 0 0\n3 1\n0 2 0 0\n"},
      {"openmpi-4.1", "2 # two\n7\n1\n2\n1\n1\n2\n0 han\n1000 tuned [64 128]\nreduce\n1\n2\n1\n1\n1\n0 libnbc\n"},
      {"openmpi-4.1", "# site\n" TUNED_ON "coll_tuned_bcast_algorithm = Binomial\nbtl = self, vader\n"},
      {"openmpi-4.1", "module load x\nexport OMPI_MCA_coll_tuned_use_dynamic_rules=1\n"},
      {"mpich-4.0", "export MPIR_CVAR_BCAST_INTRA_ALGORITHM=smp # nodes\nMPIR_CVAR_GATHERV_INTRA_ALGORITHM=linear\n"},
      {"mpich-4.0", "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=nb\nMPIR_CVAR_BCAST_INTER_ALGORITHM=auto\necho\n"},
      {"openmpi-4.1",
       "===\nheader:\n  version: 1.0\n\nbcast: # x\n  if pow_two:\n    default\n  else:\n    a(s=1), b-c\n"},
      {"openmpi-5", HAN("global_communicator", "1", "1", "0 sm")},
      {"openmpi-5", HAN("0", "1", "1", "0 sm")},
      {"openmpi-6", HAN("2", "1", "1", "0 han@simple")},
      {"openmpi-6", HAN("0", "1", "1", "0 xhc")},
      {"mpich-4.2", INTRA("{\"is_multi_threaded=no\":" SHARED "}")},
      {"mpich-4.2", INTRA("{\"avg_msg_size<=8\":{\"comm_type=inter\":" SHARED "},"
                          "\"avg_msg_size=any\":{\"is_multi_threaded=no\":" SHARED "}}")},
      {"mpich-4.0", INTRA("{\"comm_hierarchy=parent\":" CH4("Bcast", "alpha") "}")},
      {"mvapich2", FLAT "MV2_ALLTOALL_TUNING=0:0-1023,3:1024-+\n"},
      {"tutti", "bcast/linear bytes=..8\nbcast/binomial\n"},
      {"openmpi-4.1", ON "mpirun --mca coll_tuned_bcast_algorithm 6 ./a\nmpirun --mca coll_tuned_bcast_algorithm 5 "
                         "./a\n"},
      {"openmpi-4.1", ON "export " BCAST "=6\nmpirun ./a\nexport " BCAST "=5\nmpirun ./a\n"},
      {"openmpi-4.1", ON BCAST "=6 ./a\nunset " BCAST "\nexport " BCAST "=5\n"},
      {"openmpi-4.1", ON "if x; then\n export " BCAST "=6\nelse\n export " BCAST "=5\nfi\n./a\n"},
      {"openmpi-4.1", ON "export " BCAST "=4\nexport -n " BCAST "\nexport " BCAST "=5\nexport " BCAST "=\n./a\n"},
      {"openmpi-4.1", "env -u " BCAST " OMPI_MCA_coll_tuned_use_dynamic_rules=1 " BCAST "=5 mpirun ./a\n"},
      {"openmpi-4.1", "#!/bin/csh\nmodule load coll_x\nsetenv OMPI_MCA_coll_tuned_use_dynamic_rules 1\nsetenv " BCAST
                      " 6\nmpirun a\nunsetenv " BCAST "\nsetenv " BCAST " 5\nmpirun a\n"},
      {"openmpi-4.1", ON "bash -c '" BCAST "=5 mpirun ./a'\ncoll_tuned_bcst_algorithm=2\n"},
      {"openmpi-4.1", "#%Module\nsetenv OMPI_MCA_coll_tuned_use_dynamic_rules true\nsetenv " BCAST " 5\n"},
      {"openmpi-4.1", "setenv(\"OMPI_MCA_coll_tuned_use_dynamic_rules\", \"true\")\nsetenv(\"" BCAST "\", \"5\")\n"},
      {"openmpi-4.1", ON "for a in 1 2; do\n  mpirun --mca coll_tuned_bcast_algorithm $a ./a\ndone\n"},
      {"mpich-4.0", "flux run --env=MPIR_CVAR_BCAST_INTRA_ALGORITHM=${A:-tree} ./a\n"},
      {"mpich-4.0", "srun --export=ALL,MPIR_CVAR_BCAST_INTRA_ALGORITHM=smp,A=1 ./a\n"},
  };
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    tutti_findings findings = lint(good[i].target, good[i].text, strlen(good[i].text));
    for (size_t f = 0; f < findings.count; f++)
      if (findings.items[f].code->severity != TUTTI_NOTE) {
        print_error("%s: %s in: %s\n", findings.items[f].code->name, findings.items[f].message, good[i].text);
        fail();
      }
    tutti_findings_free(&findings);
  }
}

TEST(test_versions)
{
  static const char *const known[] = {"openmpi-4.0", "openmpi-4.1.4", "openmpi-5", "openmpi-6", "mpich-4.3", "tutti"};
  static const char *const unknown[] = {"openmpi-3",   "openmpi-7", "mpich-3.4", "openmpi-", "openmpi-4.1.4.4",
                                        "openmpi-4.x", "tutti-1",   "msmpi",     ""};
  tutti_library_version version;
  char text[40];
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    assert_int_equal(tutti_library_version_parse(known[i], &version, &error), TUTTI_OK);
    assert_string_equal(tutti_library_version_format(&version, text), known[i]);
  }
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
    assert_int_equal(tutti_library_version_parse(unknown[i], &version, &error), TUTTI_ERR_ARGUMENT);
}

static bool is_within(const struct tutti_box *inner, const struct tutti_box *outer)
{
  for (int s = 0; s < TUTTI_BOX_SIDES; s++)
    if (inner->sides[s][0] < outer->sides[s][0] || inner->sides[s][1] > outer->sides[s][1])
      return false;
  return true;
}

/* As if each box were compared with all before it. */
TEST(test_hiding)
{
  enum { MOST = 300 };
  struct tutti_box boxes[MOST] = {0};
  uint64_t seed = 1;
  size_t hidden = 0;
  for (size_t count = 0; count < MOST; count++) {
    for (size_t i = 0; i < count; i++)
      for (int s = 0; s < TUTTI_BOX_SIDES; s++) {
        const uint64_t begin = (seed = tutti_splitmix64(seed)) % 6;
        boxes[i].sides[s][0] = begin;
        boxes[i].sides[s][1] = begin == 5 ? UINT64_MAX : begin + seed / 8 % 3;
      }
    size_t *hiding = tutti_tuning_hiding(boxes, count);
    for (size_t i = 0; i < count; i++) {
      size_t first = 0;
      while (first < i && !is_within(&boxes[i], &boxes[first]))
        first++;
      assert_int_equal(hiding[i], first);
      hidden += first < i;
    }
    free(hiding);
  }
  assert_true(hidden > 1000);
}

/* Rules for sizes that do not overlap, in disorder, and one that hides the last. */
static void lint_many(const char *target, const char *code, const char *head, const char *format, const char *end)
{
  enum { MANY = UNLESS_WATCHED(100003, 10007) };
  FREED_BY(free_memory) char *text = NULL;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  tutti_library_version version;
  FREED_BY(tutti_findings_free) tutti_findings findings = {0};
  assert_non_null(stream);
  fputs(head, stream);
  for (uint64_t i = 0; i < MANY; i++)
    fprintf(stream, format, i * 7919 % MANY * 8, i * 7919 % MANY * 8 + 7);
  fputs(end, stream);
  assert_int_equal(fclose(stream), 0);
  limit_processor_time(8);
  assert_int_equal(tutti_library_version_parse(target, &version, REASON), TUTTI_OK);
  SCRATCH_FILE(file, "many", text);
  assert_int_equal(tutti_lint_file(file.path, &version, &findings, REASON), TUTTI_OK);
  assert_int_equal(findings.count, 1);
  assert_string_equal(findings.items[0].code->name, code);
}

TEST(test_many_rules)
{
  lint_many("openmpi-6", "OMPI-110", "{\"collectives\":{\"bcast\":[{\"rules\":[",
            "{\"msg_size_min\":%" PRIu64 ",\"msg_size_max\":%" PRIu64 ",\"alg\":6},",
            "{\"alg\":6},{\"msg_size_min\":1,\"msg_size_max\":7,\"alg\":6}]}]}}");
  lint_many("tutti", "TUTTI-002", "", "bcast/linear bytes=%" PRIu64 "..%" PRIu64 "\n",
            "bcast/linear\nbcast/linear bytes=1..7\n");
}

/* More findings than are kept, which go forth and back, in files of many lines and of one. */
TEST(test_many_findings)
{
  static const struct {
    const char *target, *head, *piece, *end;
  } files[] = {
      {"tutti", "tutti-decision 1\n", "tree bcast\nattribute bytes\nlinear\n\n", ""},
      {"openmpi-6", "{\"collectives\":{\"bcast\":[", "{\"rules\":[{\"msg_size_max\":7,\"alg\":6}]},\n",
       "{\"rules\":[]}]}}"},
      {"openmpi-6", "{\"collectives\":{\"bcast\":[", "{\"rules\":[{\"msg_size_max\":7,\"alg\":6}]},",
       "{\"rules\":[]}]}}"},
  };
  limit_processor_time(20);
  for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    fputs(files[f].head, stream);
    for (int i = 0; i < 100000; i++)
      fputs(files[f].piece, stream);
    fputs(files[f].end, stream);
    assert_int_equal(fclose(stream), 0);
    tutti_findings findings = lint(files[f].target, text, length);
    assert_int_equal(findings.count, TUTTI_MAX_FINDINGS);
    if (f == 1) { /* of each block two: it is hidden, and has a gap; the first is not hidden */
      assert_int_equal(findings.items[9999].line, 5001);
      assert_int_equal(findings.items[9999].column, 1);
    }
    tutti_findings_free(&findings);
    free(text);
  }
}
