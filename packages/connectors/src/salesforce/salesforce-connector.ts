import { runChecks } from '#checks/run-checks';
import type { Connector, ConnectorCall } from '#connector';
import type { ConnectorHost } from '#host';
import { listRecords, withFilterName } from '#salesforce/list-records';
import type { ObjectShape } from '#salesforce/object-shape';
import { createObjectShapes } from '#salesforce/object-shapes';
import { FILES, findQuery, ID, listQuery } from '#salesforce/queries';
import { readRecord } from '#salesforce/read-record';
import { recordMarkdown } from '#salesforce/record-markdown';
import { isoTime, textAt } from '#salesforce/record-value';
import { createSalesforceApi, type SalesforceRecord } from '#salesforce/salesforce-api';
import type { SalesforceCredentials } from '#salesforce/session';
import { refOfFile, refOfRecord } from '#salesforce/to-ref';
import type { SourceContent, SourceRef } from '#source';
import { SourceError } from '#source-error';

export interface SalesforceSettings {
  readonly objects: readonly string[] | undefined;
  readonly soqlFilter: string | undefined;
  readonly credentials: SalesforceCredentials;
}

/** Parses `Object/Id`. Files use the document id, but are also found by a version id. */
function parseId(id: string): { object: string; recordId: string } | undefined {
  const [object = '', recordId = '', ...rest] = id.split('/');
  return rest.length > 0 || object === '' || !ID.test(recordId) ? undefined : { object, recordId };
}

const gone = (path: string) => new SourceError('gone', `${path} no longer exists in Salesforce.`);

/** Opens an organization: the records of some objects, and files. */
export function openSalesforce(
  settings: SalesforceSettings,
  host: Pick<ConnectorHost, 'addresses' | 'egress' | 'maxItemBytes'>,
): Connector {
  const api = createSalesforceApi(settings.credentials, host);
  const shapes = createObjectShapes(api, settings.objects);
  const filter = settings.soqlFilter;

  /**
   * Finds a record by its id; `within` is the filter, undefined for records that were already
   * listed.
   */
  const find = async (call: ConnectorCall, id: string, within: string | undefined) => {
    const parsed = parseId(id);
    if (parsed === undefined) return undefined;
    const isDocument = /^contentdocument$/i.test(parsed.object);
    const shape = await shapes.find(call, isDocument ? FILES : parsed.object);
    if (shape === undefined) return undefined;
    const where = { filter: within, id: parsed.recordId };
    const record = await one(call, shape, where, shape.name === FILES && !isDocument);
    return record === undefined ? undefined : { shape, record };
  };

  const one = async (
    call: ConnectorCall,
    shape: ObjectShape,
    where: { filter: string | undefined; id: string },
    byVersion: boolean,
  ): Promise<SalesforceRecord | undefined> => {
    try {
      if (byVersion && shape.has('ContentDocumentId')) {
        const version = await api.record(call, shape.name, where.id);
        const documentId = textAt(version, 'ContentDocumentId');
        return ID.test(documentId) ? await one(call, shape, { ...where, id: documentId }, false) : undefined;
      }
      const { records } = await api.query(call, findQuery(shape, where), `${shape.name}/${where.id}`);
      return records[0];
    } catch (error) {
      if (error instanceof SourceError && error.kind === 'gone') return undefined;
      throw withFilterName(error, shape, where.filter);
    }
  };

  const toRef = async (call: ConnectorCall, { shape, record }: { shape: ObjectShape; record: SalesforceRecord }) => {
    const make = shape.name === FILES ? refOfFile : refOfRecord;
    return make(shape, record, await api.instance(call));
  };

  const readFile = async (call: ConnectorCall, listed: SourceRef): Promise<SourceContent> => {
    const found = await find(call, listed.id, undefined);
    if (found === undefined) throw gone(listed.path);
    const ref = await toRef(call, found);
    if (ref.sizeBytes !== undefined && ref.sizeBytes > host.maxItemBytes) {
      throw new SourceError('too_large', `${ref.path} is larger than the limit of ${host.maxItemBytes} bytes.`);
    }
    const body = await api.fileContent(call, found.record.Id, ref.path);
    return { body, version: ref.version, fileName: ref.path, metadata: { object: FILES } };
  };

  const readAsMarkdown = async (call: ConnectorCall, listed: SourceRef): Promise<SourceContent> => {
    const parsed = parseId(listed.id);
    const shape = parsed === undefined ? undefined : await shapes.find(call, parsed.object);
    if (parsed === undefined || shape === undefined) throw gone(listed.path);
    const record = await readRecord(api, call, shape, parsed.recordId);
    const { version, title } = refOfRecord(shape, record, '');
    const createdAt = shape.created === undefined ? undefined : isoTime(textAt(record, shape.created));
    const bytes = new TextEncoder().encode(recordMarkdown(shape, record));
    return {
      body: (async function* () {
        yield bytes;
      })(),
      version,
      fileName: `${title.replaceAll('/', '-').slice(0, 120)}.md`,
      metadata: { object: shape.name, ...(createdAt === undefined ? {} : { createdAt }) },
    };
  };

  return {
    test: (call) =>
      runChecks([
        ['sign-in', async () => `Salesforce accepts the credentials at ${await api.instance(call)}.`],
        [
          'objects',
          async () =>
            `These objects can be read: ${(await shapes.all(call)).shapes.map(({ name }) => name).join(', ')}.`,
        ],
        [
          'records',
          async () => {
            for (const shape of (await shapes.all(call)).shapes) {
              await api.query(call, listQuery(shape, { filter }), shape.name).catch((error: unknown) => {
                throw withFilterName(error, shape, filter);
              });
            }
            return 'Records can be queried.';
          },
        ],
      ]),
    list: (call, from) => listRecords({ api, shapes, filter }, call, from),
    resolve: async (call, id) => {
      const found = await find(call, id, filter);
      return found === undefined ? null : toRef(call, found);
    },
    fetch: (call, ref) =>
      /^content(version|document)\//i.test(ref.id) ? readFile(call, ref) : readAsMarkdown(call, ref),
  };
}
