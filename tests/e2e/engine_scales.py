"""Machines drawn at random, of all topologies, whose latencies, bandwidths, hosts and overheads are 1 to 1e6 times as slow
as they are drawn: whatever is measured on them by SMPI and by the fast engine is equal, under both schemes, or refused
with a reason that names the cause.

usage: engine_scales.py TUTTI COUNT SEED    prints a line for each machine, and the largest difference
"""
import os, random, re, sqlite3, subprocess, sys

TUTTI, COUNT, SEED = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
REASONS = re.compile(r"latenc|bandwidth|too large to be simulated|no time to store|names? no|clock")
EQUAL = 1e-9

OPTIONS = """
    <prop id="smpi/bw-factor" value="0:1"/> <prop id="smpi/lat-factor" value="0:1"/>
    <prop id="network/weight-S" value="0"/> <prop id="network/TCP-gamma" value="1e20"/>
    <prop id="network/crosstraffic" value="no"/> <prop id="smpi/simulate-computation" value="no"/>
    <prop id="smpi/cpu-threshold" value="0"/> <prop id="smpi/wtime" value="0"/>
    <prop id="smpi/test" value="1e-7"/> <prop id="smpi/iprobe" value="1e-7"/>
    <prop id="smpi/grow-injected-times" value="no"/>"""


class Machine:
    """What is drawn; slowed() gives the attributes of its file."""

    def __init__(self, draw, topology):
        self.topology = topology
        self.latency, self.bandwidth = 10 ** draw.uniform(-7, -1.5), 10 ** draw.uniform(6, 10.5)
        self.speed = 10 ** draw.uniform(8, 10)
        self.overhead = draw.choice([0, 0, 10 ** draw.uniform(-7, -5)])
        self.per_byte = draw.choice([0, 1e-9])
        self.threshold = draw.choice([0, 0, 0, 4001])
        self.small = draw.choice([0, self.threshold])
        self.fifo = draw.random() < 0.3
        self.per_node = 1 if self.fifo else draw.choice([1, 1, 2])
        self.loopback = self.per_node > 1 or topology == "torus"
        self.factors = draw.choice(["0:1", "0:1", "0:1;1000:0.8;20000:0.6"])
        self.hosts, self.shape = {
            "flat": lambda: (16, ""),
            "backbone": lambda: (16, ""),
            "torus": lambda: draw.choice([(16, "4,4"), (12, "2,2,3"), (15, "5,3")]),
            "fat tree": lambda: draw.choice([(16, "2;4,4;1,2;1,1"), (12, "2;3,4;1,2;1,2")]),
            "dragonfly": lambda: draw.choice([(16, "2,1;2,1;2,1;2"), (24, "2,1;2,1;3,1;2")]),
        }[topology]()

    def ranks(self, draw):
        return draw.randint(2, min(16, self.hosts * self.per_node))

    def write(self, path, latency, bandwidth, host):
        attributes = f'bw="{self.bandwidth / bandwidth!r}Bps" lat="{self.latency * latency!r}s"'
        if self.topology == "backbone":
            attributes += f' bb_bw="{4 * self.bandwidth / bandwidth!r}Bps" bb_lat="{0.1 * self.latency * latency!r}s"'
        if self.topology not in ("flat", "backbone"):
            kind = self.topology.upper().replace(" ", "_")
            attributes += f' topology="{kind}" topo_parameters="{self.shape}" sharing_policy="SPLITDUPLEX"'
        if self.loopback:
            attributes += f' loopback_bw="{2 * self.bandwidth / bandwidth!r}Bps" loopback_lat="{0.3 * self.latency * latency!r}s"'
        overhead, byte = self.overhead * host, self.per_byte * host if self.overhead else 0
        options = OPTIONS.replace("0:1", self.factors, 1)
        for name in ("os", "ois", "or"):
            options += f'\n    <prop id="smpi/{name}" value="0:{overhead!r}:{byte!r}"/>'
        if self.fifo:
            options += '\n    <prop id="maxmin/concurrency-limit" value="1"/>'
        for name, value in (("send-is-detached-thresh", self.threshold), ("async-small-thresh", self.small),
                            ("host-speed", f"{self.speed / host!r}f")):
            options += f'\n    <prop id="smpi/{name}" value="{value}"/>'
        with open(path, "w") as file:
            file.write(f"""<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <config>{options}
  </config>
  <zone id="world" routing="Full">
    <prop id="tutti/ranks-per-node" value="{self.per_node}"/>
    <cluster id="c" prefix="n" suffix="" radical="0-{self.hosts - 1}" speed="{self.speed / host!r}f"
             core="{self.per_node}" {attributes}/>
  </zone>
</platform>
""")


