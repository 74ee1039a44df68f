import { startSalesforceServer } from '@lectern/testing';
import { publicAddresses } from '#host';
import { salesforceType } from '#salesforce/salesforce-type';
import { platformSource } from './conformance/platform-source.ts';
import { runConformance } from './conformance/run-conformance.ts';
import type { TestSource } from './conformance/test-source.ts';
import { createTestHost } from './support/test-host.ts';

/** Alternates between accounts and contacts; every fifth item is a file. */
async function start(): Promise<TestSource> {
  const server = await startSalesforceServer({ batchSize: 7 });
  const { model, clientId, clientSecret } = server;
  const host = createTestHost({ addresses: { ...publicAddresses, salesforceLogin: server.origin } });
  const credentials = {
    valid: { clientId, clientSecret },
    wrong: { clientId, clientSecret: 'not-the-secret' },
  };
  let number = 0;
  const recordOf = (id: string) => {
    const [object = '', key = ''] = id.split('/');
    if (object !== 'ContentDocument') return { object, key };
    const versions = [...model.records.values()].filter((record) => record.ContentDocumentId === key);
    return { object, key: String(versions.find((record) => record.IsLatest === true)?.Id) };
  };
  return {
    ...platformSource(server),
    open: (which = 'valid') =>
      salesforceType.open({
        config: { objects: ['Account', 'Contact', 'ContentVersion'] },
        credentials: credentials[which],
        host,
      }),
    add: async (items) =>
      items.map(({ name, text }) => {
        number += 1;
        if (number % 5 === 0) {
          return `ContentDocument/${model.putFile({ title: name, extension: 'txt', content: text }).documentId}`;
        }
        const object = number % 2 === 0 ? 'Account' : 'Contact';
        return `${object}/${model.put(object, { Name: name, Description: text })}`;
      }),
    change: async (id, text) => {
      const { object, key } = recordOf(id);
      if (object !== 'ContentDocument') model.put(object, { Id: key, Description: text });
      else {
        const title = String(model.records.get(key)?.Title);
        model.putFile({ title, extension: 'txt', content: text, documentId: id.slice('ContentDocument/'.length) });
      }
    },
    rename: async (id, name) => {
      const { object, key } = recordOf(id);
      if (object === 'ContentDocument') model.put('ContentVersion', { Id: key, Title: name });
      else model.put(object, { Id: key, Name: name });
      return id;
    },
    remove: async (id) => model.remove(recordOf(id).key),
    expireTokens: () => server.expireSessions(),
    // The first session is the sign-in itself.
    renewals: () => Math.max(server.logins() - 1, 0),
    stop: async () => {
      await host.close();
      await server.stop();
    },
  };
}

runConformance({
  type: 'salesforce',
  lacks: ['change feed', 'permissions', 'writing'],
  start,
  keepsIdOnRename: true,
  repeats: true,
});
