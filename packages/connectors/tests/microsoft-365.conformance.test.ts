import { startGraphServer } from '@lectern/testing';
import { microsoft365Type } from '#microsoft-365/microsoft-365-type';
import { platformSource } from './conformance/platform-source.ts';
import { runConformance } from './conformance/run-conformance.ts';
import type { TestSource } from './conformance/test-source.ts';
import { openType } from './support/open-type.ts';
import { createTestHost } from './support/test-host.ts';

/** Every third file is in the OneDrive of a user, every fourth in a folder. */
async function start(): Promise<TestSource> {
  const server = await startGraphServer({ pageSize: 7 });
  const host = createTestHost({ allow: new URL(server.origin).host });
  const { model, tenantId, clientId, clientSecret } = server;
  const ada = model.addUser('Ada');
  const library = model.addLibrary(model.addSite('/sites/marketing').id);
  const oneDrive = model.addOneDrive(ada.id);
  const folders = [library, oneDrive].map(({ id }) => model.add(id, 'Plans & more', { kind: 'folder' }).id);
  const ownerPermission = { roles: ['owner'], grantedToV2: { user: { id: ada.id, displayName: 'Ada' } } };
  for (const { rootId } of [library, oneDrive]) model.share(rootId, [ownerPermission]);
  let number = 0;
  const itemOf = (id: string) => id.split('/')[1] ?? '';
  return {
    ...platformSource(server),
    open: (credentials = 'valid') => {
      const secret = credentials === 'valid' ? clientSecret : 'wrong';
      const config = {
        sites: ['https://example.sharepoint.com/sites/marketing'],
        oneDrives: 'ada@example.com',
        endpoint: server.origin,
      };
      return openType(microsoft365Type, config, { tenantId, clientId, clientSecret: secret }, host);
    },
    add: async (items) =>
      items.map(({ name, text }) => {
        number += 1;
        const isOneDrive = number % 3 === 0;
        const drive = isOneDrive ? oneDrive : library;
        const folder = folders[isOneDrive ? 1 : 0];
        const place = number % 4 === 0 && folder !== undefined ? { parentId: folder } : {};
        return `${drive.id}/${model.add(drive.id, name, { content: text, ...place }).id}`;
      }),
    change: async (id, text) => model.write(itemOf(id), text),
    rename: async (id, name) => {
      model.rename(itemOf(id), name);
      return id;
    },
    remove: async (id) => model.remove(itemOf(id)),
    expireTokens: () => server.expireTokens(),
    renewals: () => Math.max(0, server.signIns - 1),
    stop: async () => {
      await server.stop();
      await host.close();
    },
  };
}

runConformance({ type: 'microsoft_365', lacks: ['writing'], start, keepsIdOnRename: true });
