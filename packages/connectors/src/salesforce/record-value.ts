import { z } from 'zod';
import type { SalesforceRecord } from '#salesforce/salesforce-api';

const Nested = z.looseObject({});

/** Returns the value at a path, for example `Owner.Name`, as text; empty if there is none. */
export function textAt(record: SalesforceRecord, path: string): string {
  let value: unknown = record;
  for (const part of path.split('.')) value = Nested.safeParse(value).data?.[part];
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/**
 * Salesforce's time (`2026-03-01T08:00:00.000+0000`) in ISO 8601, which SOQL also accepts;
 * undefined if it is malformed.
 */
export function isoTime(text: string): string | undefined {
  const time = Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
