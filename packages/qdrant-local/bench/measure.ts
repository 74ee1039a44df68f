import type { Scenario } from './scenarios.ts';
import type { ServerProcess } from './server-process.ts';

/** What some requests took. */
export class Timings {
  readonly #latenciesMs: number[] = [];
  #cpuMs = 0;
  #wallMs = 0;

  /** Milliseconds at a share of all requests: 0.5 is the median. */
  quantileMs(share: number): number {
    const sorted = this.#latenciesMs.toSorted((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  }

  /** The server's processor time for one request, in milliseconds: what other programs on the machine change least. */
  get cpuMsPerRequest(): number {
    return this.#cpuMs / this.#latenciesMs.length;
  }

  get requestsPerSecond(): number {
    return (this.#latenciesMs.length * 1000) / this.#wallMs;
  }

  /** Sends some requests of a kind, `clients` at a time. */
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
