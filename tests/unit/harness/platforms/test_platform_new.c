/* New platform files are read again as they were asked for, without findings; what cannot be written is refused. */
#include "tutti/platform.h"
#include "unit/base/scratch_file.h"
#include "unit/test.h"

static tutti_machine machine(tutti_machine_kind kind, const char *shape)
{
  tutti_machine machine = tutti_machine_default();
  machine.kind = kind;
  machine.shape = shape;
  machine.latency = 1.5e-6;
  machine.bandwidth = 25e9;
  return machine;
}

static char *write_new(const tutti_machine *machine)
{
  char *text = NULL;
  size_t length;
  tutti_machine_made made;
  FILE *stream = open_memstream(&text, &length);
  assert_non_null(stream);
  if (tutti_platform_new(machine, stream, &made, REASON) != TUTTI_OK)
    fail_msg("%s: %s", machine->shape, error.message);
  fclose(stream);
  return text;
}

static const struct {
  tutti_machine_kind kind;
  const char *shape;
  int ranks, nics, hosts, ranks_of_host;
  const char *says;
} written[] = {
    {TUTTI_MACHINE_CLUSTER, "64", 1, 1, 64, 1, "maxmin/concurrency-limit"},
    {TUTTI_MACHINE_CLUSTER, "64", 4, 1, 64, 4, "core=\"4\""},
    {TUTTI_MACHINE_CLUSTER, "64", 4, 2, 64, 4, "topo_parameters=\"1;64;1;2\""},
    {TUTTI_MACHINE_FAT_TREE, "32x18/2", 4, 1, 576, 4, "topo_parameters=\"2;32,18;1,16;1,1\""},
    {TUTTI_MACHINE_FAT_TREE, "32x18/2", 4, 4, 576, 4, "topo_parameters=\"2;32,18;1,64;4,1\""},
    {TUTTI_MACHINE_FAT_TREE, "4x4x4", 1, 1, 64, 1, "topo_parameters=\"3;4,4,4;1,4,4;1,1,1\""},
    {TUTTI_MACHINE_TORUS, "4x4x2", 2, 1, 32, 2, "topology=\"TORUS\" topo_parameters=\"4,4,2\""},
    {TUTTI_MACHINE_DRAGONFLY, "8x16x4", 8, 1, 512, 8, "topo_parameters=\"8,1;1,1;16,1;4\""},
    {TUTTI_MACHINE_DRAGONFLY, "8x16x4", 8, 4, 2048, 2, "topo_parameters=\"8,1;1,1;16,1;16\""},
    {TUTTI_MACHINE_DRAGONFLY_PLUS, "4x3x2", 2, 1, 24, 2, "<link id=\"g0_g3\""},
    {TUTTI_MACHINE_DRAGONFLY_PLUS, "4x3x2", 2, 2, 24, 2,
     "bb_bw=\"2.5e+10Bps\" bb_lat=\"0us\" bb_sharing_policy=\"FATPIPE\""},
    {TUTTI_MACHINE_DRAGONFLY_PLUS, "1x1x2", 1, 1, 2, 1, "g0_l0"},
};

TEST(new_files_are_read)
{
  for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
    tutti_platform platform;
    tutti_machine asked = machine(written[i].kind, written[i].shape);
    asked.ranks_per_node = written[i].ranks;
    asked.nics = written[i].nics;
    char *text = write_new(&asked), *again = write_new(&asked);
    SCRATCH_FILE(file, "new.xml", text);
    if (tutti_platform_read(file.path, &platform, REASON) != TUTTI_OK)
      fail_msg("%zu: %s", i, error.message);
    if (platform.finding_count > 0)
      fail_msg("%zu: %s", i, platform.findings[0].message);
    assert_string_equal(text, again);
    assert_int_equal(platform.host_count, written[i].hosts);
    assert_int_equal(platform.ranks_per_node, written[i].ranks_of_host);
    assert_int_equal(platform.hosts_per_node, written[i].ranks / written[i].ranks_of_host);
    assert_true(platform.published_alpha == 1.5e-6 && fabs(platform.published_beta * 25e9 - 1) < 1e-12);
    if (!strstr(text, written[i].says))
      fail_msg("%zu: no '%s' in %s", i, written[i].says, text);
    tutti_platform_free(&platform);
    free(text);
    free(again);
  }
}

TEST(texts_are_escaped)
{
  FREED_BY(tutti_platform_free) tutti_platform platform;
  tutti_machine asked = machine(TUTTI_MACHINE_CLUSTER, "4");
  asked.description = "\"ours\" & <yours>";
  asked.source = "measured";
  FREED_BY(free_memory) char *text = write_new(&asked);
  SCRATCH_FILE(file, "new.xml", text);
  assert_int_equal(tutti_platform_read(file.path, &platform, REASON), TUTTI_OK);
  assert_string_equal(platform.description, asked.description);
  assert_string_equal(platform.source, "measured");
}

static void refuse(tutti_machine asked, const char *message)
{
  FREED_BY(free_memory) char *text = NULL;
  size_t length;
  tutti_machine_made made;
  FILE *stream = open_memstream(&text, &length);
  assert_int_equal(tutti_platform_new(&asked, stream, &made, REASON), TUTTI_ERR_ARGUMENT);
  fclose(stream);
  if (!strstr(error.message, message))
    fail_msg("'%s' is not in: %s", message, error.message);
  assert_int_equal(length, 0);
}

