import { collectWhenIdle } from '@lectern/resilience/collect-when-idle';
import { ConfigError } from '#config';
import { describeError } from '#describe-error';

/** A running component. `stop` waits for its current work. */
export interface Running {
  stop(): Promise<void>;
}

/**
 * Runs a service until SIGTERM or SIGINT, then stops it and exits. A second signal exits immediately.
 * Collects garbage while the service is idle.
 * Invalid settings exit with 78 (EX_CONFIG of sysexits.h), other failures with 1.
 */
export async function runService(start: () => Promise<Running>): Promise<void> {
  const fail = (error: unknown) => {
    process.stderr.write(
      `${error instanceof ConfigError ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
    );
    process.exit(error instanceof ConfigError ? 78 : 1);
  };
  // The origin of these errors is unknown, so the log omits their messages.
  const crash = (error: unknown) => {
    process.stderr.write(`${JSON.stringify(describeError(error))}\n`);
    process.exit(1);
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  let running: Running;
  try {
    running = await start();
  } catch (error) {
    fail(error);
    return;
  }
  collectWhenIdle();
  let stopping = false;
  const stop = () => {
    if (stopping) process.exit(130);
    stopping = true;
    running.stop().then(() => process.exit(0), fail);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
