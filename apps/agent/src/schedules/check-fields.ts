import { type Issue, invalidRequest } from '@lectern/service-kit';
import { SCHEDULE_LIMITS } from '#schedules/limits';

type TextField = 'name' | 'message';

function textIssues(path: TextField, text: string | undefined): Issue[] {
  if (text === undefined) return [];
  if (text.trim() === '') return [{ path, message: 'must not be empty' }];
  if (text.includes('\u0000')) return [{ path, message: 'must not contain the character U+0000' }];
  const max = SCHEDULE_LIMITS[path];
  return [...text].length > max ? [{ path, message: `must have at most ${max} characters` }] : [];
}

/** Checks the given texts of a schedule. Throws `invalid_request` with these and further issues. */
export function checkScheduleFields(
  { name, message }: { readonly name?: string | undefined; readonly message?: string | undefined },
  more: readonly Issue[],
): void {
  const issues = [...textIssues('name', name), ...textIssues('message', message), ...more];
  if (issues.length > 0) throw invalidRequest(issues);
}
