import { startGoogleDriveServer } from '@lectern/testing';
import { googleDriveType } from '#google-drive/google-drive-type';
import { publicAddresses } from '#host';
import { platformSource } from './conformance/platform-source.ts';
import { runConformance } from './conformance/run-conformance.ts';
import type { TestSource } from './conformance/test-source.ts';
import { createTestHost } from './support/test-host.ts';

const DOC = 'application/vnd.google-apps.document';
const USERS = ['100000001', '100000002'];
const BOB = { displayName: 'Bob', emailAddress: 'bob@example.com' };

/** Every third file is a Google document. Two users and a shared drive own the files in turns. */
async function start(): Promise<TestSource> {
  const server = await startGoogleDriveServer({ pageSize: 7 });
  const { model, directory, delegation } = server;
  directory.putUser({ id: USERS[1]!, primaryEmail: BOB.emailAddress });
  directory.putGroup('team@example.com', [{ type: 'USER', email: BOB.emailAddress }]);
  const { origin } = server;
  const addresses = { ...publicAddresses, google: origin, googleAdmin: origin, googleToken: `${origin}/token` };
  const host = createTestHost({ addresses });
  const write = (id: string, name: string, text: string, place: object) => {
    const isDoc = Number(id.split('-')[1]) % 3 === 0;
    const content = isDoc ? { mimeType: DOC, exports: { 'text/markdown': text } } : { content: text };
    model.put({ id, name, ...content, ...place });
  };
  const fileOf = (id: string) => model.files.get(id.split('/')[2]!)!;
  const placeOf = (number: number) => {
    if (number % 4 === 0 && model.drives.has('d1')) return { prefix: 'drive/d1', place: { driveId: 'd1' } };
    const isBob = number % 4 === 1;
    const place = isBob ? { owner: BOB, permissions: [] } : {};
    return { prefix: `user/${isBob ? USERS[1] : USERS[0]}`, place };
  };
  let number = 0;
  return {
    ...platformSource(server),
    open: (credentials = 'valid') =>
      googleDriveType.open({
        config: {},
        credentials: {
          serviceAccountKey: delegation.keyFile({ revoked: credentials === 'wrong' }),
          adminEmail: 'ada@example.com',
        },
        host,
      }),
    add: async (items) => {
      if (!model.drives.has('d1') && items.length > 3) {
        model.addDrive('d1', 'Shared');
        directory.setDriveMembers('d1', [
          { id: 'p-team', type: 'group', role: 'organizer', emailAddress: 'team@example.com' },
        ]);
      }
      return items.map(({ name, text }) => {
        number += 1;
        const id = `file-${`${number}`.padStart(5, '0')}`;
        const { prefix, place } = placeOf(number);
        write(id, name, text, place);
        return `${prefix}/${id}`;
      });
    },
    change: async (id, text) => {
      const { id: fileId, name, owner, permissions } = fileOf(id);
      write(fileId, name, text, { owner, permissions });
    },
    rename: async (id, name) => {
      model.rename(fileOf(id).id, name);
      return id;
    },
    remove: async (id) => model.remove(fileOf(id).id),
    expireTokens: () => delegation.expireTokens(),
    // The first token of each user is no renewal.
    renewals: () => Math.max(0, ...[...delegation.issued.values()].map((count) => count - 1)),
    stop: async () => {
      await host.close();
      await server.stop();
    },
  };
}

runConformance({
  type: 'google_drive with a service account',
  lacks: ['change feed', 'writing'],
  start,
  keepsIdOnRename: true,
});
