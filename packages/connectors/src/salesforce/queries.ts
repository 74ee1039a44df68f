import type { ObjectShape } from '#salesforce/object-shape';

/**
 * Ids are inserted into queries in quotes, so other characters are rejected. Salesforce validates
 * the rest.
 */
export const ID = /^[\w-]{1,40}$/;

export const FILES = 'ContentVersion';

export interface Conditions {
  readonly filter: string | undefined;
  /** ISO 8601; this time is included. */
  readonly since?: string | undefined;
  readonly id?: string | undefined;
}

/** Returns true for files, of which only the latest version is listed. */
const isFiles = (shape: ObjectShape) => shape.name === FILES && shape.has('ContentDocumentId');

/** Returns the fields of an item in a listing. */
function listedFields(shape: ObjectShape): readonly string[] {
  const wanted = ['Id', ...shape.title, shape.stamp, shape.modified, shape.author];
  const file = isFiles(shape) ? ['ContentDocumentId', 'FileExtension', 'FileType', 'ContentSize'] : [];
  const there = wanted.filter((field) => field !== undefined);
  return [...new Set([...there, ...file.filter(shape.has)])];
}

function where(shape: ObjectShape, { filter, since, id }: Conditions): string {
  const conditions = [
    isFiles(shape) && shape.has('IsLatest') ? 'IsLatest = true' : undefined,
    // Only published knowledge articles, without drafts and older versions.
    shape.name.endsWith('__kav') && shape.has('PublishStatus') ? "PublishStatus = 'Online'" : undefined,
    filter === undefined ? undefined : `(${filter})`,
    since === undefined || shape.stamp === undefined ? undefined : `${shape.stamp} >= ${since}`,
    id === undefined ? undefined : `${isFiles(shape) ? 'ContentDocumentId' : 'Id'} = '${id}'`,
  ].filter((condition) => condition !== undefined);
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
}

/** Builds the query for an object's records, ordered so that a changed record moves to the end. */
export function listQuery(shape: ObjectShape, conditions: Conditions): string {
  const order = shape.stamp === undefined ? 'Id' : `${shape.stamp}, Id`;
  return `SELECT ${listedFields(shape).join(', ')} FROM ${shape.name}${where(shape, conditions)} ORDER BY ${order}`;
}

/** Builds the query for one record with the fields of a listing. */
export function findQuery(shape: ObjectShape, conditions: Conditions): string {
  return `SELECT ${listedFields(shape).join(', ')} FROM ${shape.name}${where(shape, conditions)}`;
}

/** Builds the query for some fields of one record. */
export function fieldsQuery(shape: ObjectShape, fields: readonly string[], id: string): string {
  return `SELECT ${fields.join(', ')} FROM ${shape.name} WHERE Id = '${id}'`;
}
