const candidates = [',', ';', '\t', '|'] as const;
const sampleLines = 50;

/** Counts a character outside quotes. */
const countOutsideQuotes = (line: string, wanted: string): number => {
  let count = 0;
  let quoted = false;
  for (const char of line) {
    if (char === '"') quoted = !quoted;
    else if (char === wanted && !quoted) count++;
  }
  return count;
};

/**
 * Returns the separator that occurs most often and most evenly in the first lines; undefined if
 * there is none.
 */
export const findDelimiter = (text: string): string | undefined => {
  const lines = text
    .slice(0, 64 * 1024)
    .split(/\r?\n/, sampleLines)
    .filter((line) => line.trim() !== '');
  let best: { delimiter: string; score: number } | undefined;
  for (const delimiter of candidates) {
    const counts = lines.map((line) => countOutsideQuotes(line, delimiter)).sort((a, b) => a - b);
    const median = counts[Math.floor(counts.length / 2)] ?? 0;
    const even = counts.filter((count) => count === median).length / Math.max(1, counts.length);
    const score = median === 0 ? 0 : even * (1 + Math.min(median, 20) / 20);
    if (score > (best?.score ?? 0)) best = { delimiter, score };
  }
  return best?.delimiter;
};
