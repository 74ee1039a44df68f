import type { RepoName } from './item-id.ts';

/** What a connector reads. */
export interface Readable {
  readonly repos: readonly RepoName[];
  /** The default branch of each where it is undefined. */
  readonly branch: string | undefined;
  /** True for paths that the filter takes and that may hold text. */
  has(path: string): boolean;
}
