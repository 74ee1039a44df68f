/** Runs all steps one after the other, even if one fails. Throws the errors at the end. */
export async function runAll(steps: readonly (() => Promise<void>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw new AggregateError(errors, 'Some steps failed.');
}
