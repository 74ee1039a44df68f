import { databaseError } from '#postgresql/database-error';
import type { DatabaseClient } from '#postgresql/open-database';

const IDLE_MS = 10_000;
const MAX_IDLE = 2;

/** The connections of a connector. They stay open briefly, so that small reads share them. */
export interface Sessions {
  /** Runs `use` with a connection, which is ended on failure or abort. Throws `SourceError`. */
  use<T>(signal: AbortSignal, use: (client: DatabaseClient) => Promise<T>): Promise<T>;
  /** Opens a connection for the caller, who must `end` it. */
  take(signal: AbortSignal): Promise<{ readonly client: DatabaseClient; end(): void }>;
  close(): Promise<void>;
}

interface Idle {
  readonly client: DatabaseClient;
  readonly timer: NodeJS.Timeout;
  readonly lost: () => void;
}

const end = (client: DatabaseClient): Promise<void> => client.end().catch(() => undefined);

export function createSessions(open: (signal: AbortSignal) => Promise<DatabaseClient>): Sessions {
  const idle: Idle[] = [];
  let closed = false;

  const keep = (client: DatabaseClient) => {
    if (closed || idle.length >= MAX_IDLE) return void end(client);
    const lost = () => drop(entry);
    const entry: Idle = { client, lost, timer: setTimeout(lost, IDLE_MS).unref() };
    idle.push(entry);
    client.once('end', lost);
  };
  const drop = (entry: Idle) => {
    const at = idle.indexOf(entry);
    if (at < 0) return;
    idle.splice(at, 1);
    clearTimeout(entry.timer);
    void end(entry.client);
  };
  const acquire = async (signal: AbortSignal): Promise<DatabaseClient> => {
    const entry = idle.pop();
    if (entry === undefined) return open(signal);
    clearTimeout(entry.timer);
    entry.client.off('end', entry.lost);
    return entry.client;
  };
  /** Ends the connection when the signal aborts, so that pending queries reject. */
  const guard = (client: DatabaseClient, signal: AbortSignal): (() => void) => {
    const onAbort = () => void end(client);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    return () => signal.removeEventListener('abort', onAbort);
  };

  return {
    use: async (signal, use) => {
      const client = await acquire(signal);
      const release = guard(client, signal);
      try {
        const result = await use(client);
        keep(client);
        return result;
      } catch (error) {
        void end(client);
        signal.throwIfAborted();
        throw databaseError(error);
      } finally {
        release();
      }
    },
    take: async (signal) => {
      const client = await open(signal);
      const release = guard(client, signal);
      return {
        client,
        end: () => {
          release();
          void end(client);
        },
      };
    },
    close: async () => {
      closed = true;
      await Promise.all(
        idle.splice(0).map(({ client, timer }) => {
          clearTimeout(timer);
          return end(client);
        }),
      );
    },
  };
}
