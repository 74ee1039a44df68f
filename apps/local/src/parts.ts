import { type Running, type Supervised, supervise } from '@lectern/local-engines';
import { messageOf } from '#launcher-error';
import type { StateFile } from '#state-file';
import type { Terminal } from '#terminal';

/** A crash loop ends after about three minutes; people and tests that kill parts do not get there. */
const RESTARTS = { maxRestarts: 30, windowMs: 300_000 };

/** A process that is kept running. */
export interface PartOptions<T extends Running> {
  readonly name: string;
  /** Rounds of the shutdown, from 1. */
  readonly stopRound: number;
  readonly start: (previous: T | undefined, signal: AbortSignal) => Promise<T>;
  /** Where it listens, for the state file. */
  readonly addressOf: (part: T) => string;
}

/** The processes that the launcher keeps running. */
export interface Parts {
  /** Starts one and keeps it running. Throws what its first start throws. */
  add<T extends Running>(options: PartOptions<T>): Promise<T>;
  /** Stops all of them, round by round, or those whose round is at most `lastRound`. */
  stop(lastRound?: number): Promise<void>;
  /** SIGKILL to all of them, at once. */
  kill(): void;
}

/** Makes the set. `onGiveUp` is told when one keeps ending although it was started again and again. */
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
          // A full disk must not end what runs.
          await state
            .setPart(name, { pid: started.pid, address: addressOf(started) })
            .catch((error) => terminal.warn(`The state file could not be written: ${messageOf(error)}`));
          if (previous) terminal.say(`${name} runs again.`);
          return started;
        },
        onRestart: (reason) => terminal.warn(`${reason}; starting it again…`),
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
        for (const gone of parts) running.splice(running.indexOf(gone), 1);
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
    // It has ended already.
  }
}
