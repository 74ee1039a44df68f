const LOOK_EVERY_MS = 250;

/**
 * Calls `gone` when the npm that started this process has ended. npm killed by SIGKILL cannot pass anything on: without
 * this, a system that nobody sees would hold the data and refuse the next start. Does nothing outside `npm start`.
 */
export function onNpmGone(env: NodeJS.ProcessEnv, gone: () => void): void {
  if (env.npm_lifecycle_event !== 'start') return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    gone();
  }, LOOK_EVERY_MS);
  timer.unref();
}
