/**
 * Returns null for each header that a client takes from this environment variable. The operator's
 * headers can contain secrets, so a team's endpoint must not receive them.
 */
export function unsetHeaders(variable: string): Record<string, null> {
  const names = (process.env[variable] ?? '').split('\n').flatMap((line) => {
    const colon = line.indexOf(':');
    return colon < 0 ? [] : [line.slice(0, colon).trim()];
  });
  return Object.fromEntries(names.map((name) => [name, null]));
}
