/* Platform files that are right: hosts, properties, hash, hostfile, look-up. */
#include "tutti/platform.h"
#include "unit/base/scratch_file.h"
#include "unit/test.h"

#define DOCTYPE "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
#define CLUSTER(id, prefix, radical, more)                                                                             \
  "<cluster id=\"" id "\" prefix=\"" prefix "\" suffix=\".lan\" radical=\"" radical                                    \
  "\" speed=\"1Gf\" bw=\"125MBps\" lat=\"50us\" " more "/>\n"

static void read_text(const char *text, tutti_platform *platform)
{
  SCRATCH_FILE(file, "machine.xml", text);
  assert_ok(tutti_platform_read(file.path, platform, REASON), error);
}

static void check_hosts(const tutti_platform *platform, const char *expected)
{
  char names[512] = "";
  for (int i = 0; i < platform->host_count; i++) {
    strncat(names, platform->hosts[i], sizeof names - strlen(names) - 1);
    strncat(names, " ", sizeof names - strlen(names) - 1);
  }
  assert_string_equal(names, expected);
}

TEST(radicals_are_expanded)
{
  FREED_BY(tutti_platform_free) tutti_platform platform;
  read_text(DOCTYPE "<platform version=\"4.1\">" CLUSTER("c", "n", "1-3,7, 9 - 10,0", "") "</platform>", &platform);
  check_hosts(&platform, "n1.lan n2.lan n3.lan n7.lan n9.lan n10.lan n0.lan ");
  assert_string_equal(platform.name, "machine");
  assert_int_equal(platform.ranks_per_node, 1);
  assert_null(platform.description);
  assert_true(isnan(platform.published_alpha) && isnan(platform.published_beta));
  assert_true(isnan(platform.published_L) && isnan(platform.published_o) && isnan(platform.published_g));
  assert_true(isnan(platform.published_G) && isnan(platform.published_gamma));
  assert_true(platform.copy_cost == 1 && platform.receive_gap == 0 && platform.first_touch == 0);
}

TEST(zones_are_read_in_document_order)
{
  FREED_BY(tutti_platform_free) tutti_platform platform;
  read_text(DOCTYPE
            "<platform version=\"4\">\n<config><prop id=\"smpi/os\" value=\"0:0:0\"/></config>\n"
            "<zone id=\"world\" routing=\"Full\">\n<!-- first the cluster -->\n" CLUSTER(
                "c", "b", "0-1", "") "<zone id=\"leaf\" routing=\"Full\"><host id=\"a\" speed=\"1Gf,2Gf\" core=\"2\"/>"
                                     "<host id=\"z\" speed=\"1f\"><prop id=\"colour\" value=\"\"/></host>"
                                     "<link id=\"l\" bandwidth=\"1Gbps\" latency=\"0\"/>"
                                     "<route src=\"a\" dst=\"z\"><link_ctn id=\"l\"/></route></zone>\n"
                                     "</zone>\n</platform>",
            &platform);
  check_hosts(&platform, "b0.lan b1.lan a z ");
}

