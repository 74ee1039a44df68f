/** Bounds of schedules. Lengths of texts are in code points. */
export const SCHEDULE_LIMITS = {
  /** Schedules of a team. */
  perTeam: 100,
  name: 200,
  message: 32_000,
  cron: 200,
  timeZone: 100,
  targets: 10,
  /** The least number of minutes between two runs. */
  minutes: 15,
  /** Runs of one team at the same time. */
  runsPerTeam: 4,
  /** A schedule that has failed this often in a row is paused. */
  failures: 5,
  /** How often a run is started again after its process was lost or another service was unavailable. */
  attempts: 3,
  /** The newest runs of a schedule that are kept. */
  keptRuns: 200,
} as const;
