import { type ConnectorType, defineType, SourceError, type SourceEvent, type SourceRef } from '@lectern/connectors';
import { z } from 'zod';

/** A source whose content and faults a test sets. */
export interface ScriptedSource {
  readonly type: ConnectorType;
  /** Content by id. Its version is the content itself, unless `versions` is off. */
  readonly items: Map<string, string>;
  versions: boolean;
  authoritative: boolean;
  /** Runs before each page is listed (counted from 0 over all listings) and may throw. */
  beforePage: (page: number) => Promise<void>;
  beforeFetch: (id: string) => Promise<void>;
  /** Checkpoints from which a listing began. */
  readonly begins: (string | undefined)[];
  fetches: number;
  /** Empty and without faults again. */
  reset(): void;
}

const PAGE = 10;

export function createScriptedSource(): ScriptedSource {
  const refOf = (id: string): SourceRef => ({
    id,
    path: id,
    title: id,
    version: source.versions ? source.items.get(id) : undefined,
    url: `https://source.test/${id}`,
  });

  async function* list(from: string | undefined): AsyncGenerator<SourceEvent, void, void> {
    source.begins.push(from);
    const ids = [...source.items.keys()].sort().filter((id) => from === undefined || id > from);
    for (let at = 0, page = 0; at < ids.length; at += PAGE, page += 1) {
      await source.beforePage(page);
      const batch = ids.slice(at, at + PAGE);
      for (const id of batch) yield { type: 'item', ref: refOf(id) };
      yield { type: 'checkpoint', at: batch.at(-1) ?? '' };
    }
    yield { type: 'complete', authoritative: source.authoritative };
  }

  const source: ScriptedSource = {
    items: new Map(),
    versions: true,
    authoritative: true,
    beforePage: async () => undefined,
    beforeFetch: async () => undefined,
    begins: [],
    fetches: 0,
    reset: () => {
      source.items.clear();
      source.begins.length = 0;
      source.versions = true;
      source.authoritative = true;
      source.fetches = 0;
      source.beforePage = async () => undefined;
      source.beforeFetch = async () => undefined;
    },
    type: defineType({
      name: 'scripted',
      acceptsFiles: false,
      config: z.strictObject({ folder: z.string().optional(), depth: z.number().optional() }),
      credentials: z.strictObject({ token: z.string().optional() }),
      open: () => ({
        test: async () => [{ name: 'connection', ok: true, message: 'The scripted source answers.' }],
        list: (_call, from) => list(from),
        resolve: async (_call, id) => (source.items.has(id) ? refOf(id) : null),
        fetch: async (_call, ref) => {
          await source.beforeFetch(ref.id);
          source.fetches += 1;
          const content = source.items.get(ref.id);
          if (content === undefined) throw new SourceError('gone', `${ref.id} is gone.`);
          const body = (async function* () {
            yield Buffer.from(content);
          })();
          return { body, version: source.versions ? content : undefined, fileName: `${ref.id}.txt`, metadata: {} };
        },
      }),
    }),
  };
  return source;
}