TEST(properties_are_read_from_the_outermost_element)
{
  FREED_BY(tutti_platform_free) tutti_platform platform;
  read_text(DOCTYPE "<platform version=\"4.1\"><cluster id=\"c\" prefix=\"\" suffix=\"\" radical=\"5\" speed=\"1Gf\" "
                    "bw=\"1MBps\" lat=\"0\">\n"
                    "<prop id=\"tutti/description\" value=\"five &amp; six\"/>"
                    "<prop id=\"tutti/ranks-per-node\" value=\"16\"/>"
                    "<prop id=\"tutti/published-alpha\" value=\"110.65us\"/>"
                    "<prop id=\"tutti/published-beta\" value=\"0.0851e-6\"/>"
                    "<prop id=\"tutti/published-L\" value=\"106.6us\"/>"
                    "<prop id=\"tutti/published-o\" value=\"19.5e-6\"/>"
                    "<prop id=\"tutti/published-g\" value=\"1us\"/>"
                    "<prop id=\"tutti/published-G\" value=\"85.9ns\"/>"
                    "<prop id=\"tutti/published-gamma\" value=\"5e-10\"/>"
                    "<prop id=\"tutti/copy-cost\" value=\"2.5\"/>"
                    "<prop id=\"tutti/receive-gap-s\" value=\"1.5e-6\"/>"
                    "<prop id=\"tutti/first-touch-s\" value=\"2e-10\"/>"
                    "<prop id=\"tutti/port-contention\" value=\"8/0.5\"/>"
                    "<prop id=\"tutti/actor-start-s\" value=\"27e-6\"/>"
                    "<prop id=\"tutti/actor-byte-s\" value=\"0\"/>"
                    "<prop id=\"tutti/source\" value=\"table 4.12\"/></cluster></platform>",
            &platform);
  assert_string_equal(platform.description, "five & six");
  assert_string_equal(platform.source, "table 4.12");
  assert_int_equal(platform.ranks_per_node, 16);
  assert_true(fabs(platform.published_alpha - 110.65e-6) < 1e-18);
  assert_true(fabs(platform.published_beta - 0.0851e-6) < 1e-20);
  assert_true(fabs(platform.published_L - 106.6e-6) < 1e-18);
  assert_true(fabs(platform.published_o - 19.5e-6) < 1e-18);
  assert_true(fabs(platform.published_g - 1e-6) < 1e-18);
  assert_true(fabs(platform.published_G - 0.0859e-6) < 1e-20);
  assert_true(fabs(platform.published_gamma - 5e-10) < 1e-22);
  assert_true(platform.copy_cost == 2.5 && platform.receive_gap == 1.5e-6 && platform.first_touch == 2e-10);
  assert_true(platform.port_contention.messages == 8 && platform.port_contention.floor == 0.5);
  assert_int_equal(platform.backbone_contention.messages, 0);
  assert_true(fabs(platform.actor_cost.start - 27e-6) < 1e-18);
  assert_true(platform.actor_cost.byte == 0 && platform.actor_cost.send == 0);
}

TEST(topologies_call_for_their_hosts)
{
  FREED_BY(tutti_platform_free) tutti_platform platform;
  read_text(DOCTYPE "<platform version=\"4.1\"><zone id=\"w\" routing=\"Full\">" CLUSTER(
                "t", "t", "0-7", "topology=\"TORUS\" topo_parameters=\"2, 2,2\"")
                CLUSTER("f", "f", "0-15", "topology=\"FAT_TREE\" topo_parameters=\"2;4,4;1,2;1,2\"") CLUSTER(
                    "d", "d", "0-119", "topology=\"DRAGONFLY\" topo_parameters=\"3,4;4,3;5,1;2\"") "</zone></platform>",
            &platform);
  assert_int_equal(platform.host_count, 8 + 16 + 120);
}

/* sha256sum of the very text. */
TEST(the_hash_is_that_of_the_bytes)
{
  FREED_BY(tutti_platform_free) tutti_platform platform;
  read_text(DOCTYPE "<platform version=\"4.1\">" CLUSTER("c", "n", "0", "") "</platform>", &platform);
  assert_string_equal(platform.hash, "7d98cff614782edf4e80f69438116e9546685c9ed3d12165672eeccb1c4779a9");
}

/* All options for a version, one after the other; `+` if an overhead is lost. */
static void check_options(const char *config, const char *version, const char *expected)
{
  char text[512], all[256] = "";
  FREED_BY(tutti_platform_free) tutti_platform platform;
  snprintf(text, sizeof text, DOCTYPE "<platform version=\"4.1\"><config>%s</config>%s</platform>", config,
           CLUSTER("c", "n", "0", ""));
  read_text(text, &platform);
  tutti_platform_options options = tutti_platform_options_for(&platform, version);
  for (int i = 0; i < options.count; i++)
    strncat(all, options.items[i], sizeof all - strlen(all) - 1);
  strncat(all, options.lost ? "+" : "", sizeof all - strlen(all) - 1);
  assert_string_equal(all, expected);
}