TEST(impossible_machines_are_refused)
{
  refuse(machine(TUTTI_MACHINE_CLUSTER, "4x4"), "'4x4' does not describe a cluster");
  refuse(machine(TUTTI_MACHINE_CLUSTER, "1"), "2 to 1048576 nodes");
  refuse(machine(TUTTI_MACHINE_FAT_TREE, "4x"), "'4x' does not describe a fat-tree");
  refuse(machine(TUTTI_MACHINE_DRAGONFLY, "4x4"), "'4x4' does not describe a dragonfly");
  refuse(machine(TUTTI_MACHINE_DRAGONFLY, "5x4x2"), "at least as many routers as groups");
  refuse(machine(TUTTI_MACHINE_DRAGONFLY_PLUS, "8"), "'8' does not describe a dragonfly+");
  refuse(machine(TUTTI_MACHINE_CLUSTER, "1048577"), "1048577: a machine has 2 to 1048576 nodes");
  refuse(machine(TUTTI_MACHINE_TORUS, "1024x1024x16"), "'1024x1024x16' describes a torus of more than 1048576 nodes");
  refuse(machine(TUTTI_MACHINE_TORUS, "2000000x2000000x2000000x2000000"),
         "describes a torus of more than 1048576 nodes");
  refuse(machine(TUTTI_MACHINE_FAT_TREE, "2048x1024"), "describes a fat-tree of more than 1048576 nodes");
  refuse(machine(TUTTI_MACHINE_DRAGONFLY, "128x128x128"), "128x128x128: a machine has 2 to 1048576 nodes");
  refuse(machine(TUTTI_MACHINE_DRAGONFLY_PLUS, "2147483647x2147483647x2147483647"), "2 to 1048576 nodes");
  tutti_machine asked = machine(TUTTI_MACHINE_TORUS, "4x4");
  asked.nics = 2;
  refuse(asked, "a node of a torus has a cable in every direction");
  asked = machine(TUTTI_MACHINE_DRAGONFLY, "4x4x2");
  asked.nics = 2;
  refuse(asked, "1 ranks a node on 2 network cards");
  asked = machine(TUTTI_MACHINE_FAT_TREE, "4x4");
  asked.hop_latency = 1e-6;
  refuse(asked, "a latency of 1.5 us is less than the 2 links of 1 us");
  asked = machine(TUTTI_MACHINE_FAT_TREE, "4x4");
  asked.ranks_per_node = 2;
  asked.loopback_latency = 1e-6;
  refuse(asked, "messages within a node take 1.3");
  asked = machine(TUTTI_MACHINE_CLUSTER, "4");
  asked.latency = NAN;
  refuse(asked, "the latency and the bandwidth");
  asked = machine(TUTTI_MACHINE_CLUSTER, "4");
  asked.source = "two\nlines";
  refuse(asked, "the source is not one line");
}

static void read_pingpong(const char *text, tutti_status status, const char *message)
{
  tutti_machine fitted = tutti_machine_default();
  SCRATCH_FILE(file, "pingpong", text);
  assert_int_equal(tutti_machine_read_pingpong(file.path, &fitted, &(tutti_machine_fit){0}, REASON), status);
  if (status != TUTTI_OK) {
    assert_non_null(strstr(error.message, message));
    return;
  }
  assert_true(fabs(fitted.latency - 2e-6) < 1e-12);
  assert_true(fabs(fitted.bandwidth - 1e9) < 1);
}

TEST(pingpongs_are_fitted)
{
  read_pingpong("# OSU MPI Latency Test v7.3\n# Size  Latency (us)\n0 2.00\n1000   3.00\n1000000 1002\n", TUTTI_OK,
                NULL);
  read_pingpong("0: # Size  Latency (us)\n 0: 0 2.00\n0: 1000   3.00\n[1,0]<stdout>:1000000 1002\n", TUTTI_OK, NULL);
  read_pingpong("#bytes #repetitions t[usec] Mbytes/sec\n  0 1000 2.00 0.00\n 1000 1000 3.0 333\n", TUTTI_OK, NULL);
  read_pingpong("tutti-pingpong v=1 bytes=0 time_s=2e-06\ntutti-pingpong v=1 bytes=1000 time_s=3e-06\n"
                "tutti-pingpong-fit v=1 alpha_s=2e-06 beta_s_per_B=1e-09\ntutti-end v=1 measurements=2\n",
                TUTTI_OK, NULL);
  read_pingpong("0 2\nmany 3\n", TUTTI_ERR_ARGUMENT, "pingpong:2: expected a size in bytes");
  read_pingpong("0 2\n8 -3\n", TUTTI_ERR_ARGUMENT, "pingpong:2: half a round trip is above 0");
  read_pingpong("8 3\n", TUTTI_ERR_ARGUMENT, "1 size with half a round trip do not give");
  read_pingpong("", TUTTI_ERR_ARGUMENT, "0 sizes");
  read_pingpong("tutti-pingpong v=1 bytes=0 time_s=1e-320\ntutti-pingpong v=1 bytes=8 time_s=1e-6\n",
                TUTTI_ERR_ARGUMENT, "2 sizes with half a round trip do not give");
  read_pingpong("tutti-pingpong v=1 bytes=0 time_s=inf\ntutti-pingpong v=1 bytes=8 time_s=1e-6\n", TUTTI_ERR_ARGUMENT,
                "do not give");
}

TEST(the_worst_time_of_a_fit_is_told)
{
  tutti_machine fitted = tutti_machine_default();
  tutti_machine_fit fit;
  SCRATCH_FILE(file, "pingpong", "0 2\n1000 3\n8000 5\n1000000 1002\n");
  assert_int_equal(tutti_machine_read_pingpong(file.path, &fitted, &fit, NULL), TUTTI_OK);
  assert_int_equal(fit.sizes, 4);
  assert_int_equal(fit.bytes, 1000000); /* the message of 8000 bytes took half as long as by the others */
  assert_true(fabs(fit.error - ((fitted.latency + 1e6 / fitted.bandwidth) / 1002e-6 - 1)) < 1e-9 && fit.error < -0.4);
}
