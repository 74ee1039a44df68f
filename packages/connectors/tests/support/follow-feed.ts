import { expect } from '@jest/globals';
import type { Connector } from '#connector';
import type { SourceEvent, SourceRef } from '#source';
import { call, readBody } from './read-source.ts';

/** What an index would have of an item. */
export interface Indexed {
  readonly version: string | undefined;
  readonly path: string;
  readonly text: string;
}

/** Follows a source like the sync engine: full listings, and the change feed between them. */
export function createFollower(open: () => Connector) {
  const index = new Map<string, Indexed>();
  let cursor: string | undefined;

  const put = async (ref: SourceRef) => {
    const known = index.get(ref.id);
    if (known?.version === ref.version) {
      index.set(ref.id, { ...known!, path: ref.path });
      return;
    }
    try {
      const { version = ref.version, body } = await open().fetch(call, ref);
      index.set(ref.id, { version, path: ref.path, text: await readBody(body) });
    } catch (error) {
      expect(error).toMatchObject({ kind: 'gone' });
      index.delete(ref.id);
    }
  };
  const apply = async (event: SourceEvent) => {
    if (event.type === 'failed') throw new Error(`${event.path}: ${event.error.message}`);
    if (event.type === 'item') await put(event.ref);
    if (event.type === 'gone') index.delete(event.id);
  };

  const list = async () => {
    cursor = await open().cursor!(call);
    const listed = new Set<string>();
    const known = [...index.keys()];
    for await (const event of open().list(call)) {
      await apply(event);
      if (event.type === 'item') listed.add(event.ref.id);
    }
    for (const id of known) {
      if (listed.has(id)) continue;
      const ref = await open().resolve(call, id);
      if (ref === null) index.delete(id);
      else await put(ref);
    }
  };

  return {
    index,
    list,
    /** Reads the changes, or lists everything if they are not enough. */
    follow: async () => {
      try {
        for await (const event of open().changes!(call, cursor ?? '')) {
          await apply(event);
          if (event.type === 'checkpoint') cursor = event.at;
        }
      } catch (error) {
        expect(error).toMatchObject({ kind: 'gone' });
        await list();
      }
    },
  };
}
