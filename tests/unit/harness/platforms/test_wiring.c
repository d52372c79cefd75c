/* Files of other programs that list nodes and switches: what is read of them, and what is passed over. */
#include <math.h>

#include "harness/platforms/wiring.h"
#include "unit/base/scratch_file.h"
#include "unit/test.h"

#define PORT(number, kind, guid, name, rate)                                                                           \
  "[" number "]\t\"" kind "-" guid "\"[1](" guid ") \t\t# \"" name "\" lid 7 " rate "\n"
#define SWITCH(guid)                                                                                                   \
  "\nvendid=0x2c9\nswitchguid=0x1(1)\nSwitch\t36 \"S-" guid "\"\t\t# \"s" guid "\" enhanced port 0 lid 1\n"

static const struct {
  const char *text, *summary, *nodes, *levels, *shape; /* shape "": none */
  int passed;
} files[] = {
    {"# switches\nSwitchName=top Switches=l[0-1]\nSwitchName=l0 Nodes=n[1-2]\nSwitchName=l1 Nodes=n[3-4] LinkSpeed=9\n",
     "4 nodes at 2 switches of 2 nodes, 1 switch of 4 nodes", "n[1-4]", "2", "2x2", 0},
    {"switchname=a nodes=n[09-10],m\r\nSwitchName=b Nodes=x[1-2]y[01,3] \\\n LinkSpeed=1\n",
     "7 nodes at 2 switches, 1 switch of 7 nodes", "n[09-10],m,x1y01,x1y3,x2y01,x2y3", "", "", 0},
    /* the order of the file does not matter: leaves follow their switch */
    {"SwitchName=l1 Nodes=c,d\nSwitchName=l0 Nodes=a,b\nSwitchName=l2 Nodes=e,f\nSwitchName=l3 Nodes=g,h\n"
     "SwitchName=p Switches=l0,l2\nSwitchName=q Switches=l1,l3\nSwitchName=top Switches=q,p\n",
     "8 nodes at 4 switches of 2 nodes, 2 switches of 4 nodes, 1 switch of 8 nodes", "a,b,e,f,c,d,g,h", "2,4", "2x2x2",
     0},
    /* even leaves below uneven switches */
    {"SwitchName=t Switches=p,q\nSwitchName=p Switches=a\nSwitchName=q Switches=b,c\nSwitchName=a Nodes=n[1-2]\n"
     "SwitchName=b Nodes=n[3-4]\nSwitchName=c Nodes=n[5-6]\n",
     "6 nodes at 3 switches of 2 nodes, 2 switches, 1 switch of 6 nodes", "n[1-6]", "2", "", 0},
    /* rows that are not understood */
    {"SwitchName=a Nodes=n[1-\nSwitchName=a Nodes=n[3-4] Colour=red\nInclude other.conf\nNodes=z\nSwitchName=b "
     "Nodes=n4,n5\n"
     "SwitchName=c Nodes=n9,n[7-6]\nSwitchName=d Nodes=ALL\n",
     "3 nodes at 2 switches, 1 switch of 3 nodes", "n[3-5]", "", "", 7},
    {"SwitchName=a Switches=b Nodes=n1\nSwitchName=b Switches=a Nodes=n2\n",
     "2 nodes at 1 switch of 1 node, 1 switch of 2 nodes", "n[1-2]", "", "", 1},
    /* blocks; sizes that a multiple of them has make larger ones */
    {"BlockName=b1 Nodes=n[1-4]\nBlockName=b2 Nodes=n[5-8]\nBlockName=b3 Nodes=n[9-12]\nBlockName=b4 Nodes=n[13-16]\n"
     "BlockSizes=4,8\n",
     "16 nodes at 4 switches of 4 nodes, 2 switches of 8 nodes, 1 switch of 16 nodes", "n[1-9],n[10-16]", "4,8",
     "4x2x2", 0},
    /* topology.yaml */
    {"---\n- topology: one\n  cluster_default: true\n  tree:\n    switches:\n      - switch: top\n        children: "
     "l[0-1]\n"
     "      - switch: l0\n        nodes: \"n[1-2]\"  # left\n      - switch: l1\n        nodes: n[3-4]\n        "
     "colour: red\n"
     "- topology: two\n  flat: true\n",
     "4 nodes at 2 switches of 2 nodes, 1 switch of 4 nodes", "n[1-4]", "2", "2x2", 2},
    {"\xef\xbb\xbfSwitchName=a Nodes=n[1-2]\n", "2 nodes at 1 switch of 2 nodes", "n[1-2]", "", "2", 0},
    {"- topology: b\n  block:\n    block_sizes:\n      - 2\n      - 4\n    blocks:\n      - block: x\n        nodes: "
     "n[1-2]\n"
     "      - block: y\n        nodes: n[3-4]\n",
     "4 nodes at 2 switches of 2 nodes, 1 switch of 4 nodes", "n[1-4]", "2", "2x2", 0},
    {"- topology: t\n  tree:\n    switches:\n      - switch: l0\n        nodes: n1,n2\n      - nodes: n3\n        "
     "switch: l1\n"
     "        nodes: n4\n",
     "4 nodes at 2 switches of 2 nodes, 1 switch of 4 nodes", "n[1-4]", "2", "2x2", 0},
    {"- tree:\n    switches:\n    - children: [\"l[0-1]\"]\n      switch: top\n    - {nodes: \"n[1-2]\", switch: l0}\n "
     "   - "
     "nodes:\n      - n3\n      - n4\n      switch: l1\n  topology: t\n",
     "4 nodes at 2 switches of 2 nodes, 1 switch of 4 nodes", "n[1-4]", "2", "2x2", 0},
    {"- topology: p\n  flat: true\n- topology: t\n  tree:\n    switches:\n    - switch: l\n      nodes: n[1-2]\n",
     "2 nodes at 1 switch of 2 nodes", "n[1-2]", "", "2", 1},
    {"- topology: p\n  flat:\n    alpha_step_rank: true\n    nodes: n[1-3]\n", "3 nodes at 1 switch of 3 nodes",
     "n[1-3]", "", "3", 0},
    /* ibnetdiscover: two leaves with two spines between them */
    {"#\n# Topology file\n#\n" SWITCH("01") PORT("1", "H", "a1", "n1 mlx5_0", "4xEDR")
         PORT("2", "H", "a2", "n2 mlx5_0", "4xEDR") PORT("3", "S", "03", "spine", "4xEDR") PORT(
             "4", "S", "04", "spine", "4xEDR") PORT("5", "H", "af", "Mellanox Technologies Aggregation Node", "4xEDR")
             SWITCH("02") PORT("1", "H", "b1", "MT4129 ConnectX7   Mellanox Technologies", "4xEDR")
                 PORT("2", "H", "b2", "n1 mlx5_0", "4xEDR")
                     PORT("3", "S", "03", "spine", "4xEDR") "[4]\t\"S-04\"\n" SWITCH("03")
                         PORT("1", "S", "01", "l", "4xEDR") SWITCH("04")
                             PORT("1", "S", "01", "l",
                                  "4xEDR") "\ncaguid=0xa1\nCa\t1 \"H-a1\"\t\t# \"n1 mlx5_0\"\n[1](a1) \t\"S-01\"[1]\n"
                                           "hello\n",
     "4 nodes at 2 switches of 2 nodes, 1 switch of 4 nodes", "n1_mlx5_0,n2_mlx5_0,H-b1,n1_mlx5_0_H-b2", "2", "", 3},
    {"<?xml version=\"1.0\"?>\n<topology version=\"2.0\"><object type=\"Machine\"><object type=\"Package\"><object "
     "type=\"Core\"/>"
     "</object><object type=\"Package\"><object type=\"Core\"/><object type=\"OSDev\" "
     "osdev_type=\"3\"/></object></object>"
     "</topology>",
     "2 nodes at 1 switch of 2 nodes", "socket[0-1]", "", "2", 0},
    {"SwitchName=a Nodes=n1\n", "1 node at 1 switch of 1 node", "n1", "", "1", 0},
};

