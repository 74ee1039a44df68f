import type { SyncJob } from '#api/types.ts';

type Failure = SyncJob['errors'][number];

/** Files that failed for the same reason. */
export interface FailureGroup {
  readonly code: string;
  readonly message: string;
  /** Empty for a failure of the whole job. */
  readonly paths: readonly string[];
}

/** Groups failures by their reason: those of the job first, then the most frequent. */
export function groupFailures(failures: readonly Failure[]): readonly FailureGroup[] {
  const groups = [...Map.groupBy(failures, ({ code, message }) => `${code}\n${message}`).values()].map(
    (same): FailureGroup => ({
      code: same[0]?.code ?? '',
      message: same[0]?.message ?? '',
      paths: same.map(({ path }) => path).filter((path) => path !== ''),
    }),
  );
  const rank = ({ paths }: FailureGroup) => (paths.length === 0 ? Number.POSITIVE_INFINITY : paths.length);
  return groups.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a)));
}
