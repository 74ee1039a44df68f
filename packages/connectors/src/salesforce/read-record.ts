import type { ConnectorCall } from '../connector.ts';
import { SourceError } from '../source-error.ts';
import type { ObjectShape } from './object-shape.ts';
import { fieldsQuery } from './queries.ts';
import { SalesforceRefusal } from './read-error.ts';
import { textAt } from './record-value.ts';
import type { SalesforceApi, SalesforceRecord } from './salesforce-api.ts';

/** Characters of field names in one query. The whole address may have 16,384, less behind some proxies. */
const LONGEST_SELECT = 6_000;
const SHORTEST_SELECT = 500;

/** Fields in groups whose names are together no longer than this. */
function grouped(fields: readonly string[], longest: number): string[][] {
  const groups: string[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const field of fields) {
    // In an address a comma takes three characters, and so does the blank behind it at most.
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
    if (record === undefined) throw new SourceError('gone', `Salesforce does not have ${what} any more.`);
    if (whole !== undefined && shape.stamp !== undefined && record[shape.stamp] !== whole[shape.stamp]) {
      throw new SourceError('transient', `${what} changed while it was read.`);
    }
    whole = merged(whole, record);
  }
  return whole ?? api.record(call, shape.name, id);
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Related records come in parts too: the owner's name in one group, its e-mail in another. */
function merged(whole: SalesforceRecord | undefined, part: SalesforceRecord): SalesforceRecord {
  const related = Object.entries(whole ?? {}).flatMap(([name, value]) => {
    const other = part[name];
    return isObject(value) && isObject(other) ? [[name, { ...value, ...other }]] : [];
  });
  return { ...whole, ...part, ...Object.fromEntries(related) };
}

/**
 * A record with all fields that are shown. An object with many is asked for in several queries, as many as the instance needs. Where it
 * does not take the query at all, the record comes without the names of others.
 */
export async function readRecord(
  api: SalesforceApi,
  call: ConnectorCall,
  shape: ObjectShape,
  id: string,
): Promise<SalesforceRecord> {
  for (let longest = LONGEST_SELECT; longest >= SHORTEST_SELECT; longest /= 2) {
    try {
      return await readGroups(api, call, shape, id, longest);
    } catch (error) {
      if (!(error instanceof SalesforceRefusal)) throw error;
      if (error.code !== 'URI_TOO_LONG') break;
    }
  }
  const record = await api.record(call, shape.name, id);
  if (textAt(record, 'Id') === id || record.Id.startsWith(id)) return record;
  throw new SourceError('gone', `Salesforce does not have ${shape.name}/${id} any more.`);
}
