import { startGoogleDriveServer } from '@lectern/testing';
import { googleDriveType } from '#google-drive/google-drive-type';
import { publicAddresses } from '#host';
import { platformSource, revokedTokens } from './conformance/platform-source.ts';
import { runConformance } from './conformance/run-conformance.ts';
import type { TestSource } from './conformance/test-source.ts';
import { createRefreshingTokens } from './support/refreshing-tokens.ts';
import { createTestHost } from './support/test-host.ts';

const DOC = 'application/vnd.google-apps.document';

/** Every third file is a Google document, every fourth is in a shared drive. */
async function start(): Promise<TestSource> {
  const server = await startGoogleDriveServer({ pageSize: 7 });
  const { model, oauth } = server;
  const addresses = { ...publicAddresses, google: server.origin };
  const tokens = createRefreshingTokens(server, '/token', googleDriveType.oauth!, oauth.grant());
  const hosts = {
    valid: createTestHost({ addresses, tokens }),
    wrong: createTestHost({ addresses, tokens: revokedTokens }),
  };
  let number = 0;
  const write = (id: string, name: string, text: string, place: object) => {
    const isDoc = Number(id.split('-')[1]) % 3 === 0;
    const content = isDoc ? { mimeType: DOC, exports: { 'text/markdown': text } } : { content: text };
    model.put({ id, name, ...content, ...place });
  };
  return {
    ...platformSource(server),
    open: (credentials = 'valid') => googleDriveType.open({ config: {}, credentials: {}, host: hosts[credentials] }),
    add: async (items) => {
      if (!model.drives.has('d1') && items.length > 3) model.addDrive('d1', 'Shared');
      return items.map(({ name, text }) => {
        number += 1;
        const id = `file-${`${number}`.padStart(5, '0')}`;
        write(id, name, text, number % 4 === 0 && model.drives.has('d1') ? { driveId: 'd1' } : {});
        return id;
      });
    },
    change: async (id, text) => write(id, model.files.get(id)!.name, text, {}),
    rename: async (id, name) => {
      model.rename(id, name);
      return id;
    },
    remove: async (id) => model.remove(id),
    expireTokens: () => oauth.expireAccess(),
    renewals: () => oauth.refreshes,
    stop: async () => {
      await Promise.all([hosts.valid.close(), hosts.wrong.close()]);
      await server.stop();
    },
  };
}

runConformance({ type: 'google_drive', lacks: ['writing'], start, keepsIdOnRename: true });
