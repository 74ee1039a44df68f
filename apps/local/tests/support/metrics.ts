import { findFreePort } from '@lectern/local-engines';

const SERVICES = 6;
const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0';

/** The metrics of all services, as Prometheus reads them. */
export interface Metrics {
  readonly text: string;
  /** Sums the series of a metric that have all the labels. */
  total(metric: string, ...labels: readonly string[]): number;
}

/** Returns a port that is followed by enough free ports for all services. */
export async function findFreeRange(): Promise<number> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const port = await findFreePort();
    const range = Array.from({ length: SERVICES }, (_, at) => port + at);
    const free = await Promise.all(range.map((wanted) => findFreePort(wanted)));
    if (free.every((found, at) => found === range[at])) return port;
  }
  throw new Error('There is no free range of ports.');
}

/** Reads the metrics of every service. Their ports start at the given one. */
export async function readMetrics(firstPort: number): Promise<Metrics> {
  const ports = Array.from({ length: SERVICES }, (_, at) => firstPort + at);
  const pages = await Promise.all(
    ports.map(async (port) => {
      const response = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { accept: OPEN_METRICS } });
      return response.text();
    }),
  );
  const lines = pages.join('\n').split('\n');
  return {
    text: lines.join('\n'),
    total: (metric, ...labels) =>
      lines
        .filter((line) => line.startsWith(`${metric}{`) || line.startsWith(`${metric} `))
        .filter((line) => labels.every((label) => line.includes(label)))
        .reduce((sum, line) => sum + readValue(line), 0),
  };
}

/** Returns the value after the labels, without the exemplar. */
const readValue = (line: string): number => Number(/^\w+(?:\{.*?\})? (\S+)/.exec(line)?.[1]);
