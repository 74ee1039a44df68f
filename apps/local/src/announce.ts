import type { Home } from '#home';
import type { Ready } from '#launch';
import type { Terminal } from '#terminal';

/** Says that Lectern is ready, and what is needed to use it: the keys in full at the first start, later only where they are. */
export function announce(
  { credentials, areNew, port, consoleUrl }: Ready,
  wantedPort: number,
  home: Home,
  terminal: Terminal,
): void {
  const { baseUrl, teamId, secretKey, publishableKey } = credentials;
  if (wantedPort !== 0 && port !== wantedPort)
    terminal.say(`Port ${wantedPort} is in use, so Lectern listens on ${port}. Set PORT to choose another.`);
  terminal.say(`Lectern is ready at ${baseUrl}`);
  terminal.say(`  Console          ${consoleUrl ?? `${baseUrl}/console`}`);
  terminal.say(`  Team             ${teamId}`);
  if (areNew) {
    terminal.say(`  Secret key       ${secretKey}`);
    terminal.say(`  Publishable key  ${publishableKey}`);
  }
  terminal.say(`  Credentials      ${home.credentials}`);
  terminal.say(`  Logs             ${home.logs}`);
  terminal.say('Press Ctrl-C to stop.');
}
