import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { bridge } from '#bridge';
import { readSettings, SettingsError } from '#settings';

// stdout carries the protocol, so messages for people go to stderr.
const log = (line: string) => void process.stderr.write(`lectern-mcp: ${line}\n`);

try {
  const { endpoint, headers } = readSettings(process.env);
  const local = new StdioServerTransport();
  process.stdin.once('end', () => void local.close());
  await bridge(local, new StreamableHTTPClientTransport(endpoint, { requestInit: { headers } }), log);
  process.exit(0);
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  log(error.message);
  process.exitCode = 2;
}
