const WIDTH = 24;

/** Formats a progress bar and its numbers. The bar is empty if the total is 0. */
export function progressBar(done: number, total: number): string {
  const share = total > 0 ? Math.min(Math.max(done / total, 0), 1) : 0;
  const filled = Math.round(share * WIDTH);
  return `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${done}/${total}`;
}
