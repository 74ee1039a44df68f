import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';

/**
 * The reaper is a shell of one megabyte that lives beside the launcher. What is there at its start it is given as arguments
 * (`PID:SIGNAL`), so that it knows them from its first moment; later it reads `add PID SIGNAL` and `del PID` from its
 * standard input. When the launcher ends in any way, kill -9 included, that input closes, and the reaper ends what is
 * still listed: the signal first, SIGKILL to the group ten seconds later.
 */
const SCRIPT = `
trap '' HUP INT
list=$*
while read -r verb pid sig; do
  kept=
  for item in $list; do [ "\${item%:*}" = "$pid" ] || kept="$kept $item"; done
  list=$kept
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

/** Somebody may kill the shell; that it cannot run at all must not become a loop. */
const MAX_STARTS = 20;

let reaper: ChildProcess | undefined;
let starts = 0;
const watched = new Map<number, string>();

/** Has the process end, by `stopSignal` and at last SIGKILL, when this launcher is no more. */
export function watchChild(pid: number, stopSignal: NodeJS.Signals): void {
  const signal = stopSignal.replace('SIG', '');
  watched.set(pid, signal);
  if (reaper === undefined) reaper = start();
  else send(`add ${pid} ${signal}`);
}

/** Forgets a process that has ended; the reaper goes with the last one. */
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

/** A reaper that was killed is replaced, and told of every process again. */
function replace(gone: ChildProcess): void {
  if (reaper !== gone) return;
  reaper = undefined;
  starts += 1;
  if (starts < MAX_STARTS && watched.size > 0) reaper = start();
}

function start(): ChildProcess {
  // A session of its own: Ctrl-C in the terminal must reach the launcher alone.
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