TEST(wirings_are_read)
{
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    FREED_BY(tutti_passed_free) tutti_passed passed = {.strict = false};
    tutti_wiring *wiring;
    SCRATCH_FILE(file, "topology", files[i].text);
    if (tutti_wiring_read(file.path, &passed, &wiring, REASON) != TUTTI_OK)
      fail_msg("file %zu: %s", i, error.message);
    FREED_BY(free_memory)
    char *summary = tutti_wiring_summary(wiring), *nodes = tutti_wiring_nodes(wiring),
         *levels = tutti_wiring_levels(wiring), *shape = tutti_wiring_shape(wiring);
    if (strcmp(summary, files[i].summary) != 0 || strcmp(nodes, files[i].nodes) != 0 ||
        strcmp(levels, files[i].levels) != 0 || strcmp(shape ? shape : "", files[i].shape) != 0 ||
        passed.count != (uint64_t)files[i].passed)
      fail_msg("file %zu: %s; %s; levels %s; shape %s; %d passed over", i, summary, nodes, levels,
               shape ? shape : "none", (int)passed.count);
    tutti_wiring_free(wiring);
  }
}

static const struct {
  const char *text, *reason;
  bool strict;
} refused[] = {
    {"hello\n", ": none of topology.conf and topology.yaml of Slurm", false},
    {"", ": none of topology.conf", false},
    {"SwitchName=a Colour=red\n", ": no node is understood, all rows are passed over", false},
    {"SwitchName=a Nodes=n1\nSwitchName=b Nodes=n[2\n", ":2: a list of names that is not understood: n[2", true},
    {"SwitchName=a Nodes=n[0-2000000]\n", ":1: more than 1048576 nodes", false},
    {"---\n- topology: p\n  flat: true\n",
     ":2: topology 'p' is flat and names no nodes: tutti platform new cluster NODES makes as many", false},
    {"- topology: p\n  flat:\n    alpha_step_rank: true\n- topology: q\n  flat: True\n", ":1: topology 'p' is flat",
     false},
    {"- topology: p\n  flat: true\n- tree:\n    switches: [{switch: s}]\n", ": no node is understood", false},
    {"flat: true\n", ":1: topology '' is flat", false},
    {"SwitchName=a Switches=b\n", ": it names no nodes", false},
    {"- tree:\n    switches:\n    - {\n", ":4: malformed YAML: ", false},
    {"- tree:\n    switches: [[[[[[[[[[[[[[[[[[[[\n", ":2: more than 16 lists and mappings in another", false},
    {"- &a\n  switches: [*a, *a]\n", ": too many parts, or too deep", false},
    {"<topology><object type=\"Machine\"/><object type=\"Machine\"/></topology>", ": 2 machines", false},
};

