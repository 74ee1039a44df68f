import { isDeepStrictEqual } from 'node:util';
import { AppError, type Issue, invalidRequest, preconditionFailed } from '@lectern/service-kit';
import { z } from 'zod';
import type { Body, CurrentRecord } from '#http/body/body';
import { readJson } from '#http/body/json-body';
import { NotJson } from '#http/body/not-json';
import { pathText } from '#http/describe-issue';
import { etagOf } from '#http/if-match';
import { validate } from '#http/validate';

type Fields = Readonly<Record<string, unknown>>;

/** The record that a body changes, as validation needs it. */
export interface RecordBodyOptions {
  /** The record as responses show it. */
  readonly record: z.ZodObject;
  /**
   * Fields that change with every request: the current value may be newer than the one the client
   * read.
   */
  readonly moving?: readonly string[];
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const READ_ONLY = 'is read-only and differs from the stored value: omit it, or send it unchanged';

function issuesOf(error: unknown): readonly Issue[] {
  const issues: unknown = error instanceof AppError ? error.details?.issues : undefined;
  if (!Array.isArray(issues)) throw error;
  return issues;
}

/** True for a time that the field may have had when the client read it. */
const isEarlier = (now: unknown, given: unknown): boolean =>
  given === null || (typeof given === 'string' && typeof now === 'string' && given <= now);

/**
 * A JSON body that changes the fields given of a record, and may be the whole record as GET answers it. What equals the record is no change, whether
 * it can be changed or not; a read-only field that differs is refused by name; what is no field of the record is refused like any unknown one.
 * With an If-Match, read-only fields may also be as they were in the record that the tag is of. The record is read only where the body
 * cannot be understood without it.
 */
export function recordBody<T extends z.ZodObject>(
  changes: T,
  { record: shown, moving = [] }: RecordBodyOptions,
): Body<z.output<T>> {
  const readOnly = Object.keys(shown.shape).filter((name) => !(name in changes.shape));
  const isKnown = (name: string) => name in changes.shape || name in shown.shape;

  /** The body without the fields that equal the record, and its read-only fields that do not. */
  const differing = (given: Fields, { record, revision, ifMatch }: CurrentRecord) => {
    const changed = Object.fromEntries(
      Object.entries(given).filter(([name, value]) => !isDeepStrictEqual(value, Reflect.get(record, name))),
    );
    const stale = readOnly.filter((name) => name in changed);
    const asRead = { ...record, ...Object.fromEntries(stale.map((name) => [name, changed[name]])) };
    const isAsRead = ifMatch?.tags.includes(etagOf(asRead, revision)) ?? false;
    const refused = stale.filter(
      (name) => !isAsRead && !(moving.includes(name) && isEarlier(Reflect.get(record, name), changed[name])),
    );
    return { changed: Object.fromEntries(Object.entries(changed).filter(([name]) => !stale.includes(name))), refused };
  };

  return {
    mediaType: 'application/json',
    required: true,
    schema: changes,
    described: changes.extend(
      Object.fromEntries(
        readOnly.map((name) => {
          const field = z.unknown().pipe(shown.shape[name] ?? z.unknown());
          return [name, field.optional().meta({ readOnly: true, description: 'Read-only: accepted if unchanged' })];
        }),
      ),
    ),
    limit: 'MAX_JSON_BYTES',
    read: async (source, config, current) => {
      const value = await readJson(source, config, 'MAX_JSON_BYTES');
      if (value === undefined) throw new NotJson('is required: send a JSON object');
      const isPlain = !isObject(value) || !Object.keys(value).every(isKnown) || changes.safeParse(value).success;
      if (isPlain || current === undefined) return validate(changes, value, 'body');
      const now = await current();
      if (now.ifMatch !== undefined && !now.ifMatch.revisions.includes(now.revision)) throw preconditionFailed();
      const { changed, refused } = differing(value, now);
      const issues = refused.map((name) => ({ path: pathText([name]), message: READ_ONLY }));
      try {
        const body = validate(changes, changed, 'body');
        if (issues.length === 0) return body;
      } catch (error) {
        issues.push(...issuesOf(error));
      }
      throw invalidRequest(issues);
    },
  };
}
