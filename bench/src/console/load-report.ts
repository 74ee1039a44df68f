import type { PageLoads } from '#console/measure-loads';
import { ms } from '#report/format';
import { table } from '#report/table';

/** The limits of a first load. */
const MAX_SCRIPT_KB = 250;
const MAX_INTERACTIVE_MS = 1_500;

/** Renders the loads as a table with their limits. */
export function loadReport(pages: readonly PageLoads[]): string {
  const head = ['page', 'script kB gzipped', 'interactive ms, median', 'worst', 'loads', 'within the bars'];
  const rows = pages.map(({ name, scriptBytes, interactiveMs }) => {
    const sorted = interactiveMs.toSorted((a, b) => a - b);
    const median = sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
    const worst = sorted.at(-1) ?? Number.NaN;
    const keeps = scriptBytes <= MAX_SCRIPT_KB * 1_000 && worst <= MAX_INTERACTIVE_MS;
    return [name, (scriptBytes / 1_000).toFixed(1), ms(median), ms(worst), String(sorted.length), keeps ? 'yes' : 'no'];
  });
  return `${table(head, rows)}\n\nLimits: ${MAX_SCRIPT_KB} kB of script, ${MAX_INTERACTIVE_MS} ms.`;
}
