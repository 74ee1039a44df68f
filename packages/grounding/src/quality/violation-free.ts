import type { Violation } from '#quality/quality-rule';
import { QUALITY_RULES } from '#quality/quality-rules';

/**
 * Returns 1 if the reply passed all quality checks. Each violation subtracts its rule's severity,
 * down to 0.
 */
export function violationFree(violations: readonly Violation[]): number {
  const severities = new Map(QUALITY_RULES.map(({ name, severity }) => [name, severity]));
  return Math.max(
    0,
    violations.reduce((score, { rule }) => score - (severities.get(rule) ?? 0), 1),
  );
}