#define OVERHEAD(option, value) "<prop id=\"smpi/" option "\" value=\"" value "\"/>"

TEST(later_simgrid_is_told_overheads)
{
  check_options(OVERHEAD("os", "0:0.5:0"), "3.32", "");
  check_options(OVERHEAD("os", "0:0.5:0"), "4.0", "--cfg=smpi/os:0.5");
  check_options(OVERHEAD("os", "0:0.5:0"), "3.36.1", "--cfg=smpi/os:0.5");
  check_options(OVERHEAD("ois", "0:250ms:0") OVERHEAD("or", "16:0.5:0"), "4.1", "--cfg=smpi/ois:0.25--cfg=smpi/or:0.5");
  check_options(OVERHEAD("os", "0:0:0") OVERHEAD("bw-factor", "0:1;8:2"), "4.1", "");
  check_options(OVERHEAD("os", "0:0:1e-9"), "4.1", "");
  check_options(OVERHEAD("os", "0:0.5:1e-9") OVERHEAD("ois", "0:0.5:0"), "4.1", "--cfg=smpi/ois:0.5+");
  check_options(OVERHEAD("os", "0:0.5:0;8:1:0"), "4.1", "+");
  check_options(OVERHEAD("os", "0:0.5:0;8:1:0"), "3.32", "");
}

TEST(a_hostfile_fills_host_after_host)
{
  FREED_BY(tutti_platform_free) tutti_platform platform;
  char *text;
  size_t length;
  read_text(DOCTYPE "<platform version=\"4.1\"><zone id=\"w\" routing=\"Full\">"
                    "<prop id=\"tutti/ranks-per-node\" value=\"2\"/>" CLUSTER("c", "n", "0-2", "") "</zone></platform>",
            &platform);
  FILE *stream = open_memstream(&text, &length);
  assert_int_equal(tutti_platform_write_hostfile(&platform, 5, stream, &error), TUTTI_OK);
  fclose(stream);
  assert_string_equal(text, "n0.lan\nn0.lan\nn1.lan\nn1.lan\nn2.lan\n");
  free(text);
  assert_int_equal(tutti_platform_write_hostfile(&platform, 6, stderr, NULL), TUTTI_OK);
  assert_int_equal(tutti_platform_write_hostfile(&platform, 7, stderr, &error), TUTTI_ERR_ARGUMENT);
  assert_string_equal(error.message, "platform machine has room for 6 ranks (3 hosts, 2 each), not for 7");
  assert_int_equal(tutti_platform_write_hostfile(&platform, 0, stderr, &error), TUTTI_ERR_ARGUMENT);
}

TEST(a_full_disk_is_noticed)
{
  tutti_platform platform;
  FILE *full = fopen("/dev/full", "w");
  if (!full) {
    print_message("skipped: a_full_disk: no /dev/full\n");
    skip();
  }
  read_text(DOCTYPE "<platform version=\"4.1\">" CLUSTER("c", "n", "0", "") "</platform>", &platform);
  assert_int_equal(tutti_platform_write_hostfile(&platform, 1, full, &error), TUTTI_ERR_IO);
  fclose(full);
  tutti_platform_free(&platform);
}

TEST(names_are_found_along_the_path)
{
  char *path;
  SCRATCH_FILE(file, "mine.xml", "");
  char directories[256];
  snprintf(directories, sizeof directories, "/nowhere::%s:/elsewhere", file.directory);
  setenv("TUTTI_PLATFORM_PATH", directories, 1);
  assert_int_equal(tutti_platform_find("mine", &path, &error), TUTTI_OK);
  assert_string_equal(path, file.path);
  free(path);
  assert_int_equal(tutti_platform_find(file.path, &path, &error), TUTTI_OK);
  free(path);
  assert_fails(tutti_platform_find("yours", &path, &error), TUTTI_ERR_IO, error,
               "platform 'yours' not found: no yours.xml in /nowhere::");
  assert_non_null(strstr(error.message, "/elsewhere:platforms:"));
  assert_int_equal(tutti_platform_find("nowhere/mine.xml", &path, &error), TUTTI_ERR_IO);
  assert_string_equal(error.message, "nowhere/mine.xml: No such file or directory (did you mean 'mine'?)");
  unsetenv("TUTTI_PLATFORM_PATH");
}

