import { createEgressGuard, parseEgressAllow } from '@lectern/egress';
import type { ConnectorHost } from '#host';
import { publicAddresses } from '#host';
import { SourceError } from '#source-error';
import type { PageMemory } from '#web/page-memory';

const missing = (what: string) => () => {
  throw new Error(`This test has no ${what}.`);
};

export interface TestHost extends ConnectorHost {
  close(): Promise<void>;
}

function createPageMemory(): PageMemory {
  const pages = new Map<string, string>();
  return {
    find: async (url) => JSON.parse(pages.get(url) ?? 'null'),
    store: async (url, page) => void pages.set(url, JSON.stringify(page)),
    forget: async () => undefined,
  };
}

/** Creates a host whose guard allows only public addresses and the given entries. */
export function createTestHost(options: Partial<ConnectorHost> & { readonly allow?: string } = {}): TestHost {
  const { allow = '', ...host } = options;
  const egress = createEgressGuard({ allow: parseEgressAllow(allow) });
  const unauthorized = async () => {
    throw new SourceError('auth', 'The connector is not authorized yet.');
  };
  return {
    blobs: { put: missing('blobs'), open: missing('blobs'), remove: missing('blobs') },
    files: { page: missing('files'), find: missing('files') },
    items: { page: missing('items'), find: missing('items') },
    pages: createPageMemory(),
    egress,
    addresses: publicAddresses,
    tokens: { access: unauthorized, renew: unauthorized },
    renewCredential: (_field, known, renew) => renew(known),
    maxItemBytes: 20 * 1024 * 1024,
    ...host,
    close: () => egress.close(),
  };
}
