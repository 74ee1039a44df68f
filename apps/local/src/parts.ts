import { type Running, type Supervised, supervise } from '@lectern/local-engines';
import { messageOf } from '#launcher-error';
import type { StateFile } from '#state-file';
import type { Terminal } from '#terminal';

/** A crash loop ends after about three minutes. Occasional manual kills stay below the limit. */
const RESTARTS = { maxRestarts: 30, windowMs: 300_000 };

/** A process that the launcher restarts when it ends. */
interface PartOptions<T extends Running> {
  readonly name: string;
  /** The shutdown round in which it stops, from 1. */
  readonly stopRound: number;
  readonly start: (previous: T | undefined, signal: AbortSignal) => Promise<T>;
  /** Its address, for the state file. */
  readonly addressOf: (part: T) => string;
}

/** The processes of the launcher. */
export interface Parts {
  /** Starts a process and restarts it when it ends. Throws the error of its first start. */
  add<T extends Running>(options: PartOptions<T>): Promise<T>;
  /** Stops the processes round by round, up to `lastRound`. */
  stop(lastRound?: number): Promise<void>;
  /** Sends SIGKILL to all processes. */
  kill(): void;
}

/** Creates the list of processes. Calls `onGiveUp` when a process keeps ending after its restarts. */
export function createParts(
  terminal: Terminal,
  state: StateFile,
  signal: AbortSignal,
  onGiveUp: (error: Error) => void,
): Parts {
  const running: { readonly stopRound: number; readonly part: Supervised<Running> }[] = [];
  return {
    async add<T extends Running>({ name, stopRound, start, addressOf }: PartOptions<T>) {
      const part = await supervise<T>({
        name,
        ...RESTARTS,
        start: async (previous, stopped) => {
          const started = await start(previous, AbortSignal.any([signal, stopped]));
          // A full disk must not stop the process.
          await state
            .setPart(name, { pid: started.pid, address: addressOf(started) })
            .catch((error) => terminal.warn(`The state file could not be written: ${messageOf(error)}`));
          if (previous) terminal.print(`${name} is running again.`);
          return started;
        },
        onRestart: (reason) => terminal.warn(`${reason}; restarting it…`),
        onGiveUp,
      });
      running.push({ stopRound, part });
      return part.current();
    },
    async stop(lastRound = Number.POSITIVE_INFINITY) {
      const rounds = [...new Set(running.map(({ stopRound }) => stopRound))].sort((a, b) => a - b);
      for (const round of rounds) {
        if (round > lastRound) return;
        const parts = running.filter(({ stopRound }) => stopRound === round);
        await Promise.all(parts.map(({ part }) => part.stop()));
        for (const stopped of parts) running.splice(running.indexOf(stopped), 1);
      }
    },
    kill() {
      for (const { part } of running) killGroup(part.current().pid);
    },
  };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}
