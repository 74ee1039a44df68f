import { type Issue, MAX_ISSUES } from '@lectern/service-kit';
import type { z } from 'zod';

const MAX_KEY_LENGTH = 100;
const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const countOf = (count: number | bigint, unit: string) => `${count} ${unit}${Number(count) === 1 ? '' : 's'}`;

function boundOf(origin: string, bound: number | bigint): string {
  if (origin === 'string') return countOf(bound, 'character');
  if (origin === 'array' || origin === 'set') return countOf(bound, 'item');
  return String(bound);
}

/**
 * Returns the message of an issue, which follows the name of the field. Used as zod’s error map.
 */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'too_small':
      if (issue.origin === 'string' && Number(issue.minimum) === 1) return 'must not be empty';
      return `must ${issue.origin === 'number' ? 'be' : 'have'} at least ${boundOf(issue.origin, issue.minimum)}`;
    case 'too_big':
      return `must ${issue.origin === 'number' ? 'be' : 'have'} at most ${boundOf(issue.origin, issue.maximum)}`;
    case 'invalid_value':
      return issue.input === undefined ? 'is required' : `must be one of ${issue.values.map(String).join(', ')}`;
    case 'unrecognized_keys':
      return 'is not a known field';
    case 'invalid_format':
      return `must be a valid ${issue.format}`;
    default:
      return issue.message ?? 'is not valid';
  }
}

/** Formats the path of an issue: `filters.author`, `tools[2]`. */
export function pathText(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    const name = String(part);
    const short = name.length > MAX_KEY_LENGTH ? `${name.slice(0, MAX_KEY_LENGTH)}…` : name;
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? short : `.${short}`;
  }
  return text;
}

/** Converts a zod issue: one issue per invalid field, up to the number that an error reports. */
export function issuesOf(issue: z.core.$ZodIssue): readonly Issue[] {
  const paths =
    issue.code === 'unrecognized_keys'
      ? issue.keys.slice(0, MAX_ISSUES).map((key) => [...issue.path, key])
      : [issue.path];
  return paths.map((path) => ({ path: pathText(path), message: issue.message }));
}
