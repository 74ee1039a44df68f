import type { Connector, ConnectorType } from '@lectern/connectors';
import { createCache } from '@lectern/resilience';
import { countLookup, type Logger } from '@lectern/service-kit';

/** An unused source is closed after this time. */
const IDLE_MS = 60_000;
const MAX_OPEN = 100;

interface Entry {
  /** Identifies the settings that the source was opened with. */
  readonly version: string;
  readonly source: Connector;
  users: number;
  isRetired: boolean;
  idle: NodeJS.Timeout | undefined;
}

/** Opens a source if it is not open with these settings yet. */
interface Opening {
  readonly id: string;
  readonly version: string;
  open(): ReturnType<ConnectorType['open']>;
}

/** Open sources by connector, reused while their settings do not change. */
export interface SourceCache {
  use<T>(opening: Opening, work: (source: Connector) => Promise<T>): Promise<T>;
  /** Closes all sources; those in use when their last user is done. */
  close(): Promise<void>;
}

export function createSourceCache(log: Logger): SourceCache {
  const close = async (entry: Entry) => {
    clearTimeout(entry.idle);
    await entry.source.close?.().catch((err: unknown) => log.warn({ err }, 'could not close a source'));
  };
  /** Closes the source now, or when its last user is done. */
  const retire = async (entry: Entry) => {
    if (entry.isRetired) return;
    entry.isRetired = true;
    if (entry.users === 0) await close(entry);
  };
  const entries = createCache<string, Entry>({ maxEntries: MAX_OPEN, onEvict: (entry) => void retire(entry) });

  const acquire = ({ id, version, open }: Opening): Entry => {
    const known = entries.get(id);
    const isHit = known?.version === version;
    countLookup('source', isHit);
    const entry: Entry = isHit ? known : { version, source: open(), users: 0, isRetired: false, idle: undefined };
    entry.users += 1;
    clearTimeout(entry.idle);
    if (isHit) return entry;
    entries.set(id, entry);
    if (known !== undefined) void retire(known);
    return entry;
  };
  const expire = (id: string, entry: Entry) => {
    if (entries.peek(id) === entry) entries.delete(id);
    void retire(entry);
  };
  const release = async (id: string, entry: Entry) => {
    entry.users -= 1;
    if (entry.users > 0) return;
    if (entry.isRetired) return close(entry);
    entry.idle = setTimeout(() => expire(id, entry), IDLE_MS).unref();
  };

  return {
    use: async (opening, work) => {
      const entry = acquire(opening);
      try {
        return await work(entry.source);
      } finally {
        await release(opening.id, entry);
      }
    },
    close: async () => {
      const open = [...entries.values()];
      entries.clear();
      await Promise.all(open.map(retire));
    },
  };
}
