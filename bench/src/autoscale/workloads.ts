import type { Workload } from '#autoscale/simulate';
import { MEASURED } from '#capacity/measured';

export interface Scenario {
  readonly name: string;
  /** The load's unit. */
  readonly unit: string;
  /** The metric's name and unit. */
  readonly metric: string;
  readonly seconds: number;
  readonly create: () => Workload;
}

const REPLICAS = { minReplicas: 2, maxReplicas: 10 };
const TARGET_CPU = 70;
const CPU_REQUEST_MS = { gateway: 250, search: 500 } as const;

/** Rises from 20 to 500 queries/s in 30 minutes, stays for 10, and falls back in 10. */
const queries = (second: number): number => {
  const minutes = second / 60;
  if (minutes < 30) return 20 + (480 * minutes) / 30;
  if (minutes < 40) return 500;
  return Math.max(20, 500 - 48 * (minutes - 40));
};

const byCpu = (service: 'gateway' | 'search'): Scenario => ({
  name: `${service}, CPU`,
  unit: 'queries/s',
  metric: '% of the requested CPU',
  seconds: 60 * 60,
  create: () => ({
    scaler: { ...REPLICAS, target: TARGET_CPU },
    load: queries,
    advance: (load, ready) => (100 * load * (MEASURED.queryCpuMs[service] ?? 0)) / CPU_REQUEST_MS[service] / ready,
  }),
});

/** Documents of 343 words that one replica indexes per second (docs/capacity.md). */
const DOCUMENTS_PER_SECOND = 28;
/** The threshold of infra/k8s/components/keda. */
const DOCUMENTS_PER_REPLICA = 1_000;

/** An import of 90,000 documents in 10 minutes. */
const importing: Scenario = {
  name: 'collection, queue',
  unit: 'documents/s',
  metric: 'pending documents per replica',
  seconds: 60 * 60,
  create: () => {
    let pending = 0;
    return {
      scaler: { ...REPLICAS, target: DOCUMENTS_PER_REPLICA },
      load: (second) => (second < 600 ? 150 : 0),
      advance: (load, ready) => {
        pending = Math.max(0, pending + load - ready * DOCUMENTS_PER_SECOND);
        return pending / ready;
      },
    };
  },
};

export const SCENARIOS: readonly Scenario[] = [byCpu('gateway'), byCpu('search'), importing];
