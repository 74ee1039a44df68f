/** An unreleased change. */
export interface Change {
  readonly kind: string;
  readonly text: string;
}

export function readChangesets(root?: string): readonly Change[];
export function changelogSections(changes: readonly Change[]): string;
