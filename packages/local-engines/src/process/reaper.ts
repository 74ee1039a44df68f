import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';

/**
 * The reaper is a small shell process that stops child processes when the launcher ends, even after
 * kill -9. Its arguments are the running children (`PID:SIGNAL`). It reads changes from standard input:
 * `add PID SIGNAL` and `del PID`. When the input closes, it sends each child its signal, and SIGKILL to
 * the process groups ten seconds later.
 */
const SCRIPT = `
trap '' HUP INT
list=$*
while read -r verb pid sig; do
  rest=
  for item in $list; do [ "\${item%:*}" = "$pid" ] || rest="$rest $item"; done
  list=$rest
  [ "$verb" = add ] && list="$list $pid:$sig"
done
for item in $list; do kill -s "\${item#*:}" "\${item%:*}"; done
tries=0
while [ $tries -lt 100 ]; do
  alive=
  for item in $list; do kill -0 "\${item%:*}" && alive=1; done
  [ -z "$alive" ] && break
  sleep 0.1
  tries=$((tries + 1))
done
for item in $list; do kill -s KILL -- "-\${item%:*}"; done
`;

/** Limits restarts if the shell cannot run. */
const MAX_STARTS = 20;

let reaper: ChildProcess | undefined;
let starts = 0;
const watched = new Map<number, string>();

/** Registers a process that the reaper stops when this launcher ends. */
export function watchChild(pid: number, stopSignal: NodeJS.Signals): void {
  const signal = stopSignal.replace('SIG', '');
  watched.set(pid, signal);
  if (reaper === undefined) reaper = start();
  else send(`add ${pid} ${signal}`);
}

/** Removes a process that has ended. The reaper stops after the last one. */
export function unwatchChild(pid: number): void {
  if (!watched.delete(pid)) return;
  send(`del ${pid}`);
  if (watched.size > 0) return;
  const idle = reaper;
  reaper = undefined;
  idle?.stdin?.end();
}

function send(line: string): void {
  reaper?.stdin?.write(`${line}\n`);
}

/** Replaces a killed reaper. The new one gets the list of all processes. */
function replace(exited: ChildProcess): void {
  if (reaper !== exited) return;
  reaper = undefined;
  starts += 1;
  if (starts < MAX_STARTS && watched.size > 0) reaper = start();
}

function start(): ChildProcess {
  // In a separate session, so that Ctrl-C signals only the launcher.
  const items = [...watched].map(([pid, signal]) => `${pid}:${signal}`);
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'reaper', ...items], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.on('error', () => undefined);
  child.once('exit', () => replace(child));
  child.stdin.on('error', () => undefined);
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  return child;
}
