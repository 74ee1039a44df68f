import type { Change, Comparison } from '#eval/compare';
import type { EvalResult, QueryResult } from '#eval/eval-result';
import { mean } from '#eval/metrics';
import { ms, seconds } from '#report/format';
import { table } from '#report/table';

/** The number of changed queries to list in each direction. */
const SHOWN = 5;

/** Renders a run and its changes as Markdown, without paths and host names. */
export function writeEvalReport(
  result: EvalResult,
  previous?: EvalResult,
  changes: readonly Comparison[] = [],
): string {
  const sections = [
    `# Search quality: ${result.corpus}`,
    conditions(result),
    metricsTable(result),
    ...(previous ? [comparisonSection(previous, changes)] : []),
  ];
  return `${sections.join('\n\n')}\n`;
}

function conditions({ documents, modes, takenAt, commit, indexedMs, settled }: EvalResult): string {
  const queries = modes[0]?.queries.length ?? 0;
  const rate = (elapsedMs: number) => ((documents * 1_000) / elapsedMs).toFixed(1);
  return [
    `- ${documents} documents, ${queries} judged queries, sent one at a time through the REST API`,
    `- Taken ${takenAt}${commit === undefined ? '' : ` at commit ${commit}`}`,
    ...(indexedMs === undefined ? [] : [`- Indexed in ${seconds(indexedMs)} s, ${rate(indexedMs)} documents/s`]),
    ...(settled
      ? []
      : [
          '- **Results were still changing during the measurement, because the built-in embedding was still being trained.**',
        ]),
  ].join('\n');
}

function metricsTable({ modes }: EvalResult): string {
  const rows = modes.map(({ mode, queries, ndcg10, recall100, mrr10, p50Ms, p95Ms }) => [
    mode,
    ...[ndcg10, recall100, mrr10].map(quality),
    ...[1, 3].map((rank) => quality(shareWithin(queries, rank))),
    ms(p50Ms),
    ms(p95Ms),
  ]);
  return table(['Mode', 'nDCG@10', 'recall@100', 'MRR@10', 'first', 'first 3', 'p50 ms', 'p95 ms'], rows);
}

/** Returns the share of queries with a relevant document up to a rank. */
function shareWithin(queries: readonly QueryResult[], rank: number): number {
  return mean(queries.map(({ mrr10 }) => Number(mrr10 >= 1 / rank)));
}

function comparisonSection(previous: EvalResult, comparisons: readonly Comparison[]): string {
  const at = previous.commit === undefined ? '' : ` at commit ${previous.commit}`;
  const rows = comparisons.map(({ mode, shared, ndcg10, recall100, mrr10, better, worse }) => [
    mode,
    ...[ndcg10, recall100, mrr10].map(difference),
    String(better.length),
    String(worse.length),
    String(shared),
  ]);
  const head = ['Mode', 'nDCG@10', 'recall@100', 'MRR@10', 'better', 'worse', 'queries of both'];
  return [
    `## Since ${previous.takenAt}${at}`,
    rows.length === 0 ? 'The runs have no query in common.' : table(head, rows),
    ...comparisons.flatMap(({ mode, better, worse }) => [
      ...changed(`${mode}, better`, better),
      ...changed(`${mode}, worse`, worse),
    ]),
  ].join('\n\n');
}

function changed(what: string, changes: readonly Change[]): string[] {
  if (changes.length === 0) return [];
  const shown = changes.slice(0, SHOWN).map(({ id, before, now }) => `${id} (${quality(before)} → ${quality(now)})`);
  const more = changes.length > SHOWN ? `, and ${changes.length - SHOWN} more` : '';
  return [`${what}: ${shown.join(', ')}${more}`];
}

function quality(value: number): string {
  return value.toFixed(4);
}

function difference({ before, now }: Change): string {
  const change = now - before;
  return `${change < 0 ? '' : '+'}${change.toFixed(4)}`;
}
