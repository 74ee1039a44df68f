import { parseArgs } from 'node:util';
import type { QdrantLocalOptions } from './server.ts';

/** What `--help` prints. */
export const usage = `Usage: qdrant-local [--data FOLDER] [--port PORT] [--host HOST] [--api-key KEY]

  --data     where everything is kept   (QDRANT_LOCAL_DATA, default ./qdrant-local-data)
  --port     0 for any free port        (QDRANT_LOCAL_PORT, default 6333)
  --host     the address to listen on   (QDRANT_LOCAL_HOST, default 127.0.0.1)
  --api-key  demanded of every request  (QDRANT_LOCAL_API_KEY, default none)
`;

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new Error(`the port must be a number from 0 to 65535, not ${text}`);
  return port;
}

/** Flags first, then the environment, then defaults. @throws Error for an unknown flag or a bad port */
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
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return 'help';
  const apiKey = values['api-key'] ?? env.QDRANT_LOCAL_API_KEY;
  return {
    dataDir: values.data ?? env.QDRANT_LOCAL_DATA ?? 'qdrant-local-data',
    port: readPort(values.port ?? env.QDRANT_LOCAL_PORT ?? '6333'),
    host: values.host ?? env.QDRANT_LOCAL_HOST ?? '127.0.0.1',
    ...(apiKey && { apiKey }),
  };
}
