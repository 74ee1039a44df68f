/** The server to connect to. */
export interface Settings {
  /** The address of the MCP endpoint. */
  readonly endpoint: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** A missing or invalid environment variable. */
export class SettingsError extends Error {}

/** Reads the environment. Throws `SettingsError`. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const { LECTERN_URL: url = '', LECTERN_KEY: key = '', LECTERN_USER: user } = env;
  if (!/^https?:\/\/[^/]/i.test(url)) {
    throw new SettingsError(
      'LECTERN_URL is missing or invalid. Set it to the URL of the Lectern server, for example https://lectern.example.com.',
    );
  }
  if (key === '') throw new SettingsError('LECTERN_KEY is missing. Set it to a secret key.');
  return {
    endpoint: new URL(`${url.replace(/\/+$/, '')}/mcp`),
    headers: { Authorization: `Bearer ${key}`, ...(user ? { 'X-Service-User': user } : {}) },
  };
}
