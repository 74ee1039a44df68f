import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import { failedEntry } from '#http/entries';
import type { ObjectShape } from '#salesforce/object-shape';
import type { ObjectShapes } from '#salesforce/object-shapes';
import { FILES, listQuery } from '#salesforce/queries';
import { SalesforceRejection } from '#salesforce/read-error';
import { isoTime, textAt } from '#salesforce/record-value';
import type { QueryPage, SalesforceApi, SalesforceRecord } from '#salesforce/salesforce-api';
import { refOfFile, refOfRecord } from '#salesforce/to-ref';
import { type SourceEvent, UNREADABLE_ENTRY } from '#source';
import { SourceError } from '#source-error';

/** The position of a listing: the object, and the time of its last listed change. */
const Checkpoint = z.object({ object: z.string(), since: z.string().optional() });

export interface Listing {
  readonly api: SalesforceApi;
  readonly shapes: ObjectShapes;
  readonly filter: string | undefined;
}

/** Returns true for a link to an external file, which has no content. */
const isLink = (shape: ObjectShape, record: SalesforceRecord) =>
  shape.name === FILES && textAt(record, 'FileType') === 'LINK';

/** Returns true for a file version without its document id, if the object has that field. */
const lacksDocument = (shape: ObjectShape, record: SalesforceRecord) =>
  shape.name === FILES &&
  (shape.has('ContentDocumentId') || !shape.isComplete) &&
  textAt(record, 'ContentDocumentId') === '';

/** Adds the filter to the error of a query that contains it. */
export function withFilterName(error: unknown, shape: ObjectShape, filter: string | undefined): unknown {
  if (!(error instanceof SalesforceRejection) || filter === undefined) return error;
  const message = `config.soqlFilter: Salesforce rejects it for ${shape.name}: ${error.reason}`;
  return new SourceError('invalid', message, { cause: error });
}

/** Yields the pages of one object. If the query result expires, starts again at the last change. */
async function* pagesOf({ api, filter }: Listing, call: ConnectorCall, shape: ObjectShape, from: string | undefined) {
  let since = from;
  const begin = () => {
    const query = listQuery(shape, { filter, since });
    return api.query(call, query, `records of ${shape.name}`).catch((error: unknown) => {
      throw withFilterName(error, shape, filter);
    });
  };
  let page: QueryPage = await begin();
  let lost: string | undefined;
  for (;;) {
    const last = page.records.at(-1);
    if (last !== undefined && shape.stamp !== undefined) since = isoTime(textAt(last, shape.stamp)) ?? since;
    yield { records: page.records, unreadable: page.unreadable, since };
    if (page.next === undefined) return;
    try {
      page = await api.more(call, page.next, `records of ${shape.name}`);
    } catch (error) {
      const isLost = error instanceof SalesforceRejection && error.code === 'INVALID_QUERY_LOCATOR';
      // Expired twice at the same position: another start would make no progress.
      if (!isLost || since === undefined || since === lost) throw error;
      lost = since;
      page = await begin();
    }
  }
}

/**
 * Lists the connector's objects one after another. A resumed listing repeats the records of its
 * start time.
 */
export async function* listRecords(
  listing: Listing,
  call: ConnectorCall,
  from: string | undefined,
): AsyncGenerator<SourceEvent, void, void> {
  const instance = await listing.api.instance(call);
  const { shapes, unreadable: failures } = await listing.shapes.all(call);
  for (const { name, error } of failures) {
    yield { type: 'failed', id: name, path: name, error: { code: UNREADABLE_ENTRY, message: error.message } };
  }
  const at = from === undefined ? undefined : Checkpoint.parse(JSON.parse(from));
  const start = at === undefined ? 0 : shapes.findIndex((shape) => shape.name === at.object);
  // If the object was removed from the configuration, its position is unknown: start again.
  for (const shape of shapes.slice(Math.max(start, 0))) {
    const first = shape.name === at?.object ? at.since : undefined;
    try {
      yield* listObject(listing, call, { shape, first, instance });
    } catch (error) {
      // An error in the filter is reported as one. An object that does not allow queries does not
      // affect the others.
      if (!(error instanceof SalesforceRejection)) throw error;
      yield {
        type: 'failed',
        id: shape.name,
        path: shape.name,
        error: { code: UNREADABLE_ENTRY, message: error.message },
      };
    }
  }
  yield { type: 'complete', authoritative: true };
}

interface ListedObject {
  readonly shape: ObjectShape;
  readonly first: string | undefined;
  readonly instance: string;
}

/** Yields the records of one object. */
async function* listObject(
  listing: Listing,
  call: ConnectorCall,
  { shape, first, instance }: ListedObject,
): AsyncGenerator<SourceEvent, void, void> {
  for await (const { records, unreadable, since } of pagesOf(listing, call, shape, first)) {
    const what = `the records of ${shape.name}`;
    for (const entry of unreadable) yield failedEntry(entry, { id: undefined, what });
    for (const record of records) {
      if (isLink(shape, record)) continue;
      if (lacksDocument(shape, record)) {
        // With the version's id, it would be another item, and the real item would be deleted.
        const entry = {
          id: undefined,
          name: record.Id,
          digest: record.Id,
          problem: '"ContentDocumentId": is missing',
        };
        yield failedEntry(entry, { id: undefined, what });
        continue;
      }
      const toRef = shape.name === FILES ? refOfFile : refOfRecord;
      yield { type: 'item', ref: toRef(shape, record, instance) };
    }
    yield { type: 'checkpoint', at: JSON.stringify({ object: shape.name, since }) };
  }
}
