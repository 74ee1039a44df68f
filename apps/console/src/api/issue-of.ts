import { LecternError } from '@lectern/sdk';

/** What the API says of one field of a refused body. */
export function issueOf(error: Error | null, path: string): string | undefined {
  return error instanceof LecternError ? error.issues.find((issue) => issue.path === path)?.message : undefined;
}
