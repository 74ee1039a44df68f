import { type Issue, invalidRequest } from '@lectern/service-kit';
import type { z } from 'zod';

const join = (root: string, path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : `${text}.${String(part)}`),
    root,
  );

function toIssues(issue: z.core.$ZodIssue, root: string): readonly Issue[] {
  if (issue.code !== 'unrecognized_keys') return [{ path: join(root, issue.path), message: issue.message }];
  return issue.keys.map((key) => ({ path: join(root, [...issue.path, key]), message: 'is not a field of this type' }));
}

/** Checks settings against their schema. Throws `invalid_request` with one issue a field, each path beginning with `root`. */
export function parseSettings<T>(schema: z.ZodType<T>, value: unknown, root: string): T {
  const result = schema.safeParse(value ?? {}, { reportInput: false });
  if (result.success) return result.data;
  throw invalidRequest(result.error.issues.flatMap((issue) => toIssues(issue, root)));
}
