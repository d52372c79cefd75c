"""A JSON rules file of Open MPI 6 is of the form that the library documents: members and their types, and no others.

usage: openmpi_schema.py FILE
"""
import json
import sys

INTEGER_OR_INF = lambda value: value in ("inf", "INF", "Inf") or type(value) is int
RULE = {"msg_size_min": INTEGER_OR_INF, "msg_size_max": INTEGER_OR_INF, "alg": lambda value: type(value) in (int, str),
        "faninout": lambda value: type(value) is int, "seg_size": lambda value: type(value) is int,
        "reqs": lambda value: type(value) is int}
SIZE = {"comm_size_min": INTEGER_OR_INF, "comm_size_max": INTEGER_OR_INF,
        "comm_rank_distribution": lambda value: value in ("any", "one-per-node", "single-node"),
        "rules": lambda value: type(value) is list and all(is_of(RULE, ["alg"], rule) for rule in value)}
COLLECTIVES = ("allgather allgatherv allreduce alltoall alltoallv barrier bcast exscan gather reduce reduce_scatter "
               "reduce_scatter_block scan scatter").split()
FILE = {"rule_file_version": lambda value: value == 3, "module": lambda value: value == "tuned",
        "$schema": lambda value: type(value) is str,
        "collectives": lambda value: type(value) is dict and all(
            name in COLLECTIVES and all(is_of(SIZE, ["rules"], size) for size in sizes) for name, sizes in value.items())}


def is_of(members, required, value):
    return type(value) is dict and all(name in value for name in required) and all(
        name in members and members[name](item) for name, item in value.items())


with open(sys.argv[1]) as stream:
    if not is_of(FILE, ["rule_file_version", "module", "collectives"], json.load(stream)):
        sys.exit(sys.argv[1] + ": not of the documented form")