METHODS = ["bcast/linear", "bcast/binomial", "bcast/pipeline/1KB", "allreduce/ring", "allreduce/recursive-doubling",
           "alltoall/linear", "alltoall/pairwise", "barrier/bruck", "barrier/linear", "reduce/binomial", "scatter/binomial",
           "gather/linear", "allgather/bruck", "allgather/ring", "reduce/pipeline/1KB", "scan/linear"]


def bench(platform, database, engine, scheme, question):
    command = [TUTTI, "bench", ",".join(sorted({m.split("/")[0] for m in question["methods"]})), "--platform", platform,
               "-P", str(question["ranks"]), "-s", question["size"], "--methods", ",".join(question["methods"]),
               "--arrival", question["arrival"], "--noise", question["noise"], "--scheme", scheme, "--engine", engine,
               "--chunk", question["chunk"] if engine == "smpi" else "250", "-j", "1", "--db", database, "-q"]
    done = subprocess.run(command, capture_output=True, text=True)
    subprocess.run(["rm", "-rf", database + ".work"])
    return done


def times(database, flavor, scheme):
    if not os.path.exists(database):
        return {}
    store = sqlite3.connect(database)
    found = dict(store.execute(
        "SELECT m.name, median_s FROM measurement t JOIN method m ON m.id = t.method JOIN environment e "
        "ON e.id = t.environment WHERE e.flavor = ? AND scheme = ?", (flavor, scheme)))
    store.close()
    return found


def difference(one, other):
    if set(one) != set(other):
        sys.exit(f"different points: {one} {other}")
    return max((abs(one[m] - other[m]) / max(abs(one[m]), abs(other[m]), 1e-300) for m in one), default=0.0)


def scaled(text, factor):
    """The durations of an arrival pattern or a noise, so many times as long."""
    return re.sub(r"([0-9.]+)us", lambda d: f"{float(d[1]) * factor:.0f}us", text)


def compare(number):
    draw = random.Random(SEED * 1000003 + number)
    machine = Machine(draw, ["flat", "backbone", "torus", "fat tree", "dragonfly"][number % 5])
    slow = 10 ** draw.uniform(0, 6)
    what = draw.choice(["latency", "bandwidth", "network", "host", "all"])
    factors = [slow if what in names else 1.0 for names in
               (("latency", "network", "all"), ("bandwidth", "network", "all"), ("host", "all"))]
    stretch = slow if what == "all" else 1
    question = {"methods": draw.sample(METHODS, 3), "ranks": machine.ranks(draw), "size": draw.choice(["8", "1KB", "16KB"]),
                "arrival": scaled(draw.choice(["none", "none", "uniform/20us/seed=5", "straggler/50us/seed=3"]), stretch),
                "noise": scaled(draw.choice(["none", "none", "exponential/2us/seed=1", "detour/30us/4us/seed=2"]), stretch),
                "chunk": "1"}
    if question["ranks"] & (question["ranks"] - 1) and "allreduce/recursive-doubling" in question["methods"]:
        question["ranks"] = 8
    machine.write("machine.xml", *factors)
    largest, refused = 0.0, []
    for scheme in ("occ", "window"):
        if os.path.exists("s.db"):
            os.unlink("s.db")
        results = {}
        for engine in ("fast", "smpi"):
            done = bench("./machine.xml", "s.db", engine, scheme, question)
            results[engine] = times("s.db", engine, scheme)
            if done.returncode != 0:
                if not REASONS.search(done.stderr):
                    sys.exit(f"machine {number} by {engine}, {scheme}: no cause named: {question} {done.stderr}")
                refused.append(f"{engine}: {done.stderr.splitlines()[-1]}")
        if len(refused) % 2:
            sys.exit(f"machine {number}: only {refused}")
        apart = difference(results["fast"], results["smpi"])
        if apart > EQUAL:
            sys.exit(f"machine {number} differs by {apart} under {scheme}: {question} {factors} {results}")
        largest = max(largest, apart)
    print(f"{number} {machine.topology}: {what} {slow:.4g} times as slow, {question['ranks']} ranks, {question['noise']}, "
          f"{question['arrival']}: " + (f"refused: {refused[0]}" if refused else f"differ by {largest:.3g}"), flush=True)
    return largest, bool(refused)


found = [compare(number) for number in range(COUNT)]
print(f"{COUNT} machines, {sum(r for _, r in found)} refused, largest difference {max(d for d, _ in found):.3g}")
