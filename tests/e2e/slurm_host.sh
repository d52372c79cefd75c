# Slurm on this host, for tests: munged, slurmctld and slurmd with their files below $place/slurm. It needs no systemd, no
# control groups, no accounting and no privileges.
PATH=$PATH:/usr/sbin:/sbin
need munged munge
need slurmctld slurmctld
need slurmd slurmd
need sbatch slurm-client
slurm=$place/slurm
SLURM_CONF=$slurm/slurm.conf
export SLURM_CONF

free_port() { # FROM: the first port from there on that nobody listens to
  port=$1
  while grep -qi ":$(printf %04X "$port") " /proc/net/tcp /proc/net/tcp6 2> /dev/null; do port=$((port + 1)); done
  echo "$port"
}

write_slurm_conf() { # CPUS
  first=$((20000 + $$ % 20000))
  control=$(free_port $first)
  daemon=$(free_port $((control + 1)))
  me=$(id -un) host=$(hostname)
  cat > "$SLURM_CONF" <<CONF
ClusterName=tutti
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$me
SlurmdUser=$me
AuthType=auth/munge
AuthInfo=socket=$slurm/munge.socket
CredType=cred/munge
SlurmctldPort=$control
SlurmdPort=$daemon
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=1
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
PropagateResourceLimits=NONE
KillWait=1
SlurmdTimeout=300
MailProg=/bin/true
ReturnToService=2
SlurmdParameters=config_overrides
NodeName=node1 NodeHostname=$host NodeAddr=127.0.0.1 CPUs=$1 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
}

start_munged() {
  head -c 256 /dev/urandom > "$slurm/munge.key"
  chmod 600 "$slurm/munge.key"
  munged --force --foreground --key-file="$slurm/munge.key" --socket="$slurm/munge.socket" \
    --pid-file="$slurm/munge.pid" --log-file="$slurm/munge.log" --seed-file="$slurm/munge.seed" \
    > "$slurm/munge.out" 2>&1 &
  munged=$!
  within 3000 test -S "$slurm/munge.socket" || die "munged does not start: $(cat "$slurm/munge.out")"
}

start_slurmctld() {
  slurmctld -D > "$slurm/slurmctld.out" 2>&1 &
  slurmctld=$!
}

start_slurmd() {
  slurmd -D -N node1 > "$slurm/slurmd.out" 2>&1 &
  slurmd=$!
}

node_is_idle() {
  sinfo -h -o %T | grep -Eqx "idle|mixed|allocated" # with a star it does not answer
}

# A node whose daemon or controller was killed may be drained for jobs that it cannot account for.
node_is_back() {
  node_is_idle && return
  scontrol update NodeName=node1 State=RESUME 2> /dev/null
  false
}

start_slurm() { # CPUS: of its one node, as many as you like
  mkdir -p "$slurm/state" "$slurm/spool"
  trap 'stop_slurm; rm -rf "$place"' EXIT
  write_slurm_conf "$1"
  start_munged
  start_slurmctld
  start_slurmd
  within 3000 node_is_idle || die "Slurm does not start: $(tail -n 5 "$slurm"/*.out)"
}

stop_slurm() {
  kill -KILL ${tutti_process:-} 2> /dev/null
  scancel --me 2> /dev/null
  within 20 sh -c '[ -z "$(squeue -h)" ]'
  kill $slurmd $slurmctld 2> /dev/null
  { sleep 60; kill -KILL $slurmd $slurmctld; } > /dev/null 2>&1 & # a daemon whose step hangs does not end by itself
  guard=$!
  wait $slurmd $slurmctld 2> /dev/null
  kill $guard 2> /dev/null
  kill $munged 2> /dev/null
  wait $munged 2> /dev/null
}
