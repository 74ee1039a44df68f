import { authorsOf } from '#confluence/authors';
import { changedContent, cursorAt } from '#confluence/changed-content';
import { createCloudApi } from '#confluence/cloud-api';
import type { ConfluenceApi, Space } from '#confluence/confluence-api';
import { createConfluenceHttp } from '#confluence/confluence-http';
import { createDataCenterApi } from '#confluence/data-center-api';
import { instanceOf, siteOf } from '#confluence/instance-url';
import { parseItemId } from '#confluence/item-id';
import { attachmentRef, pageRef } from '#confluence/item-refs';
import { listContent } from '#confluence/list-content';
import { readContent } from '#confluence/read-content';
import { readConfluenceError, readListError } from '#confluence/read-error';
import { readGroups, readPermissions } from '#confluence/read-permissions';
import type { ConnectionCheck, Connector, ConnectorCall } from '#connector';
import type { ConnectorHost } from '#host';
import { createSourceHttp } from '#http/create-source-http';
import { fixedAuthorization } from '#http/fixed-authorization';
import { createAccounts } from '#readers/accounts';
import type { AtlassianLogin } from '#settings/atlassian-settings';
import type { SourceRef } from '#source';
import { SourceError } from '#source-error';

export interface ConfluenceSettings {
  readonly instanceUrl: string;
  readonly spaceKeys: readonly string[];
  readonly credentials: AtlassianLogin;
}

function openApi(settings: ConfluenceSettings, host: Pick<ConnectorHost, 'egress'>): ConfluenceApi {
  const { credentials } = settings;
  const cloud = 'email' in credentials;
  const authorization = cloud
    ? `Basic ${Buffer.from(`${credentials.email}:${credentials.apiToken}`).toString('base64')}`
    : `Bearer ${credentials.token}`;
  const common = {
    fetch: host.egress.fetch,
    platform: 'Confluence',
    authorize: fixedAuthorization(authorization, 'Confluence'),
  };
  const clients = {
    http: createSourceHttp({ ...common, errorOf: readConfluenceError }),
    lists: createSourceHttp({ ...common, errorOf: readListError }),
  };
  const instance = instanceOf(settings.instanceUrl, cloud);
  const confluenceHttp = createConfluenceHttp(clients, instance);
  return cloud ? createCloudApi(confluenceHttp) : createDataCenterApi(confluenceHttp);
}

async function testConnection(
  api: ConfluenceApi,
  spaceKeys: readonly string[],
  call: ConnectorCall,
): Promise<readonly ConnectionCheck[]> {
  const checks: ConnectionCheck[] = [];
  const step = async (name: string, check: () => Promise<string>): Promise<boolean> => {
    try {
      checks.push({ name, ok: true, message: await check() });
      return true;
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      checks.push({ name, ok: false, message: error.message, kind: error.kind });
      return false;
    }
  };
  let spaces: readonly Space[] = [];
  const connected = await step('connection', async () => {
    spaces = (await api.spaces(call, spaceKeys)).items;
    return 'Confluence accepts the credentials.';
  });
  if (!connected) return checks;
  const found = await step('spaces', async () => {
    const missing = spaceKeys.filter((key) => !spaces.some((space) => space.key === key));
    if (missing.length === 0 && spaces.length > 0) return `${spaces.length} spaces can be read.`;
    throw new SourceError(
      'invalid',
      missing.length === 0
        ? 'No space is visible to this account. Give it access to a space.'
        : `These spaces do not exist or are not visible to this account: ${missing.join(', ')}. Check spaceKeys, or give the account access.`,
    );
  });
  if (!found) return checks;
  await step('pages', async () => {
    const [first] = spaces;
    if (first !== undefined) await api.pages(call, first);
    return 'Pages can be read.';
  });
  return checks;
}

/** Opens an instance, Cloud or Data Center. */
export function openConfluence(
  settings: ConfluenceSettings,
  host: Pick<ConnectorHost, 'egress' | 'maxItemBytes'>,
): Connector {
  const api = openApi(settings, host);
  const accounts = createAccounts({ source: 'confluence', load: (call, ids) => api.accounts(call, ids) });
  const { spaceKeys } = settings;
  const listing = { api, accounts, spaceKeys };
  const readers = { api, accounts, site: siteOf(settings.instanceUrl, 'email' in settings.credentials) };

  const resolve = async (call: ConnectorCall, id: string): Promise<SourceRef | null> => {
    const item = parseItemId(id);
    if (item === undefined || (spaceKeys.length > 0 && !spaceKeys.includes(item.spaceKey))) return null;
    const page = await api.page(call, item.pageId);
    // A page that moved to another space is another item there.
    if (page === null || page.space.key !== item.spaceKey) return null;
    const attachment = item.attachmentId === undefined ? undefined : await api.attachment(call, item.attachmentId);
    if (attachment === null || (attachment !== undefined && attachment.pageId !== page.id)) return null;
    const content = attachment ?? page;
    const author = (await authorsOf(accounts, call, [content])).get(content.id);
    return attachment === undefined ? pageRef(page, author) : attachmentRef(attachment, page.space.key, author);
  };

  return {
    test: (call) => testConnection(api, spaceKeys, call),
    list: (call, from) => listContent(listing, call, from),
    cursor: async () => cursorAt(new Date()),
    changes: (call, from) => changedContent(listing, call, from),
    resolve,
    fetch: (call, ref) => readContent(api, call, ref, host.maxItemBytes),
    permissions: (call, refs) => readPermissions(readers, call, refs),
    groups: (call) => readGroups(readers, call),
  };
}
