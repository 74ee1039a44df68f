import {
  type Connector,
  type ConnectorType,
  defineType,
  SourceError,
  type SourceEvent,
  type SourceGroup,
  type SourceRef,
} from '@lectern/connectors';
import { z } from 'zod';

/** A source whose content and failures a test controls. */
export interface ScriptedSource {
  /** Only lists, without a change feed and permissions. */
  readonly type: ConnectorType;
  /** The same content with a change feed, permissions and groups. */
  readonly richType: ConnectorType;
  /** Content by id. Its version is the content itself, unless `versions` is off. */
  readonly items: Map<string, string>;
  /** Titles by id, if different from the id. */
  readonly titles: Map<string, string>;
  /** Items that exist but are missing from the listing. */
  readonly unlisted: Set<string>;
  /** Failures for unreadable entries that a listing reports at its end. */
  readonly failures: SourceEvent[];
  /** Items that the source returns in an unexpected format. */
  readonly unreadable: Set<string>;
  versions: boolean;
  authoritative: boolean;
  confirmGone: boolean;
  /** The change feed. Its cursors are indexes of this list. */
  readonly feed: SourceEvent[];
  /** The first cursor that has not expired. */
  oldestCursor: number;
  readonly principals: Map<string, readonly string[]>;
  /** The versions for which the readers were read, by item id. */
  readonly readVersions: Map<string, string | undefined>;
  groups: SourceGroup[];
  /** Runs before the groups are read and can throw. */
  beforeGroups: () => Promise<void>;
  /** Runs before each page is listed (counted from 0 over all listings) and can throw. */
  beforePage: (page: number) => Promise<void>;
  beforeFetch: (id: string) => Promise<void>;
  /** Checkpoints at which a listing started, and cursors from which the feed was read. */
  readonly listingStarts: (string | undefined)[];
  readonly feedReads: string[];
  fetches: number;
  /** Removes all content and failures. */
  reset(): void;
}

const PAGE = 10;

const unexpectedFormat = () => new SourceError('invalid', 'The source returned data in an unexpected format.');

const blank = () => ({
  versions: true,
  authoritative: true,
  confirmGone: false,
  oldestCursor: 0,
  groups: [],
  fetches: 0,
  beforePage: async () => undefined,
  beforeFetch: async () => undefined,
  beforeGroups: async () => undefined,
});

export function createScriptedSource(): ScriptedSource {
  const refOf = (id: string): SourceRef => ({
    id,
    path: id,
    title: source.titles.get(id) ?? id,
    version: source.versions ? source.items.get(id) : undefined,
    url: `https://source.test/${id}`,
  });

  async function* list(from: string | undefined): AsyncGenerator<SourceEvent, void, void> {
    source.listingStarts.push(from);
    const listed = [...source.items.keys()].filter((id) => !source.unlisted.has(id));
    const ids = listed.sort().filter((id) => from === undefined || id > from);
    for (let at = 0, page = 0; at < ids.length; at += PAGE, page += 1) {
      await source.beforePage(page);
      const batch = ids.slice(at, at + PAGE);
      for (const id of batch) yield { type: 'item', ref: refOf(id) };
      yield { type: 'checkpoint', at: batch.at(-1) ?? '' };
    }
    yield* source.failures;
    yield { type: 'complete', authoritative: source.authoritative, confirmGone: source.confirmGone };
  }

  async function* changes(from: string): AsyncGenerator<SourceEvent, void, void> {
    source.feedReads.push(from);
    if (Number(from) < source.oldestCursor) throw new SourceError('gone', 'The cursor is too old.');
    for (const [at, event] of [...source.feed.entries()].slice(Number(from))) {
      yield event.type === 'item' ? { type: 'item', ref: refOf(event.ref.id) } : event;
      yield { type: 'checkpoint', at: String(at + 1) };
    }
    yield { type: 'complete', authoritative: false };
  }

  const connector: Connector = {
    test: async () => [{ name: 'connection', ok: true, message: 'The scripted source responds.' }],
    list: (_call, from) => list(from),
    resolve: async (_call, id) => {
      if (source.unreadable.has(id)) throw unexpectedFormat();
      return source.items.has(id) ? refOf(id) : null;
    },
    fetch: async (_call, ref) => {
      await source.beforeFetch(ref.id);
      if (source.unreadable.has(ref.id)) throw unexpectedFormat();
      source.fetches += 1;
      const content = source.items.get(ref.id);
      if (content === undefined) throw new SourceError('gone', `${ref.id} is gone.`);
      const body = (async function* () {
        yield Buffer.from(content);
      })();
      return { body, version: source.versions ? content : undefined, fileName: `${ref.id}.txt`, metadata: {} };
    },
  };
  const rich: Connector = {
    ...connector,
    cursor: async () => String(source.feed.length),
    changes: (_call, from) => changes(from),
    permissions: async function* (_call, refs) {
      for (const { id, version } of refs) {
        source.readVersions.set(id, version);
        // The error of a client that received an unexpected response.
        if (source.unreadable.has(id)) throw new TypeError('Cannot read properties of undefined');
        const principals = source.principals.get(id);
        if (principals !== undefined) yield { id, principals };
      }
    },
    groups: async function* () {
      await source.beforeGroups();
      yield* source.groups;
    },
  };
  const typeOf = (name: string, opened: Connector) =>
    defineType({
      name,
      acceptsFiles: false,
      config: z.strictObject({
        folder: z.string().optional(),
        depth: z.number().optional(),
        principals: z.array(z.string()).optional(),
      }),
      credentials: z.strictObject({ token: z.string().optional() }),
      open: () => opened,
    });

  const source: ScriptedSource = {
    ...blank(),
    items: new Map(),
    titles: new Map(),
    unlisted: new Set(),
    failures: [],
    unreadable: new Set(),
    principals: new Map(),
    readVersions: new Map(),
    feed: [],
    listingStarts: [],
    feedReads: [],
    reset: () => {
      for (const part of [source.items, source.titles, source.unlisted, source.unreadable, source.principals])
        part.clear();
      source.readVersions.clear();
      for (const part of [source.feed, source.listingStarts, source.feedReads, source.failures]) part.length = 0;
      Object.assign(source, blank());
    },
    type: typeOf('scripted', connector),
    richType: typeOf('scripted_rich', rich),
  };
  return source;
}
