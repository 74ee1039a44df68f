import { LecternError } from '@lectern/sdk';

/** Returns the API's message about an invalid field. */
export function issueOf(error: Error | null, path: string): string | undefined {
  return error instanceof LecternError ? error.issues.find((issue) => issue.path === path)?.message : undefined;
}
