import { randomUUID } from 'node:crypto';
import { temporaryFolder } from '@lectern/testing';
import { createFolderBlobStore } from '#blobs/folder-blob-store';
import { customType } from '#custom/custom-type';
import type { StoredItem } from '#custom/item-catalog';
import { runConformance } from './conformance/run-conformance.ts';
import { openType } from './support/open-type.ts';
import { createTestHost } from './support/test-host.ts';

const inByteOrder = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

runConformance({
  type: 'custom',
  lacks: ['requests', 'tokens', 'change feed', 'writing'],
  hasCredentials: false,
  start: async () => {
    const folder = await temporaryFolder();
    const blobs = await createFolderBlobStore(folder.path);
    const items = new Map<string, StoredItem>();
    const { signal } = new AbortController();
    const store = async (id: string, text: string) => {
      const blobKey = randomUUID();
      const body = (async function* () {
        yield Buffer.from(text);
      })();
      const { sizeBytes, sha256: version } = await blobs.put(blobKey, body, { maxBytes: 1_000_000, signal });
      const properties = { title: id, fileName: 'item.txt', mimeType: 'text/plain', metadata: {} };
      items.set(id, { ...properties, id, blobKey, sizeBytes, version, principals: undefined });
    };
    const host = createTestHost({
      blobs,
      items: {
        find: async (id) => items.get(id),
        page: async (after, limit) =>
          [...items.values()]
            .sort((a, b) => inByteOrder(a.id, b.id))
            .filter(({ id }) => after === undefined || inByteOrder(id, after) > 0)
            .slice(0, limit),
      },
    });
    return {
      open: () => openType(customType, {}, {}, host),
      add: async (wanted) => {
        for (const { name, text } of wanted) await store(`pages/${name}`, text);
        return wanted.map(({ name }) => `pages/${name}`);
      },
      change: store,
      rename: async (id, name) => {
        const item = items.get(id);
        items.delete(id);
        const renamed = `pages/${name}`;
        if (item !== undefined) items.set(renamed, { ...item, id: renamed });
        return renamed;
      },
      remove: async (id) => void items.delete(id),
      stop: async () => {
        await host.close();
        await folder.remove();
      },
    };
  },
});
