const MAX_LENGTH = 80;

/**
 * Returns a conversation's title: the start of its first message on one line, cut between words.
 */
export function titleOf(message: string): string {
  const line = message.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  if (characters.length <= MAX_LENGTH) return line;
  const cut = characters.slice(0, MAX_LENGTH - 1).join('');
  const border = cut.lastIndexOf(' ');
  return `${border > MAX_LENGTH / 2 ? cut.slice(0, border) : cut}…`;
}
