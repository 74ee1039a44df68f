/** The maximum number of UTF-16 units of a message that are analyzed. */
const LIMIT = 2_000;

/**
 * Returns the part of a message to analyze: a short message completely, or the first and last 1,000
 * units of a longer one, because the question is usually there.
 */
export function headAndTail(message: string): string {
  if (message.length <= LIMIT) return message;
  return `${message.slice(0, LIMIT / 2)}\n${message.slice(1 - LIMIT / 2)}`;
}
