import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type NotionServer,
  type NotionServerOptions,
  notionBlock,
  notionId,
  richText,
  startNotionServer,
} from '@lectern/testing';
import type { Connector } from '#connector';
import { publicAddresses } from '#host';
import { notionType } from '#notion/notion-type';
import { call, collect, refsOf, textOf, titlesOf } from './support/read-source.ts';
import { createRefreshingTokens } from './support/refreshing-tokens.ts';
import { createTestHost, type TestHost } from './support/test-host.ts';

let server: NotionServer;
let host: TestHost;
let notion: Connector;

async function start(options: NotionServerOptions = {}) {
  server = await startNotionServer({ pageSize: 2, ...options });
  host = createTestHost({
    addresses: { ...publicAddresses, notion: server.origin },
    tokens: createRefreshingTokens(server, '/v1/oauth/token', notionType.oauth!, server.oauth.grant()),
  });
  notion = notionType.open({ config: {}, credentials: {}, host });
}

async function stop() {
  await host.close();
  await server.stop();
}

beforeEach(() => start());
afterEach(stop);

describe('Notion', () => {
  it('finds search results, and their parents and children that search misses', async () => {
    const hidden = { searchable: false };
    server.model.page('Home');
    const team = server.model.page('Team 東京', { ...hidden, parent: { type: 'page_id', page_id: notionId('Home') } });
    server.model.page('Deep', { ...hidden, parent: { type: 'page_id', page_id: team } });
    const above = server.model.page('Above', hidden);
    server.model.page('Below', { parent: { type: 'page_id', page_id: above } });
    const tasks = server.model.database('Tasks', { ...hidden, parent: { type: 'page_id', page_id: team } });
    for (const row of ['Row 1', 'Row 2', 'Row 3']) server.model.page(row, { ...hidden, parent: tasks.parent });
    const shown = server.model.database('Shown');
    server.model.page('Row 4', { ...hidden, parent: shown.parent });
    server.model.page('Old');
    server.model.trash(notionId('Old'));
    const expected = ['Above', 'Below', 'Deep', 'Home', 'Row 1', 'Row 2', 'Row 3', 'Row 4', 'Team 東京'];
    expect(await titlesOf(notion)).toEqual(expected);
    const events = await collect(notion.list(call));
    expect(events.at(-1)).toEqual({ type: 'complete', authoritative: true, confirmGone: true });
    expect(refsOf(events).find((ref) => ref.title === 'Home')).toMatchObject({
      id: notionId('Home'),
      author: 'Ada Lovelace',
      url: `${server.origin}/${notionId('Home').replaceAll('-', '')}`,
      version: server.model.pages.get(notionId('Home'))?.lastEdited,
    });
  });

  it('resumes from each checkpoint, and starts again if its cursor has expired', async () => {
    for (let n = 0; n < 7; n += 1) server.model.page(`Page ${n}`);
    const events = await collect(notion.list(call));
    const checkpoints = events.flatMap((event) => (event.type === 'checkpoint' ? [event] : []));
    expect(checkpoints).toHaveLength(3);
    for (const expired of [false, true]) {
      if (expired) server.expireCursors();
      for (const checkpoint of checkpoints) {
        const before = refsOf(events.slice(0, events.indexOf(checkpoint)));
        const after = refsOf(await collect(notion.list(call, checkpoint.at)));
        if (!expired) expect(after).toHaveLength(7 - before.length);
        expect(new Set([...before, ...after].map((ref) => ref.id)).size).toBe(7);
      }
    }
  });

  it('returns no version while another edit could have the same timestamp', async () => {
    const minute = 60_000;
    const now = new Date(Math.floor(Date.now() / minute) * minute).toISOString();
    const id = server.model.page('Fresh', { lastEdited: now });
    expect((await notion.resolve(call, id))?.version).toBeUndefined();
    const exact = now.replace('00.000Z', '01.234Z');
    server.model.page('Fresh', { lastEdited: exact });
    expect((await notion.resolve(call, id))?.version).toBe(exact);
  });

  it('reports a page as gone only if Notion does', async () => {
    const [trashed, removed] = [server.model.page('A'), server.model.page('B')];
    const refs = refsOf(await collect(notion.list(call)));
    server.model.trash(trashed);
    server.model.remove(removed);
    for (const ref of refs) {
      expect(await notion.resolve(call, ref.id)).toBeNull();
      await expect(notion.fetch(call, ref)).rejects.toMatchObject({ kind: 'gone' });
    }
    server.fail(() => ({ kind: 'gibberish' }));
    await expect(notion.resolve(call, trashed)).rejects.toMatchObject({ kind: 'transient' });
  });

  it('waits as long as Notion requires', async () => {
    for (const status of [429, 529]) {
      server.fail(() => ({ kind: 'status', status, retryAfter: '30' }));
      await expect(titlesOf(notion)).rejects.toMatchObject({ kind: 'rate', retryAt: expect.any(Date) });
    }
  });

  it('continues with rotated tokens, after one refresh for concurrent failures', async () => {
    for (let n = 0; n < 6; n += 1) server.model.page(`Page ${n}`);
    const refs = refsOf(await collect(notion.list(call)));
    for (const times of [1, 2, 3]) {
      server.oauth.expireAccess();
      const texts = await Promise.all(refs.map((ref) => textOf(notion, ref)));
      expect(texts.map((text) => /Text of (.*)/.exec(text)?.[1]).sort()).toEqual(refs.map((ref) => ref.title).sort());
      expect(server.oauth.refreshes).toBe(times);
    }
    expect(server.oauth.reusedRefreshToken).toBe(false);
  });

  it('shows authors by id if users are not readable, and requests each user once', async () => {
    await stop();
    await start({ showsUsers: false });
    for (const name of ['A', 'B', 'C']) server.model.page(name);
    const refs = refsOf(await collect(notion.list(call)));
    expect(new Set(refs.map((ref) => ref.author))).toEqual(new Set([notionId('user Ada Lovelace')]));
    expect(server.requests.filter(({ path }) => path.startsWith('/v1/users/'))).toHaveLength(1);
  });

  it('includes the properties of rows, but not those of other pages', async () => {
    const tasks = server.model.database('Tasks');
    const properties = {
      Status: { id: 'a', type: 'status', status: { name: 'Doing' } },
      Tags: { id: 'b', type: 'multi_select', multi_select: [{ name: 'red' }, { name: 'blue' }] },
      Due: { id: 'c', type: 'date', date: { start: '2026-03-01', end: null } },
      Points: { id: 'd', type: 'formula', formula: { type: 'number', number: 3 } },
      Sum: { id: 'e', type: 'rollup', rollup: { type: 'array', array: [{ type: 'checkbox', checkbox: true }] } },
      Key: { id: 'f', type: 'unique_id', unique_id: { prefix: 'T', number: 7 } },
      Empty: { id: 'g', type: 'select', select: null },
    };
    const id = server.model.page('Row', { parent: tasks.parent, properties });
    const text = await textOf(notion, (await notion.resolve(call, id))!);
    expect(text).toBe(
      '# Row\n\n- Status: Doing\n- Tags: red, blue\n- Due: 2026-03-01\n- Points: 3\n- Sum: yes\n- Key: T-7\n\nText of Row\n',
    );
  });

  it.each(['truncated', 'missing'] as const)('reads blocks if the Markdown of Notion is %s', async (markdown) => {
    await stop();
    await start({ markdown });
    const item = (text: string, children: ReturnType<typeof notionBlock>[] = []) =>
      notionBlock('bulleted_list_item', text, children);
    const row = (...cells: string[]) => notionBlock('table_row', { cells: cells.map(richText) });
    const id = server.model.page('Page', {
      blocks: [
        notionBlock('heading_2', 'Plan'),
        item('one', [item('inner')]),
        item('two'),
        notionBlock('to_do', { rich_text: richText('done'), checked: true }),
        notionBlock('column_list', {}, [notionBlock('column', {}, [notionBlock('paragraph', 'in a column')])]),
        notionBlock('code', { rich_text: richText('let a = 1;\nlet b;'), language: 'typescript' }),
        notionBlock('table', { table_width: 2 }, [row('a', 'b|c'), row('1', '2')]),
        notionBlock('bookmark', { url: 'https://example.com/x', caption: richText('See') }),
      ],
    });
    const text = await textOf(notion, (await notion.resolve(call, id))!);
    expect(text).toBe(
      [
        '# Page',
        '',
        '## Plan',
        '',
        '- one',
        '   - inner',
        '- two',
        '- [x] done',
        '',
        'in a column',
        '',
        '```typescript',
        'let a = 1;',
        'let b;',
        '```',
        '',
        '| a | b\\|c |',
        '| --- | --- |',
        '| 1 | 2 |',
        '',
        '[See](https://example.com/x)',
        '',
        '',
      ].join('\n'),
    );
  });

  it('tests the connection and reports problems', async () => {
    expect(await notion.test(call)).toEqual([{ name: 'pages', ok: true, message: expect.stringContaining('no page') }]);
    server.oauth.revoke();
    expect(await notion.test(call)).toEqual([{ name: 'pages', ok: false, message: expect.any(String), kind: 'auth' }]);
  });
});
