import { type Issue, invalidRequest, MAX_ISSUES } from '@lectern/service-kit';
import { z } from 'zod';
import { describeIssue, issuesOf } from '#http/describe-issue';

/** The number of zod issues to process: several can concern the same field. */
const MAX_READ = 200;

/**
 * Drops unknown names beyond those that an error reports, because zod is slow with thousands of
 * them. The result is the same: a strict object with one unknown name is invalid.
 */
function withoutExcessNames(schema: z.ZodType, value: unknown): unknown {
  const isStrict = schema instanceof z.ZodObject && schema.def.catchall instanceof z.ZodNever;
  if (!isStrict || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  let unknown = 0;
  const entries = Object.entries(value).filter(([name]) => {
    if (Object.hasOwn(schema.shape, name)) return true;
    unknown += 1;
    return unknown <= MAX_ISSUES;
  });
  return unknown <= MAX_ISSUES ? value : Object.fromEntries(entries);
}

/**
 * Parses a part of a request. Throws `invalid_request` with the first 20 invalid fields. `root` is
 * the path of an issue about the part as a whole.
 */
export function validate<T extends z.ZodType>(schema: T, value: unknown, root: string): z.output<T> {
  const result = schema.safeParse(withoutExcessNames(schema, value), { error: describeIssue });
  if (result.success) return result.data;
  // Report one issue per field: zod reports several for a wrong type.
  const firsts = new Map<string, Issue>();
  for (const issue of result.error.issues.slice(0, MAX_READ).flatMap(issuesOf)) {
    if (firsts.size < MAX_ISSUES && !firsts.has(issue.path)) firsts.set(issue.path, issue);
  }
  const issues = [...firsts.values()];
  throw invalidRequest(issues.map((issue) => (issue.path === '' ? { ...issue, path: root } : issue)));
}
