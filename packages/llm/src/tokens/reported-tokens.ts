/** Far above any context window, and low enough that the sum of a long loop fits into 32 bits. */
const MAX_TOKENS = 50_000_000;

/** Returns a token count as a server reports it, or undefined if it is not valid. */
export function reportedTokens(value: unknown): number | undefined {
  const isValid = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS;
  return isValid ? value : undefined;
}
