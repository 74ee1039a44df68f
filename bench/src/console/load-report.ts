import type { PageLoads } from '#console/measure-loads';
import { percentile } from '#load/latency';
import { ms } from '#report/format';
import { table } from '#report/table';

/** The limits of a first load. */
const MAX_SCRIPT_KB = 250;
const MAX_INTERACTIVE_MS = 1_000;

/** Renders the loads as a table with their limits. */
export function loadReport(pages: readonly PageLoads[]): string {
  const head = ['page', 'script kB gzipped', 'interactive ms, median', 'worst', 'loads', 'within the limits'];
  const rows = pages.map(({ name, scriptBytes, interactiveMs }) => {
    const [median, worst] = [percentile(interactiveMs, 0.5), percentile(interactiveMs, 1)];
    const keeps = scriptBytes <= MAX_SCRIPT_KB * 1_000 && worst <= MAX_INTERACTIVE_MS;
    return [
      name,
      (scriptBytes / 1_000).toFixed(1),
      ms(median),
      ms(worst),
      String(interactiveMs.length),
      keeps ? 'yes' : 'no',
    ];
  });
  return `${table(head, rows)}\n\nLimits: ${MAX_SCRIPT_KB} kB of script, ${MAX_INTERACTIVE_MS} ms.`;
}
