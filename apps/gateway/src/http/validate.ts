import { type Issue, invalidRequest, MAX_ISSUES } from '@lectern/service-kit';
import type { z } from 'zod';
import { describeIssue, issuesOf } from '#http/describe-issue';

/** The number of zod issues to process: several may concern the same field. */
const MAX_READ = 200;

/**
 * Parses a part of a request. Throws `invalid_request` that names each field at fault (the first 20); `root` names the whole.
 */
export function validate<T extends z.ZodType>(schema: T, value: unknown, root: string): z.output<T> {
  const result = schema.safeParse(value, { error: describeIssue });
  if (result.success) return result.data;
  // One a field: zod goes on to measure a text where it wanted a list.
  const firsts = new Map<string, Issue>();
  for (const issue of result.error.issues.slice(0, MAX_READ).flatMap(issuesOf)) {
    if (firsts.size < MAX_ISSUES && !firsts.has(issue.path)) firsts.set(issue.path, issue);
  }
  const issues = [...firsts.values()];
  throw invalidRequest(issues.map((issue) => (issue.path === '' ? { ...issue, path: root } : issue)));
}
