import { type Issue, invalidRequest } from '@lectern/service-kit';
import type { z } from 'zod';

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

const join = (root: string, path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : `${text}.${String(part)}`),
    root,
  );

// Follows the field's name. Never contains the value, which can be a secret.
function describe(issue: z.core.$ZodRawIssue): string | undefined {
  const isMissing = issue.input === undefined;
  switch (issue.code) {
    case 'invalid_type':
      return isMissing ? 'is required' : `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return isMissing ? 'is required' : `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return issue.origin === 'number' ? `must be at least ${issue.minimum}` : 'is too short';
    case 'too_big':
      return issue.origin === 'number' ? `must be at most ${issue.maximum}` : `is longer than ${issue.maximum}`;
    case 'invalid_format':
      return `must be a valid ${issue.format}`;
    default:
      return undefined;
  }
}

function toIssues(issue: z.core.$ZodIssue, root: string): readonly Issue[] {
  if (issue.code !== 'unrecognized_keys') return [{ path: join(root, issue.path), message: issue.message }];
  return issue.keys.map((key) => ({ path: join(root, [...issue.path, key]), message: 'is not a field of this type' }));
}

/**
 * Validates settings. Throws `invalid_request` with one issue per field; each path begins with
 * `root`.
 */
export function parseSettings<T>(schema: z.ZodType<T>, value: unknown, root: string): T {
  const result = schema.safeParse(value ?? {}, { reportInput: false, error: describe });
  if (result.success) return result.data;
  throw invalidRequest(result.error.issues.flatMap((issue) => toIssues(issue, root)));
}
