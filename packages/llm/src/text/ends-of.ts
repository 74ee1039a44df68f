/** UTF-16 units that are analysed of a message. */
const MOST = 2_000;

/** What is analysed of a message: all of a short one, the beginning and the end of a longer one, since that asks in its first or last lines. */
export function endsOf(message: string): string {
  if (message.length <= MOST) return message;
  return `${message.slice(0, MOST / 2)}\n${message.slice(1 - MOST / 2)}`;
}
