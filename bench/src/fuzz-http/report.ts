import type { FuzzResult } from '#fuzz-http/run-fuzz';
import { describeFinding } from '#fuzz-http/run-fuzz';

/** Renders the report of a run as Markdown. */
export function writeFuzzReport({
  options,
  sent,
  replayed,
  operations,
  statuses,
  findings,
  longestMs,
}: FuzzResult): string {
  const byStatus = [...statuses].sort(([a], [b]) => (a < b ? -1 : 1));
  const count = (kind: string) => findings.filter((finding) => finding.kind === kind).length;
  const lines = [
    '# HTTP fuzzing',
    '',
    `\`npm run fuzz:http -- --seed ${options.seed} --requests ${options.requests}\` sent ${sent} requests to ${operations} operations, and ${replayed} of them again separately.`,
    `A stall is an event loop turn of more than ${options.stallMs} ms of CPU time in each of five replays.`,
    '',
    '| Finding | |',
    '|---|---|',
    `| Server errors | ${count('server error')} |`,
    `| Broken connections | ${count('broken connection')} |`,
    `| Stalls | ${count('stall')} |`,
    `| Restarts | ${count('restart')} |`,
    '',
    '| Status | Responses |',
    '|---|---|',
    ...byStatus.map(([status, answers]) => `| ${status} | ${answers} |`),
    '',
    'The longest turn of each process in a batch of 16 requests, six at a time (CPU time, including garbage collection):',
    '',
    '| Process | ms |',
    '|---|---|',
    ...[...longestMs].map(([name, ms]) => `| ${name} | ${ms.toFixed(0)} |`),
    '',
    ...(findings.length === 0
      ? []
      : ['## Findings', '', ...findings.map((finding) => `- ${describeFinding(finding)}`), '']),
  ];
  return lines.join('\n');
}
