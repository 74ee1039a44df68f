/** Far beyond any window, and so low that the figures of a long loop still add up within 32 bits. */
const MOST_TOKENS = 50_000_000;

/** A figure of usage as a server reports it, or undefined where it is no number of tokens. */
export function reportedTokens(figure: unknown): number | undefined {
  const isSound = typeof figure === 'number' && Number.isInteger(figure) && figure >= 0 && figure <= MOST_TOKENS;
  return isSound ? figure : undefined;
}