TEST(our_platforms_are_valid)
{
  static const struct {
    const char *file;
    int hosts, ranks_per_node;
    double alpha;
  } known[] = {{"grig_fast_ethernet", 64, 1, 110.65e-6},
               {"fast_ethernet", 256, 1, NAN},
               {"infiniband", 1024, 1, 3.65e-6},
               {"torus", 32768, 4, NAN},
               {"bgp", 32768, 4, NAN},
               {"grig_mx", 64, 1, 5.64e-6},
               {"boba_gige", 32, 1, 47.6e-6},
               {"frodo_fast_ethernet", 32, 1, 80.2e-6},
               {"frodo_mx", 64, 1, 4.23e-6},
               {"grig_fast_ethernet_loggp", 64, 1, NAN},
               {"grig_mx_loggp", 64, 1, NAN},
               {"boba_gige_loggp", 32, 1, NAN},
               {"frodo_fast_ethernet_loggp", 32, 1, NAN},
               {"frodo_mx_loggp", 32, 1, NAN},
               {"grig_fast_ethernet_hosts", 64, 1, NAN},
               {"grig_mx_hosts", 64, 1, NAN},
               {"grig_mx_ob1", 64, 1, NAN},
               {"boba_gige_hosts", 32, 1, NAN},
               {"boba_gige_senders", 32, 1, NAN},
               {"frodo_fast_ethernet_senders", 32, 1, NAN},
               {"frodo_fast_ethernet_hosts", 32, 1, NAN},
               {"frodo_mx_hosts", 32, 1, NAN},
               {"thunderbird", 4480, 1, 3.65e-6},
               {"cisco_infiniband", 8, 4, NAN},
               {"jaguar_xt4", 11520, 1, 4.91e-6},
               {"jaguar_xt4_ob1", 11520, 1, 6.16e-6},
               {"jaguar_xt4_cray", 11520, 1, 4.75e-6},
               {"supermuc", 9216, 16, NAN},
               {"intrepid", 40960, 4, NAN}};
  setenv("TUTTI_PLATFORM_PATH", TUTTI_SOURCE_DIR "/platforms", 1);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    char *path = NULL;
    tutti_platform platform;
    assert_int_equal(tutti_platform_find(known[i].file, &path, &error), TUTTI_OK);
    assert_ok(tutti_platform_read(path, &platform, &error), error);
    assert_string_equal(platform.name, known[i].file);
    assert_int_equal(platform.host_count, known[i].hosts);
    assert_int_equal(platform.ranks_per_node, known[i].ranks_per_node);
    assert_true(isnan(known[i].alpha) ? isnan(platform.published_alpha)
                                      : fabs(platform.published_alpha - known[i].alpha) < 1e-15);
    assert_non_null(platform.description);
    assert_non_null(platform.source);
    tutti_platform_free(&platform);
    free(path);
  }
  unsetenv("TUTTI_PLATFORM_PATH");
}

/* A torus of six dimensions has the first three as sides. */
TEST(a_torus_has_sides)
{
  static const char *const known[][2] = {{"bgp", "32x32x32"}, {"tofud_torus", "8x8x8"}, {"hdr_fat_tree", ""}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    char path[256], sides[TUTTI_SIDES_LENGTH];
    tutti_platform platform;
    snprintf(path, sizeof path, "%s/platforms/%s.xml", TUTTI_SOURCE_DIR, known[i][0]);
    assert_int_equal(tutti_platform_read(path, &platform, &(tutti_error){0}), TUTTI_OK);
    assert_string_equal(tutti_sides_format(tutti_platform_places(&platform).torus, sides), known[i][1]);
    tutti_platform_free(&platform);
  }
}
