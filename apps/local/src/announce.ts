import type { Home } from '#home';
import type { Ready } from '#launch';
import type { Terminal } from '#terminal';

/**
 * Prints the URL and the path of the credentials file, after the first start also the keys, and the
 * link for the first owner until there is one.
 */
export function announce(
  { credentials, areNew, port, consoleUrl, ownerLink }: Ready,
  preferredPort: number,
  home: Home,
  terminal: Terminal,
): void {
  const { baseUrl, teamId, secretKey, publishableKey } = credentials;
  if (preferredPort !== 0 && port !== preferredPort)
    terminal.print(`Port ${preferredPort} is in use, so Lectern listens on ${port}. Set PORT to choose another.`);
  terminal.print(`Lectern is ready at ${baseUrl}`);
  terminal.print(`  Console          ${consoleUrl ?? `${baseUrl}/console`}`);
  terminal.print(`  Team             ${teamId}`);
  if (areNew) {
    terminal.print(`  Secret key       ${secretKey}`);
    terminal.print(`  Publishable key  ${publishableKey}`);
  }
  if (ownerLink !== null) terminal.print(`  Create owner     ${ownerLink}`);
  terminal.print(`  Credentials      ${home.credentials}`);
  terminal.print(`  Logs             ${home.logs}`);
  terminal.print('Press Ctrl-C to stop.');
}
