import type { Issue } from '@lectern/service-kit';

const MAX_CHARS = 200;

/** What is wrong with a connector's name. */
export function nameIssues(name: string): readonly Issue[] {
  if (name.trim() === '') return [{ path: 'name', message: 'must not be empty' }];
  return name.length > MAX_CHARS ? [{ path: 'name', message: `must not be longer than ${MAX_CHARS} characters` }] : [];
}
