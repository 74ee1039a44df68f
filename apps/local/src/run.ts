import { EngineError } from '@lectern/local-engines';
import { collectWhenIdle } from '@lectern/resilience/collect-when-idle';
import { ConfigError } from '@lectern/service-kit';
import { announce } from '#announce';
import { readConfig } from '#config';
import { homeAt } from '#home';
import { type Launch, launch } from '#launch';
import { LauncherError } from '#launcher-error';
import { withMasterKeys } from '#master-keys';
import { onNpmExit } from '#parent-exit';
import { terminal } from '#terminal';

/** The terminal and npm both send Ctrl-C to this process: two signals within this time count as one. */
const ECHO_MS = 500;

/** Starts the system, prints its URL, waits for a signal, stops and exits. Exits with 1 on failure. */
export async function run(env: NodeJS.ProcessEnv): Promise<void> {
  let launched: Launch | undefined;
  let stopping = false;
  let signaledAt = Number.NEGATIVE_INFINITY;

  async function end(exitCode: number): Promise<void> {
    await launched?.stop();
    if (launched) terminal.print('Stopped.');
    process.exit(exitCode);
  }

  function stop(why: string, exitCode: number): void {
    if (stopping) return;
    stopping = true;
    terminal.print(why);
    void end(exitCode).catch(fail);
  }

  function onSignal(): void {
    const isEcho = performance.now() - signaledAt < ECHO_MS;
    if (isEcho) return;
    signaledAt = performance.now();
    if (!stopping) {
      stop('Stopping… (press Ctrl-C again to stop immediately)', 0);
      return;
    }
    launched?.kill();
    process.exit(130);
  }

  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  onNpmExit(env, () => stop('The npm process that started Lectern has ended. Stopping…', 1));

  try {
    const settings = readConfig(env);
    const home = homeAt(settings.home);
    const config = await withMasterKeys(settings, home);
    launched = await launch(config, home, terminal, (error) => {
      terminal.warn(`${error.message}\nThe logs are in ${home.logs}.`);
      stop('Stopping…', 1);
    });
    const ready = await launched.ready;
    if (!stopping) announce(ready, config.PORT, home, terminal);
    collectWhenIdle();
  } catch (error) {
    // If the start was interrupted, `stop` is already running.
    if (stopping && launched) return;
    terminal.warn(`Lectern could not be started. ${explain(error)}`);
    stopping = true;
    await end(1);
  }
}

function fail(error: unknown): void {
  terminal.warn(explain(error));
  process.exit(1);
}

/** Returns the message of an expected error, or the stack of an unexpected one. */
function explain(error: unknown): string {
  const isExpected = error instanceof LauncherError || error instanceof EngineError || error instanceof ConfigError;
  if (isExpected) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
