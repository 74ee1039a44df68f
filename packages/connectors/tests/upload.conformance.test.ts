import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFolderBlobStore } from '#blobs/folder-blob-store';
import type { UploadedFile } from '#upload/file-catalog';
import { uploadType } from '#upload/upload-type';
import { runConformance } from './conformance/run-conformance.ts';
import { openType } from './support/open-type.ts';
import { createTestHost } from './support/test-host.ts';

runConformance({
  type: 'upload',
  lacks: ['requests', 'tokens', 'change feed', 'permissions', 'writing'],
  hasCredentials: false,
  start: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lectern-upload-'));
    const blobs = await createFolderBlobStore(folder);
    const files = new Map<string, UploadedFile>();
    const { signal } = new AbortController();
    const store = async (path: string, text: string) => {
      const blobKey = randomUUID();
      const body = (async function* () {
        yield Buffer.from(text);
      })();
      const { sizeBytes } = await blobs.put(blobKey, body, { maxBytes: 1_000_000, signal });
      files.set(path, { path, blobKey, sizeBytes, mimeType: 'text/plain', updatedAt: new Date(), metadata: {} });
    };
    const inOrder = () => [...files.values()].sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
    const host = createTestHost({
      blobs,
      files: {
        find: async (path) => files.get(path),
        page: async (after, limit) => {
          const start = inOrder().filter(
            ({ path }) => after === undefined || Buffer.compare(Buffer.from(path), Buffer.from(after)) > 0,
          );
          return start.slice(0, limit);
        },
      },
    });
    return {
      open: () => openType(uploadType, {}, {}, host),
      add: async (wanted) => {
        for (const { name, text } of wanted) await store(`sent/${name}.txt`, text);
        return wanted.map(({ name }) => `sent/${name}.txt`);
      },
      change: store,
      rename: async (id, name) => {
        const file = files.get(id);
        files.delete(id);
        const path = `sent/${name}.txt`;
        if (file !== undefined) files.set(path, { ...file, path });
        return path;
      },
      remove: async (id) => void files.delete(id),
      stop: async () => {
        await host.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  },
});
