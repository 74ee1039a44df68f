import { readFileSync } from 'node:fs';
import type { Figure } from './report.ts';
import { FIGURES } from './report-folder.ts';

/** Jest's globalTeardown: the report in a few lines. */
export default function endReport(): void {
  const figures = readFigures();
  for (const part of new Set(figures.map((figure) => figure.part))) {
    const own = figures.filter((figure) => figure.part === part);
    const results: Record<string, number> = {};
    const slowest: Record<string, number> = {};
    for (const figure of own) {
      for (const [name, count] of Object.entries(figure.results)) results[name] = (results[name] ?? 0) + count;
      for (const [name, ms] of Object.entries(figure.slowestMs)) slowest[name] = Math.max(slowest[name] ?? 0, ms);
    }
    const recovered = own.flatMap(({ recoveredMs }) => recoveredMs ?? []).sort((a, b) => a - b);
    process.stdout.write(`\n${part}: ${own.length} scenes, answers ${JSON.stringify(results)}\n`);
    process.stdout.write(`  slowest, ms: ${JSON.stringify(slowest)}\n`);
    if (recovered.length === 0) continue;
    const [least, median, most] = [recovered[0], recovered[recovered.length >> 1], recovered.at(-1)];
    process.stdout.write(`  works again after, ms: ${least} at the least, ${median} median, ${most} at the most\n`);
  }
}

function readFigures(): Figure[] {
  try {
    return readFileSync(FIGURES, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}
