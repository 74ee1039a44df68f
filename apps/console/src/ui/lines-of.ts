/** Parses a list with one entry per line or separated by commas. */
export function linesOf(text: string): string[] {
  return text.split(/[\n,]/).flatMap((line) => line.trim() || []);
}
