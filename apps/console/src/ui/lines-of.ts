/** The entries of a list that was typed, one a line or separated by commas. */
export function linesOf(text: string): string[] {
  return text.split(/[\n,]/).flatMap((line) => line.trim() || []);
}
