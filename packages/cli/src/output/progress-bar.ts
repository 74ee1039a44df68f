const WIDTH = 24;

/** A bar of so many parts of a whole, with the figures behind it. A whole of 0 is an empty bar. */
export function progressBar(done: number, total: number): string {
  const share = total > 0 ? Math.min(Math.max(done / total, 0), 1) : 0;
  const filled = Math.round(share * WIDTH);
  return `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${done}/${total}`;
}
