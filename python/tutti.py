"""Tutti from Python: the views of a store as rows or pandas frames, and commands with their JSON.

    import tutti

    tutti.run("bench", "bcast", "--platform", "grig_mx", "--engine", "fast", "-P", "4,8", "-s", "8,64KB", "--quiet")
    with tutti.Store("results.db") as store:
        for row in store.view("best_methods", collective="bcast"):
            print(row.ranks, row.rank_B, row.method, row.median_s)
        frame = store.frame("points")
    print(tutti.run("map", "bcast", "--json")["platform"])

One file of the standard library, which needs no build: copy it, or add its folder to PYTHONPATH. The columns of views are in
docs/reference/store.md, the keys of JSON in docs/reference/json.md.
"""

import collections
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess

__version__ = "0.1.0"


class Error(Exception):
    """A command that failed, or a store or view that is not there. `status` is the exit status of a command."""

    def __init__(self, message, status=None):
        super().__init__(message)
        self.status = status


# ---- commands ----


def binary():
    """The path of the command: $TUTTI; else beside this file, in a build or an installation; else in PATH."""
    named = os.environ.get("TUTTI")
    if named:
        found = shutil.which(named)
        if not found:
            raise Error(f"TUTTI={named}: there is no such program")
        return found
    here = pathlib.Path(__file__).resolve().parent
    beside = [here / "tutti", here.parent / "build" / "tutti"]  # in the sources, python/ is beside build/
    beside += [folder / "bin" / "tutti" for folder in list(here.parents)[:3]]  # PREFIX/share/tutti/python
    for path in beside:
        if path.is_file() and os.access(path, os.X_OK):
            return str(path)
    found = shutil.which("tutti")
    if not found:
        raise Error("no tutti in PATH, and none beside tutti.py: set TUTTI to its path")
    return found


def run(*words, found_is_error=False, cwd=None):
    """Run `tutti WORDS...`; each word is one argument, numbers too. Returns what `--json` printed, else the text.

    A failure raises Error with the message of the command. Exit status 1, of a check that found something, is none
    unless `found_is_error`.
    """
    words = [str(word) for word in words]
    done = subprocess.run([binary(), *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=cwd,
                          encoding="utf-8", errors="replace", check=False)
    found = done.returncode == 1
    if (done.returncode != 0 and not found) or (found and (found_is_error or not done.stdout.strip())):
        lines = [line for line in done.stderr.splitlines() if not line.startswith("Try `")]
        raise Error("\n".join(lines).strip() or f"tutti {' '.join(words)}: status {done.returncode}", done.returncode)
    if "--json" not in words:
        return done.stdout
    try:
        return json.loads(done.stdout)
    except ValueError as error:
        raise Error(f"tutti {' '.join(words)}: printed no JSON: {error}", done.returncode) from error


# ---- stores ----


class Store:
    """A store, opened to read only, also while Tutti measures into it."""

    def __init__(self, path):
        self.path = os.fspath(path)
        if not os.path.isfile(self.path):
            raise Error(f"{self.path}: there is no such store")
        uri = pathlib.Path(self.path).resolve().as_uri() + "?mode=ro"
        self._connection = sqlite3.connect(uri, uri=True)
        try:
            self.views = self._names()
        except sqlite3.Error as error:
            self._connection.close()
            raise Error(f"{self.path}: {error}") from error
        if "points" not in self.views:
            self._connection.close()
            raise Error(f"{self.path}: has no views: tutti import {self.path} --db NEW.db makes a store that has them")

    def _names(self):
        rows = self._connection.execute("SELECT name FROM sqlite_master WHERE type = 'view' ORDER BY name")
        return [name for (name,) in rows if not name.startswith("tutti_")]

    def _select(self, view, conditions):
        if view not in self.views:
            raise Error(f"{self.path}: no view '{view}': there are {', '.join(self.views)}")
        columns = [row[1] for row in self._connection.execute(f'PRAGMA table_info("{view}")')]
        for column in conditions:
            if column not in columns:
                raise Error(f"{self.path}: {view} has no column '{column}': it has {', '.join(columns)}")
        where = " AND ".join(f'"{column}" = ?' for column in conditions)
        text = f'SELECT * FROM "{view}"' + (f" WHERE {where}" if where else "")
        return columns, self._connection.execute(text, list(conditions.values()))

    def view(self, name, **conditions):
        """The rows of a view, those whose columns have these values, as named tuples: row.method, row._asdict()."""
        columns, rows = self._select(name, conditions)
        make = collections.namedtuple(name, columns, rename=True)._make
        return [make(row) for row in rows]

    def frame(self, name, **conditions):
        """The same as a frame, if pandas is installed."""
        try:
            import pandas
        except ImportError as error:
            raise Error("pandas is not installed (Debian: apt-get install python3-pandas)") from error
        columns, rows = self._select(name, conditions)
        return pandas.DataFrame(rows.fetchall(), columns=columns)

    def sql(self, text, parameters=()):
        """The rows of a query, as dicts."""
        cursor = self._connection.execute(text, parameters)
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row)) for row in cursor]

    def close(self):
        self._connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
