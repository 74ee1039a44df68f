import type { RepoName } from '#github/item-id';

/** The files to read. */
export interface Readable {
  readonly repos: readonly RepoName[];
  /** Undefined for the default branch of each repository. */
  readonly branch: string | undefined;
  /** Returns true for paths that match the filter and can contain text. */
  has(path: string): boolean;
}
