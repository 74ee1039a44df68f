import { findFreePort } from '@lectern/local-engines';

const SERVICES = 6;
const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0';

/** What Prometheus would read from all services. */
export interface Figures {
  readonly text: string;
  /** The sum of the series of a metric that have all of the labels. */
  total(metric: string, ...labels: readonly string[]): number;
}

/** A port with enough free ones after it for the metrics of each service. */
export async function freeRange(): Promise<number> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const port = await findFreePort();
    const range = Array.from({ length: SERVICES }, (_, at) => port + at);
    const free = await Promise.all(range.map((wanted) => findFreePort(wanted)));
    if (free.every((found, at) => found === range[at])) return port;
  }
  throw new Error('No range of free ports');
}

/** Reads the figures of every service, from the first one's port on. */
export async function readFigures(firstPort: number): Promise<Figures> {
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

/** What stands behind the labels, before an exemplar. */
const readValue = (line: string): number => Number(/^\w+(?:\{.*?\})? (\S+)/.exec(line)?.[1]);
