import { LecternError } from '@lectern/sdk';

/** The API's message for one invalid field. */
export function issueOf(error: Error | null, path: string): string | undefined {
  return error instanceof LecternError ? error.issues.find((issue) => issue.path === path)?.message : undefined;
}
