import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { QdrantLocalOptions } from './server.ts';

/** The text of `--help`. */
export const usage = `Usage: qdrant-local [--data FOLDER] [--port PORT] [--host HOST] [--api-key-file FILE] [--allowed-hosts NAMES]

  --data           the data folder            (QDRANT_LOCAL_DATA, default ./qdrant-local-data)
  --port           0 for any free port        (QDRANT_LOCAL_PORT, default 6333)
  --host           the address to listen on   (QDRANT_LOCAL_HOST, default 127.0.0.1; others require a key)
  --api-key-file   a file with the API key that every request must send
                                              (QDRANT_LOCAL_API_KEY_FILE, or the key itself in QDRANT_LOCAL_API_KEY)
  --allowed-hosts  additional host names to accept in the Host header, separated by commas
                                              (QDRANT_LOCAL_ALLOWED_HOSTS)
`;

/** Reads the API key. @throws Error if the file is unreadable or empty */
function readKeyFile(file: string): string {
  let key: string;
  try {
    key = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Error(`the API key file is unreadable: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (key === '') throw new Error(`the key file ${file} is empty`);
  return key;
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new Error(`the port must be a number from 0 to 65535, not ${text}`);
  return port;
}

/**
 * Reads the settings from flags, then the environment, then defaults.
 *
 * @throws Error for an unknown flag, an invalid port, or a key that is unreadable or passed as an
 * argument
 */
export function readSettings(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): QdrantLocalOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      data: { type: 'string' },
      port: { type: 'string' },
      host: { type: 'string' },
      'api-key': { type: 'string' },
      'api-key-file': { type: 'string' },
      'allowed-hosts': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return 'help';
  if (values['api-key'] !== undefined)
    throw new Error(
      'every user of this machine can read arguments: set the key with QDRANT_LOCAL_API_KEY or --api-key-file',
    );
  const keyFile = values['api-key-file'] ?? env.QDRANT_LOCAL_API_KEY_FILE;
  const apiKey = keyFile ? readKeyFile(keyFile) : env.QDRANT_LOCAL_API_KEY;
  const allowedHosts = (values['allowed-hosts'] ?? env.QDRANT_LOCAL_ALLOWED_HOSTS ?? '')
    .split(/[\s,]+/)
    .filter(Boolean);
  return {
    dataDir: values.data ?? env.QDRANT_LOCAL_DATA ?? 'qdrant-local-data',
    port: readPort(values.port ?? env.QDRANT_LOCAL_PORT ?? '6333'),
    host: values.host ?? env.QDRANT_LOCAL_HOST ?? '127.0.0.1',
    ...(apiKey && { apiKey }),
    ...(allowedHosts.length > 0 && { allowedHosts }),
  };
}
