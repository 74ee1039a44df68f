const EXIT_MS = 60_000;

/**
 * A reporter of Jest that ends a run that something keeps open after its last test, for example a process that a failed
 * test has left. Without it, everything that waits for the run hangs.
 */
export default class ExitDeadline {
  onRunComplete() {
    const exit = () => {
      process.stderr.write(
        `Jest still runs ${EXIT_MS / 1000} s after its last test, because a test left something open: `,
      );
      process.stderr.write('a process, a server or a connection. Run the file with --detectOpenHandles to find it.\n');
      process.exit(1);
    };
    setTimeout(exit, EXIT_MS).unref();
  }
}
