import type { Scenario } from './scenarios.ts';
import type { ServerProcess } from './server-process.ts';

/** Latency, throughput and CPU time of a series of requests. */
export class Timings {
  readonly #latenciesMs: number[] = [];
  #cpuMs = 0;
  #wallMs = 0;

  /** Returns a quantile of the latencies in milliseconds: 0.5 is the median. */
  quantileMs(share: number): number {
    const sorted = this.#latenciesMs.toSorted((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  }

  /**
   * The server's CPU milliseconds per request. Other load on the machine affects this value least.
   */
  get cpuMsPerRequest(): number {
    return this.#cpuMs / this.#latenciesMs.length;
  }

  get requestsPerSecond(): number {
    return (this.#latenciesMs.length * 1000) / this.#wallMs;
  }

  /** Sends requests of a scenario, `clients` at a time. */
  async add(server: ServerProcess, scenario: Scenario, requests: number, clients: number): Promise<void> {
    const bodies = Array.from({ length: requests }, () => scenario.body());
    const cpuBefore = server.cpuMs();
    const startedAt = performance.now();
    const client = async (): Promise<void> => {
      for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) {
        const sentAt = performance.now();
        await server.send('POST', scenario.path, body);
        this.#latenciesMs.push(performance.now() - sentAt);
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
    this.#wallMs += performance.now() - startedAt;
    this.#cpuMs += server.cpuMs() - cpuBefore;
  }
}
