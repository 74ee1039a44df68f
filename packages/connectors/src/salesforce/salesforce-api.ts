import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import type { ConnectorHost } from '#host';
import { createSourceHttp } from '#http/create-source-http';
import { entriesOf, type UnreadableEntry } from '#http/entries';
import { createSalesforceErrorReader } from '#salesforce/read-error';
import { createSession, type SalesforceCredentials } from '#salesforce/session';
import { SourceError } from '#source-error';

const VERSION = 'v62.0';

export const SalesforceRecord = z.looseObject({ Id: z.string() });
export type SalesforceRecord = z.infer<typeof SalesforceRecord>;

const QueryPage = z.object({
  records: entriesOf(SalesforceRecord, { id: 'Id' }),
  done: z.boolean().default(true),
  nextRecordsUrl: z.string().optional(),
});

const Field = z.object({
  name: z.string(),
  label: z.string().optional(),
  type: z.string().default('string'),
  nameField: z.boolean().default(false),
  autoNumber: z.boolean().default(false),
  htmlFormatted: z.boolean().default(false),
  relationshipName: z.string().nullish(),
  referenceTo: z.array(z.string()).default([]),
});
export type SalesforceField = z.infer<typeof Field>;

const Description = z.object({
  name: z.string(),
  label: z.string().optional(),
  queryable: z.boolean().default(true),
  // Without unreadable fields.
  fields: entriesOf(Field, { id: 'name' }),
});
export type Description = z.infer<typeof Description>;

export interface QueryPage {
  readonly records: readonly SalesforceRecord[];
  readonly unreadable: readonly UnreadableEntry[];
  /** The path of the next page. */
  readonly next: string | undefined;
}

/** Requests to the REST API. */
export interface SalesforceApi {
  /** Origin of the instance. */
  instance(call: ConnectorCall): Promise<string>;
  describe(call: ConnectorCall, object: string): Promise<Description>;
  query(call: ConnectorCall, soql: string, what: string): Promise<QueryPage>;
  /** Reads the next page. */
  more(call: ConnectorCall, next: string, what: string): Promise<QueryPage>;
  /** Reads a record with all its fields, without those of related records. */
  record(call: ConnectorCall, object: string, id: string): Promise<SalesforceRecord>;
  fileContent(call: ConnectorCall, versionId: string, what: string): Promise<AsyncIterable<Uint8Array>>;
}

export function createSalesforceApi(
  credentials: SalesforceCredentials,
  host: Pick<ConnectorHost, 'addresses' | 'egress'>,
): SalesforceApi {
  const session = createSession(credentials, host);
  const login = new URL(host.addresses.salesforceLogin).origin;
  // The instance URL comes from the login response or a user. Only the operator's login address is
  // trusted.
  const egress = 'clientId' in credentials ? host.egress.trusting([login]) : host.egress;
  const http = createSourceHttp({
    platform: 'Salesforce',
    fetch: egress.fetch,
    authorize: session.authorize,
    errorOf: createSalesforceErrorReader(),
  });

  const at = async (call: ConnectorCall, path: string): Promise<URL> => {
    const instance = await session.instance(call);
    const url = new URL(path, instance);
    if (url.origin === instance) return url;
    throw new SourceError(
      'invalid',
      'Salesforce returned a page of results on another server. Check the instance URL.',
    );
  };
  const page = async (call: ConnectorCall, path: string, what: string): Promise<QueryPage> => {
    const headers = { 'sforce-query-options': 'batchSize=2000' };
    const { value } = await http.json({ ...call }, { url: await at(call, path), headers, what }, QueryPage);
    const { items: records, unreadable } = value.records;
    return { records, unreadable, next: value.done ? undefined : value.nextRecordsUrl };
  };
  const objectPath = (object: string, ...parts: readonly string[]) =>
    `/services/data/${VERSION}/sobjects/${[object, ...parts].map(encodeURIComponent).join('/')}`;

  return {
    instance: (call) => session.instance(call),
    describe: async (call, object) => {
      const url = await at(call, objectPath(object, 'describe'));
      return (await http.json({ ...call }, { url, what: `the object ${object}` }, Description)).value;
    },
    query: (call, soql, what) =>
      page(call, `/services/data/${VERSION}/query?${new URLSearchParams({ q: soql })}`, what),
    more: (call, next, what) => page(call, next, what),
    record: async (call, object, id) => {
      const url = await at(call, objectPath(object, id));
      return (await http.json({ ...call }, { url, what: `${object}/${id}` }, SalesforceRecord)).value;
    },
    fileContent: async (call, versionId, what) => {
      const url = await at(call, objectPath('ContentVersion', versionId, 'VersionData'));
      return (await http.download({ ...call }, { url, what, headers: { accept: '*/*' } })).value;
    },
  };
}
