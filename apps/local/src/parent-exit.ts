const CHECK_INTERVAL_MS = 250;

/**
 * Calls `onExit` when the npm that started this process has ended. After SIGKILL, npm cannot forward a
 * signal, and an orphaned system would lock the data folder. Does nothing outside `npm start`.
 */
export function onNpmExit(env: NodeJS.ProcessEnv, onExit: () => void): void {
  if (env.npm_lifecycle_event !== 'start') return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onExit();
  }, CHECK_INTERVAL_MS);
  timer.unref();
}
