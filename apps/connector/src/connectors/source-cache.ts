import type { Connector, ConnectorType } from '@lectern/connectors';
import { countLookup, type Logger } from '@lectern/service-kit';

/** An opened source is let go after so long without use. */
const IDLE_MS = 60_000;
/** Opened sources that nobody uses are let go, oldest first, beyond this many. */
const MAX_OPEN = 100;

interface Entry {
  /** Names the settings that the source was opened with. */
  readonly version: string;
  readonly source: Connector;
  users: number;
  retired: boolean;
  idle: NodeJS.Timeout | undefined;
}

/** How a source is opened where it is not open with these settings yet. */
export interface Opening {
  readonly id: string;
  readonly version: string;
  open(): ReturnType<ConnectorType['open']>;
}

/** Opened sources by connector, kept while they are used and shortly after. Settings that changed open a new one. */
export interface SourceCache {
  use<T>(opening: Opening, work: (source: Connector) => Promise<T>): Promise<T>;
  /** Closes all; those in use when they are given back. */
  close(): Promise<void>;
}

/** A cache of this process. */
export function createSourceCache(log: Logger): SourceCache {
  const entries = new Map<string, Entry>();

  const shut = async (entry: Entry) => {
    clearTimeout(entry.idle);
    await entry.source.close?.().catch((err: unknown) => log.warn({ err }, 'a source could not be closed'));
  };
  const retire = async (id: string, entry: Entry) => {
    if (entry.retired) return;
    entry.retired = true;
    if (entries.get(id) === entry) entries.delete(id);
    if (entry.users === 0) await shut(entry);
  };
  const makeRoom = async () => {
    for (const [id, entry] of entries) {
      if (entries.size < MAX_OPEN) return;
      if (entry.users === 0) await retire(id, entry);
    }
  };
  const take = ({ id, version, open }: Opening): Entry => {
    const known = entries.get(id);
    const isKnown = known?.version === version;
    countLookup('source', isKnown);
    if (isKnown) return known;
    const made: Entry = { version, source: open(), users: 0, retired: false, idle: undefined };
    entries.set(id, made);
    if (known !== undefined) void retire(id, known);
    return made;
  };
  const giveBack = async (id: string, entry: Entry) => {
    entry.users -= 1;
    if (entry.users > 0) return;
    if (entry.retired) return shut(entry);
    entry.idle = setTimeout(() => void retire(id, entry), IDLE_MS).unref();
  };

  return {
    use: async (opening, work) => {
      if (!entries.has(opening.id)) await makeRoom();
      const entry = take(opening);
      entry.users += 1;
      clearTimeout(entry.idle);
      try {
        return await work(entry.source);
      } finally {
        await giveBack(opening.id, entry);
      }
    },
    close: async () => {
      await Promise.all([...entries].map(([id, entry]) => retire(id, entry)));
    },
  };
}
