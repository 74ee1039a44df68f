import { EngineError } from '@lectern/local-engines';
import { ConfigError } from '@lectern/service-kit';
import { announce } from '#announce';
import { readConfig } from '#config';
import { homeAt } from '#home';
import { type Launch, launch } from '#launch';
import { LauncherError } from '#launcher-error';
import { withMasterKeys } from '#master-keys';
import { onNpmGone } from '#npm-gone';
import { terminal } from '#terminal';

/** npm passes the terminal's Ctrl-C on to a process that has had it from the terminal already: within this time two are one. */
const ECHO_MS = 500;

/** The life of the launcher's process: start, say so, wait for a signal, stop, exit. Exits with 1 when something failed. */
export async function run(env: NodeJS.ProcessEnv): Promise<void> {
  let launched: Launch | undefined;
  let stopping = false;
  let signalledAt = Number.NEGATIVE_INFINITY;

  async function end(exitCode: number): Promise<void> {
    await launched?.stop();
    if (launched) terminal.say('Stopped.');
    process.exit(exitCode);
  }

  function stop(why: string, exitCode: number): void {
    if (stopping) return;
    stopping = true;
    terminal.say(why);
    void end(exitCode).catch(fail);
  }

  function onSignal(): void {
    const isEcho = performance.now() - signalledAt < ECHO_MS;
    if (isEcho) return;
    signalledAt = performance.now();
    if (!stopping) {
      stop('Stopping… (once more to stop at once)', 0);
      return;
    }
    launched?.kill();
    process.exit(130);
  }

  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  onNpmGone(env, () => stop('npm, which started Lectern, is gone. Stopping…', 1));

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
  } catch (error) {
    // A start that was interrupted ends by itself.
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

/** Errors made for people are shown by their message, the rest with where they come from. */
function explain(error: unknown): string {
  const isForPeople = error instanceof LauncherError || error instanceof EngineError || error instanceof ConfigError;
  if (isForPeople) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
