import { readFileSync } from 'node:fs';
import type { Measurement } from './report.ts';
import { MEASUREMENTS } from './report-folder.ts';

/** Jest's globalTeardown: prints a summary of the report. */
export default function endReport(): void {
  const measurements = readMeasurements();
  for (const part of new Set(measurements.map((measurement) => measurement.part))) {
    const own = measurements.filter((measurement) => measurement.part === part);
    const results: Record<string, number> = {};
    const slowest: Record<string, number> = {};
    for (const measurement of own) {
      for (const [name, count] of Object.entries(measurement.results)) results[name] = (results[name] ?? 0) + count;
      for (const [name, ms] of Object.entries(measurement.slowestMs)) slowest[name] = Math.max(slowest[name] ?? 0, ms);
    }
    const recovered = own.flatMap(({ recoveredMs }) => recoveredMs ?? []).sort((a, b) => a - b);
    process.stdout.write(`\n${part}: ${own.length} scenarios, results ${JSON.stringify(results)}\n`);
    process.stdout.write(`  slowest, ms: ${JSON.stringify(slowest)}\n`);
    if (recovered.length === 0) continue;
    const [min, median, max] = [recovered[0], recovered[recovered.length >> 1], recovered.at(-1)];
    process.stdout.write(`  works again after, ms: minimum ${min}, median ${median}, maximum ${max}\n`);
  }
}

function readMeasurements(): Measurement[] {
  try {
    return readFileSync(MEASUREMENTS, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}
