import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AgentTool } from '@lectern/contracts';
import { type Caller, newId } from '@lectern/service-kit';
import { createCaller } from '@lectern/testing';
import type { ToolOutcome } from '#tools/tool';
import { startToolServices, type ToolServices } from './support/tool-services.ts';

const team = createCaller();
const otherCaller = createCaller();
let services: ToolServices;
let handbook: string;
let payroll: string;
let leave: string;
let long: string;
let private_: string;
let salaries: string;
let foreign: string;

const within = (...ids: string[]): Caller => ({ ...team, scope: { kind: 'only', ids } });
const run = (tool: AgentTool, input: unknown, caller: Caller = within(handbook)) => services.run(tool, input, caller);

/** Returns everything in an outcome that a model can read. */
const shown = ({ content, sources }: ToolOutcome): string => `${content}${JSON.stringify(sources ?? [])}`;

beforeAll(async () => {
  services = await startToolServices();
  handbook = await services.addCollection(team, 'Handbook');
  payroll = await services.addCollection(team, 'Payroll');
  const otherCollection = await services.addCollection(otherCaller, 'Other team');
  const text = 'Employees have thirty days of leave a year. Leave is requested in the portal.';
  [leave = '', long = '', private_ = ''] = await services.addDocuments(team, handbook, [
    { title: 'Leave', content: text, url: 'https://example.com/leave' },
    { title: 'Chronicle', content: 'Once upon a time in the office. '.repeat(4_000) },
    { title: 'Diary', content: 'Ada keeps bees on the roof.', principals: ['user:ada@example.com'] },
  ]);
  [salaries = ''] = await services.addDocuments(team, payroll, [{ title: 'Salaries', content: 'Ada earns 4711.' }]);
  [foreign = ''] = await services.addDocuments(otherCaller, otherCollection, [
    { title: 'Foreign', content: 'Their code is 1337.' },
  ]);
});
afterAll(() => services.stop());

describe('search_documents', () => {
  it('returns passages with ids and URLs', async () => {
    const found = await run('search_documents', { query: 'how many days of leave' });
    expect(found).toMatchObject({ isError: false, summary: { count: expect.any(Number) } });
    for (const text of ['Leave', leave, 'https://example.com/leave', 'thirty days of leave']) {
      expect(shown(found)).toContain(text);
    }
  });

  it('finds only documents in its scope, and none in an empty scope', async () => {
    const query = { query: 'Ada earns salaries code' };
    expect(shown(await run('search_documents', query, within(payroll)))).toContain('4711');
    for (const caller of [within(handbook), within(), otherCaller]) {
      expect(shown(await run('search_documents', query, caller))).not.toContain('4711');
    }
    expect(await run('search_documents', query, within())).toMatchObject({ isError: false, summary: { count: 0 } });
  });

  it('finds only documents that the end user can read', async () => {
    const query = { query: 'bees on the roof' };
    const as = (userEmail: string) => run('search_documents', query, { ...within(handbook), userEmail });
    expect(shown(await as('ada@example.com'))).toContain(private_);
    expect(shown(await as('bob@example.com'))).not.toContain('bees');
  });
});

describe('get_document and summarize_document', () => {
  it('return a document, a long one in parts', async () => {
    const whole = await run('get_document', { documentId: leave });
    expect(whole.content).toMatch(/^# Leave\nid: .*\nurl: https:\/\/example.com\/leave/);
    expect(shown(whole)).toContain('Employees have thirty days');
    const first = await run('get_document', { documentId: long });
    const [, offset] = /continue with offset (\d+)\]$/.exec(first.content) ?? [];
    expect(shown(first).length).toBeLessThan(21_000);
    const second = await run('get_document', { documentId: long, offset: Number(offset) });
    expect(second).toMatchObject({ isError: false, summary: { documentId: long, characters: Number(offset) } });
    expect((await run('get_document', { documentId: long, offset: 9_999_999 })).summary).toMatchObject({
      characters: 0,
    });
    expect((await run('summarize_document', { documentId: leave })).content).toMatch(/^# Leave\nid: doc_.*\n\n\S/);
  });

  it.each(['get_document', 'summarize_document'] as const)('%s returns an error without the text', async (tool) => {
    const unknown = newId('document');
    const bob = { ...within(handbook), userEmail: 'bob@example.com' };
    const cases: readonly (readonly [string, Caller, RegExp])[] = [
      [unknown, team, /No document has the id/],
      [salaries, within(handbook), /no access to the collection/],
      [leave, within(), /no access to the collection/],
      [foreign, team, /No document has the id/],
      [private_, bob, /No document has the id/],
      ["x' OR 1=1", team, /No document has the id/],
    ];
    for (const [documentId, caller, message] of cases) {
      const failed = await run(tool, { documentId }, caller);
      expect(failed).toMatchObject({ isError: true, content: expect.stringMatching(message) });
      expect(failed.summary).toEqual({ error: failed.content });
      expect(shown(failed)).not.toMatch(/4711|1337|bees/);
    }
  });
});

describe('calculate and get_datetime', () => {
  it('return results and errors', async () => {
    expect((await run('calculate', { expression: '0.1 + 0.2' })).content).toContain('0.3');
    expect(await run('calculate', { expression: '1 / 0' })).toMatchObject({ isError: true });
    expect((await run('get_datetime', { timeZone: 'Asia/Tokyo' })).content).toMatch(/Tokyo/);
    expect(await run('get_datetime', { timeZone: 'Mars/Olympus' })).toMatchObject({ isError: true });
  });
});

describe('any tool', () => {
  it.each<[AgentTool, unknown]>([
    ['search_documents', {}],
    ['search_documents', { query: 'x', collections: ['col_1'] }],
    ['search_documents', { query: 'x', limit: 1_000 }],
    ['get_document', 'doc_1'],
    ['get_document', { documentId: 1 }],
    ['summarize_document', null],
    ['query_database', { sql: '' }],
    ['query_database', { sql: 'x'.repeat(10_001) }],
    ['get_table_info', undefined],
    ['search_database_schema', { query: [] }],
    ['calculate', { expression: { $gt: '' } }],
    ['get_datetime', { timeZone: 5 }],
  ])('%s rejects the arguments %j', async (tool, input) => {
    const failed = await run(tool, input);
    expect(failed).toMatchObject({ isError: true, content: expect.stringMatching(/^Invalid arguments/) });
  });

  it('ends when its signal is aborted', async () => {
    const aborted = AbortSignal.abort(new Error('enough'));
    for (const [tool, input] of [
      ['search_documents', { query: 'leave' }],
      ['get_document', { documentId: leave }],
      ['search_database_schema', {}],
    ] as const) {
      await expect(services.run(tool, input, team, aborted)).rejects.toThrow('enough');
    }
  });
});