TEST(other_files_are_called_so)
{
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    FREED_BY(tutti_passed_free) tutti_passed passed = {.strict = refused[i].strict};
    tutti_wiring *wiring;
    SCRATCH_FILE(file, "topology", refused[i].text);
    assert_int_equal(tutti_wiring_read(file.path, &passed, &wiring, REASON), TUTTI_ERR_ARGUMENT);
    if (!strstr(error.message, refused[i].reason))
      fail_msg("file %zu: %s", i, error.message);
    assert_null(wiring);
  }
}

/* A machine needs two nodes; what is said of one goes with a number of them, if it says anything. */
TEST(one_node_is_no_machine)
{
  static const char *const alone[][2] = {
      {"SwitchName=a Nodes=n1\n", "one node, and a machine has two or more: tutti platform new cluster 4 makes 4"},
      {"<topology><object type=\"Machine\"><object type=\"Core\"/></object></topology>",
       "one node, and a machine has two or more: say how many, as in 'cluster 4 --from FILE'"}};
  for (int i = 0; i < 2; i++) {
    SCRATCH_FILE(file, "topology", alone[i][0]);
    tutti_machine machine = tutti_machine_default();
    tutti_wiring *wiring;
    assert_int_equal(tutti_wiring_read(file.path, NULL, &wiring, REASON), TUTTI_OK);
    assert_int_equal(tutti_wiring_describe(wiring, &machine, &error), TUTTI_ERR_ARGUMENT);
    assert_string_equal(error.message, alone[i][1]);
    tutti_wiring_free(wiring);
  }
}

/* The rates of a fabric are the bandwidth of a cable of a node, and those of switches in proportion. */
TEST(rates_are_those_of_the_cables)
{
  size_t fabric = 0;
  while (!strstr(files[fabric].text, "4xEDR"))
    fabric++;
  SCRATCH_FILE(file, "topology", files[fabric].text);
  FREED_BY(tutti_passed_free) tutti_passed passed = {.strict = false};
  tutti_machine machine = tutti_machine_default();
  tutti_wiring *wiring;
  assert_int_equal(tutti_wiring_read(file.path, &passed, &wiring, REASON), TUTTI_OK);
  assert_int_equal(tutti_wiring_describe(wiring, &machine, REASON), TUTTI_OK);
  assert_true(machine.bandwidth == 12.5e9);
  assert_int_equal(machine.kind, TUTTI_MACHINE_TREE);
  assert_true(wiring->switches.items[1].rates == 25e9);
  tutti_wiring_free(wiring);
}
