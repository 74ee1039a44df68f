import type { ConnectorCall } from '#connector';
import type { ObjectShape } from '#salesforce/object-shape';
import { fieldsQuery } from '#salesforce/queries';
import { SalesforceRejection } from '#salesforce/read-error';
import { textAt } from '#salesforce/record-value';
import type { SalesforceApi, SalesforceRecord } from '#salesforce/salesforce-api';
import { SourceError } from '#source-error';

/**
 * The maximum number of characters of field names in one query. URLs are limited to 16,384, less
 * behind some proxies.
 */
const MAX_SELECT_CHARS = 6_000;
const MIN_SELECT_CHARS = 500;

/** Groups fields so that the names in each group have at most this many characters. */
function grouped(fields: readonly string[], longest: number): string[][] {
  const groups: string[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const field of fields) {
    // In a URL, the comma takes three characters, and the space at most three.
    length += field.length + 6;
    if (length > longest) {
      groups.push([]);
      length = field.length + 6;
    }
    groups.at(-1)?.push(field);
  }
  return groups;
}

async function readGroups(
  api: SalesforceApi,
  call: ConnectorCall,
  shape: ObjectShape,
  id: string,
  longest: number,
): Promise<SalesforceRecord> {
  const what = `${shape.name}/${id}`;
  const always = ['Id', ...(shape.stamp === undefined ? [] : [shape.stamp])];
  const fields = [...shape.title, shape.created, shape.author].filter((field) => field !== undefined);
  const rest = [...new Set([...fields, ...shape.shown.map(({ path }) => path)])].filter(
    (path) => !always.includes(path),
  );
  let whole: SalesforceRecord | undefined;
  for (const group of grouped(rest, longest)) {
    const { records } = await api.query(call, fieldsQuery(shape, [...always, ...group], id), what);
    const record = records[0];
    if (record === undefined) throw new SourceError('gone', `${what} no longer exists in Salesforce.`);
    if (whole !== undefined && shape.stamp !== undefined && record[shape.stamp] !== whole[shape.stamp]) {
      throw new SourceError('transient', `${what} changed while it was read. Try again.`);
    }
    whole = merged(whole, record);
  }
  return whole ?? api.record(call, shape.name, id);
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Merges two parts of a record, including related records. */
function merged(whole: SalesforceRecord | undefined, part: SalesforceRecord): SalesforceRecord {
  const related = Object.entries(whole ?? {}).flatMap(([name, value]) => {
    const other = part[name];
    return isObject(value) && isObject(other) ? [[name, { ...value, ...other }]] : [];
  });
  return { ...whole, ...part, ...Object.fromEntries(related) };
}

/**
 * Reads a record with all its fields, in as many queries as the URL limit requires. If the instance
 * rejects the query, the record is read without the names of related records.
 */
export async function readRecord(
  api: SalesforceApi,
  call: ConnectorCall,
  shape: ObjectShape,
  id: string,
): Promise<SalesforceRecord> {
  for (let longest = MAX_SELECT_CHARS; longest >= MIN_SELECT_CHARS; longest /= 2) {
    try {
      return await readGroups(api, call, shape, id, longest);
    } catch (error) {
      if (!(error instanceof SalesforceRejection)) throw error;
      if (error.code !== 'URI_TOO_LONG') break;
    }
  }
  const record = await api.record(call, shape.name, id);
  if (textAt(record, 'Id') === id || record.Id.startsWith(id)) return record;
  throw new SourceError('gone', `${shape.name}/${id} no longer exists in Salesforce.`);
}
