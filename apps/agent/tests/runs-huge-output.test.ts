import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseServiceDefinition, DocumentServiceDefinition, RunStatus } from '@lectern/contracts';
import { createLogger, type GrpcServer, serve, startGrpcServer } from '@lectern/service-kit';
import {
  callAs,
  createCaller,
  type ModelServer,
  type OpenAiTurn,
  type ScriptedToolCall,
  startOpenAiServer,
} from '@lectern/testing';
import { type RunSystem, startRunSystem } from './support/run-system.ts';

const MEGABYTE = 1024 * 1024;
const OUTPUT_BYTES = 30_000;
const TOTAL_BYTES = 300_000;
/** The overhead of roles, fences, notes and source markers, per output. */
const FRAME_BYTES = 1_000;
const PART = 20_000;

const ID = 'doc_01h455vb4pex5vsknk084sn02q';
const CUT = /was truncated here/;
const caller = createCaller();
let content: string;
let model: ModelServer<OpenAiTurn>;
let fakeServices: GrpcServer;
let system: RunSystem;
let agentId: string;

const calls = (id: string, name: string, input: object): OpenAiTurn => {
  const toolCalls: ScriptedToolCall[] = [{ id, name, input }];
  return { kind: 'message', toolCalls, usage: { prompt: 100, completion: 10 } };
};
const readAt = (offset: number) => calls(`call_${offset}`, 'get_document', { documentId: ID, offset });
const replyOf = (text: string): OpenAiTurn => ({ kind: 'message', text, usage: { prompt: 100, completion: 10 } });
const shown = (call: number): string[] =>
  (model.calls[call]!.body.messages as { role: string; content: string }[])
    .filter(({ role }) => role === 'tool')
    .map((message) => message.content);
const bytes = (texts: readonly string[]) => Buffer.byteLength(texts.join(''));

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
function memoryInUse(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Starts fake services whose responses are longer than any model can read. */
const startServices = () => {
  const { getDocumentContent } = DocumentServiceDefinition.methods;
  const { listDatabases, queryDatabase } = DatabaseServiceDefinition.methods;
  const values = Array.from({ length: 40 }, () => ({ text: 'wide '.repeat(100) }));
  return startGrpcServer({
    address: '127.0.0.1:0',
    log: createLogger({ service: 'emulator', level: 'silent' }),
    shutdownTimeoutMs: 100,
    services: [
      serve(
        { ...DocumentServiceDefinition, methods: { getDocumentContent } },
        { getDocumentContent: async ({ id }) => ({ document: { id, title: 'The log' }, content }) },
      ),
      serve(
        { ...DatabaseServiceDefinition, methods: { listDatabases, queryDatabase } },
        {
          listDatabases: async () => ({ databases: [{ connectorId: 'con_1', name: 'Shop' }] }),
          queryDatabase: async () => ({
            columns: values.map((_value, at) => `column_${at}`),
            rows: Array.from({ length: 200 }, () => ({ values })),
            truncated: true,
          }),
        },
      ),
    ],
  });
};

beforeAll(async () => {
  fakeServices = await startServices();
  model = await startOpenAiServer({ models: { local: {} } });
  const address = `127.0.0.1:${fakeServices.port}`;
  system = await startRunSystem({
    OPENAI_BASE_URL: `${model.origin}/v1`,
    CHAT_MODEL: 'local',
    OPENAI_CONTEXT_WINDOW: '1000000',
    COLLECTION_ADDRESS: address,
    CONNECTOR_ADDRESS: address,
    AGENT_MAX_ITERATIONS: '40',
    AGENT_TIMEOUT_MS: '600000',
    AGENT_TOOL_OUTPUT_BYTES: `${OUTPUT_BYTES}`,
    AGENT_TOTAL_OUTPUT_BYTES: `${TOTAL_BYTES}`,
  });
  const tools = ['get_document', 'query_database'];
  const agent = await system.agents.createAgent({ name: 'A', systemPrompt: 'Help.', tools }, callAs(caller));
  agentId = agent.id;
});
afterAll(async () => {
  await system.stop();
  await model.stop();
  await fakeServices.stop();
});
beforeEach(() => {
  content = 'All work and no play. '.repeat(50);
});

describe('tool output that is too large for the model', () => {
  it('is read in parts up to the total limit, in constant memory', async () => {
    content = 'All work and no play makes a dull log. '.repeat((8 * MEGABYTE) / 39);
    const inUse: number[] = [];
    model.play(...Array.from({ length: 25 }, (_, at) => readAt(at * PART)));
    const observed = await system.run({ agentId, message: 'Read the log.' }, caller, {
      onEvent: ({ $case }) => $case === 'iteration' && inUse.push(memoryInUse()),
    });
    expect(observed.failure).toBeUndefined();
    expect(observed.order.filter((name) => name === 'completed')).toHaveLength(1);
    expect(observed.order.at(-1)).toBe('completed');
    expect(observed.completed).toMatchObject({ status: RunStatus.LIMITED, limit: 'tool_output' });
    const reads = Math.ceil(TOTAL_BYTES / PART);
    expect(observed.calls).toHaveLength(reads);
    expect(model.calls).toHaveLength(reads + 1);
    expect(observed.completed?.usage?.totalTokens).toBe(110 * (reads + 1));
    const last = shown(reads);
    expect(bytes(last)).toBeGreaterThan(TOTAL_BYTES - PART);
    expect(bytes(last)).toBeLessThan(TOTAL_BYTES + reads * FRAME_BYTES);
    expect(last[0]).toMatch(new RegExp(`continue with offset ${PART}\\]`));
    expect(last.at(-1)).toMatch(CUT);
    // Fifteen parts of a document of 8 MB. If each part kept the whole document, this would exceed
    // 100 MB.
    expect(inUse.at(-1)! - inUse[2]!).toBeLessThan(40 * MEGABYTE);
  });

  it('continues exactly after the part that the model has read', async () => {
    content = '記録の文。😀'.repeat(20_000);
    model.play(readAt(0), replyOf('Long.'));
    const observed = await system.run({ agentId, message: 'Read the log.' }, caller);
    expect(observed.completed?.status).toBe(RunStatus.COMPLETED);
    const [output = ''] = shown(1);
    expect(Buffer.byteLength(output)).toBeLessThan(OUTPUT_BYTES + FRAME_BYTES);
    const next = Number(/continue with offset (\d+)\]/.exec(output)?.[1]);
    const [part] = observed.completed!.sources[0]!.passages;
    expect(part?.text).toBe(content.slice(0, next));
    expect(next).toBeGreaterThan(5_000);
    expect(output).not.toMatch(CUT);
  });

  it('is truncated with a note if it consists of wide rows', async () => {
    model.play(calls('call_1', 'query_database', { sql: 'SELECT * FROM logs' }), replyOf('Wide.'));
    const observed = await system.run({ agentId, message: 'What is in the database?' }, caller);
    expect(observed.order).toEqual([
      'started',
      'iteration',
      'toolCall',
      'toolResult',
      'iteration',
      'content',
      'completed',
    ]);
    expect(observed.results).toMatchObject([{ success: true, result: { count: 200, truncated: true } }]);
    const [output = ''] = shown(1);
    expect(Buffer.byteLength(output)).toBeGreaterThan(OUTPUT_BYTES);
    expect(Buffer.byteLength(output)).toBeLessThan(OUTPUT_BYTES + FRAME_BYTES);
    expect(output).toMatch(CUT);
    expect(output).toMatch(/<\/tool_output mark="\w+">$/);
    expect(observed.completed).toMatchObject({ status: RunStatus.COMPLETED, content: 'Wide.' });
  });
});
