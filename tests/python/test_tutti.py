"""python/tutti.py: commands and their failures, views and what is not there. TUTTI is the command."""

import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
import tutti  # noqa: E402


class Commands(unittest.TestCase):
    def test_json_is_read(self):
        self.assertEqual(tutti.run("map", "bcast", "--json", "--db", STORE)["collective"], "bcast")

    def test_text_is_text(self):
        self.assertIn("bcast/binomial\n", tutti.run("algorithms", "bcast"))

    def test_numbers_are_words(self):
        self.assertIn("verified", tutti.run("schedule", "bcast/binomial", "-P", 8))

    def test_a_failure_has_the_message(self):
        with self.assertRaisesRegex(tutti.Error, "^tutti map: unknown collective 'bkast'.*[^\n]$") as raised:
            tutti.run("map", "bkast")
        self.assertEqual(raised.exception.status, 2)

    def test_a_word_is_no_shell(self):
        with self.assertRaisesRegex(tutti.Error, "unknown collective"):
            tutti.run("map", "$(touch made); touch made")
        self.assertFalse(os.path.exists("made"))

    def test_the_binary_is_that_of_the_variable(self):
        kept = os.environ["TUTTI"]
        self.assertEqual(tutti.binary(), kept)
        os.environ["TUTTI"] = "/no/such/tutti"
        try:
            with self.assertRaisesRegex(tutti.Error, "TUTTI=/no/such/tutti"):
                tutti.binary()
        finally:
            os.environ["TUTTI"] = kept

    def test_the_version_is_that_of_the_command(self):
        self.assertIn(tutti.__version__, tutti.run("--version"))


class Stores(unittest.TestCase):
    def test_views_are_those_of_the_page(self):
        with tutti.Store(STORE) as store:
            self.assertLessEqual({"points", "best_methods", "environments", "measurements"}, set(store.views))

    def test_rows_have_names(self):
        with tutti.Store(STORE) as store:
            rows = store.view("points", collective="bcast", ranks=4)
            best = store.view("best_methods")
        self.assertEqual({row.ranks for row in rows}, {4})
        self.assertEqual(min(row.median_s for row in rows if row.rank_B == 8),
                         next(row.median_s for row in best if row.ranks == 4 and row.rank_B == 8))

    def test_sql_gives_dicts(self):
        with tutti.Store(STORE) as store:
            self.assertEqual(store.sql("SELECT COUNT(*) AS n FROM points WHERE ranks = ?", [4]),
                             [{"n": len(store.view("points", ranks=4))}])

    def test_a_store_is_not_written(self):
        with tutti.Store(STORE) as store, self.assertRaisesRegex(Exception, "readonly"):
            store.sql("CREATE TABLE mine (a)")

    def test_what_is_not_there_is_named(self):
        with self.assertRaisesRegex(tutti.Error, "absent.db: there is no such store"):
            tutti.Store("absent.db")
        self.assertFalse(os.path.exists("absent.db"))
        with self.assertRaisesRegex(tutti.Error, "file is not a database"):
            tutti.Store(__file__)
        with tutti.Store(STORE) as store:
            with self.assertRaisesRegex(tutti.Error, "no view 'pionts': there are .*points"):
                store.view("pionts")
            with self.assertRaisesRegex(tutti.Error, "points has no column 'size': it has .*rank_B"):
                store.view("points", size=8)

    def test_frames_need_pandas(self):
        with tutti.Store(STORE) as store:
            try:
                import pandas  # noqa: F401
            except ImportError:
                with self.assertRaisesRegex(tutti.Error, "python3-pandas"):
                    store.frame("points")
            else:
                self.assertEqual(len(store.frame("points")), len(store.view("points")))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        STORE = os.path.join(folder, "odd ?#% name.db")
        tutti.run("bench", "bcast", "--platform", "grig_mx", "--engine", "fast", "-P", "4,8", "-s", "8,64KB", "--quiet",
                  "--db", STORE)
        unittest.main()
