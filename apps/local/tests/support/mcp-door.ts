import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Json } from './api.ts';

/** What a caller finds and reads over MCP. */
export interface McpDoor {
  /** The ids of the documents that a search finds. */
  search(query: string): Promise<readonly string[]>;
  /** The ids of all documents that are listed as resources. */
  listed(): Promise<readonly string[]>;
  /** Reads a document in each way that MCP has. The text of a failure contains the error. */
  read(id: string): Promise<readonly { readonly way: string; readonly isRead: boolean; readonly answer: string }[]>;
  ask(question: string): Promise<Json>;
  close(): Promise<void>;
}

/** Connects the official client of MCP with these headers. */
export async function openMcpDoor(baseUrl: string, headers: Readonly<Record<string, string>>): Promise<McpDoor> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', baseUrl), { requestInit: { headers } }));
  const uriOf = (id: string) => `lectern://documents/${id}`;
  const tool = async (name: string, given: Record<string, unknown>): Promise<Json> =>
    client.callTool({ name, arguments: given });
  return {
    search: async (query) => {
      const found = await tool('search', { query, mode: 'keyword', limit: 20 });
      return found.structuredContent.results.map(({ id }: Json) => id);
    },
    listed: async () => {
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await client.listResources(cursor === undefined ? {} : { cursor });
        ids.push(...page.resources.map(({ uri }) => uri.slice(uriOf('').length)));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return ids;
    },
    read: async (id) => {
      const results = [];
      for (const name of ['fetch', 'get_document']) {
        const answer = await tool(name, { id });
        results.push({ way: name, isRead: answer.isError !== true, answer: JSON.stringify(answer) });
      }
      const requests = {
        resource: () => client.readResource({ uri: uriOf(id) }),
        prompt: () => client.getPrompt({ name: 'summarize_document', arguments: { document: id } }),
      };
      for (const [way, request] of Object.entries(requests)) {
        const read = { way, isRead: true };
        const unread = (error: unknown) => ({ way, isRead: false, answer: String(error) });
        results.push(await request().then((answer) => ({ ...read, answer: JSON.stringify(answer) }), unread));
      }
      return results;
    },
    ask: (question) => tool('ask', { question }),
    close: () => client.close(),
  };
}
