/** The settings of an autoscaler, as in infra/k8s. */
interface Scaler {
  readonly minReplicas: number;
  readonly maxReplicas: number;
  /** The value of the metric per replica at which nothing changes. */
  readonly target: number;
}

/** What one service does under a load. */
export interface Workload {
  readonly scaler: Scaler;
  /** Requests or documents per second at a time in seconds. */
  readonly load: (second: number) => number;
  /** Returns the metric per replica after one more second with this load and these ready replicas. */
  readonly advance: (load: number, ready: number) => number;
}

/** A change of the number of replicas. */
export interface Step {
  readonly second: number;
  readonly load: number;
  readonly metric: number;
  readonly from: number;
  readonly to: number;
}

// The defaults of Kubernetes' HorizontalPodAutoscaler, except for the window (infra/k8s).
const PERIOD_S = 15;
const TOLERANCE = 0.1;
const SCALE_DOWN_WINDOW_S = 300;
const MAX_NEW_PODS = 4;

/** From the decision until a new pod receives requests: start, health check, minReadySeconds. */
const START_S = 25;

/**
 * Simulates an autoscaler second by second: it compares the metric with its target every 15 s, adds
 * at most 4 pods or doubles them, and removes pods when no decision of the last 5 minutes needs them.
 */
export function simulate({ scaler, load, advance }: Workload, seconds: number): readonly Step[] {
  const { minReplicas, maxReplicas, target } = scaler;
  const starting: number[] = [];
  const decisions: { readonly second: number; readonly wanted: number }[] = [];
  const steps: Step[] = [];
  let replicas = minReplicas;
  for (let second = 0; second < seconds; second++) {
    while ((starting[0] ?? Number.POSITIVE_INFINITY) <= second) starting.shift();
    const ready = Math.max(1, replicas - starting.length);
    const rate = load(second);
    const metric = advance(rate, ready);
    if (second === 0 || second % PERIOD_S > 0) continue;
    const ratio = metric / target;
    const needed = Math.abs(ratio - 1) <= TOLERANCE ? replicas : Math.ceil(ready * ratio);
    decisions.push({ second, wanted: Math.min(maxReplicas, Math.max(minReplicas, needed)) });
    while ((decisions[0]?.second ?? second) < second - SCALE_DOWN_WINDOW_S) decisions.shift();
    const wanted = decisions.at(-1)?.wanted ?? replicas;
    const to =
      wanted > replicas
        ? Math.min(wanted, Math.max(replicas * 2, replicas + MAX_NEW_PODS))
        : Math.min(replicas, Math.max(...decisions.map((decision) => decision.wanted)));
    if (to === replicas) continue;
    steps.push({ second, load: rate, metric, from: replicas, to });
    for (let added = replicas; added < to; added++) starting.push(second + START_S);
    if (to < replicas) starting.length = Math.min(starting.length, to);
    replicas = to;
  }
  return steps;
}
