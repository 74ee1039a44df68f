import { LecternError } from '@lectern/sdk';

/** Returns the API's message about an invalid field, or about an item of a list. */
export function issueOf(error: Error | null, path: string): string | undefined {
  return error instanceof LecternError
    ? error.issues.find((issue) => issue.path === path || issue.path.startsWith(`${path}[`))?.message
    : undefined;
}
