import { CATEGORIES, type PageScores } from '#console/measure-scores';
import { percentile } from '#load/latency';
import { table } from '#report/table';

const MIN_SCORE = 95;

/** Renders the median scores as a table, and what lowers them. */
export function scoreReport(pages: readonly PageScores[]): string {
  const rows = pages.map(({ name, scores }) => {
    const medians = CATEGORIES.map((category) => percentile(scores[category], 0.5));
    const keeps = medians.every((score) => score >= MIN_SCORE);
    return [name, ...medians.map(String), keeps ? 'yes' : 'no'];
  });
  const causes = pages
    .filter(({ failed }) => failed.length > 0)
    .map(({ name, failed }) => `${name}: ${failed.join(', ')}`);
  return [
    table(['page', ...CATEGORIES, 'within the limit'], rows),
    `Limit: ${MIN_SCORE} in each category (median).`,
    ...(causes.length === 0 ? [] : [`What lowers the scores:\n${causes.join('\n')}`]),
  ].join('\n\n');
}
