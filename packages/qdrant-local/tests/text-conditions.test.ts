import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LocalServer, startLocalServer } from './support/local-server.ts';

describe('text, uuid and prefix conditions', () => {
  let server: LocalServer;

  beforeAll(async () => {
    server = await startLocalServer();
    const { client } = server;
    await client.createCollection('t', { vectors: { size: 1, distance: 'Dot' } });
    const texts = ['The quick brown fox', 'A fox is quick', 'Le renard brun était là', 'brown bread'];
    const index = (field_name: string, field_schema: 'uuid' | 'keyword' | Record<string, unknown>) =>
      client.createPayloadIndex('t', { field_name, field_schema, wait: true });
    await index('text', { type: 'text', tokenizer: 'word', phrase_matching: true, ascii_folding: true });
    await index('start', { type: 'text', tokenizer: 'prefix', min_token_len: 2, max_token_len: 6 });
    await index('key', 'uuid');
    await index('name', 'keyword');
    await client.upsert('t', {
      points: texts.map((text, i) => ({
        id: i,
        vector: [i],
        payload: {
          text,
          start: text,
          plain: text,
          name: `n/${i % 2}/${i}`,
          key: `0000000${i}-0000-4000-8000-00000000000A`,
        },
      })),
    });
  });

  afterAll(() => server.stop());

  it.each<[string, object, number[]]>([
    ['every word, in any order and case', { key: 'text', match: { text: 'FOX quick' } }, [0, 1]],
    ['any word', { key: 'text', match: { text_any: 'bread fox' } }, [0, 1, 3]],
    ['words in a row', { key: 'text', match: { phrase: 'quick brown' } }, [0]],
    ['folded letters', { key: 'text', match: { text: 'etait' } }, [2]],
    ['nothing for a query without words', { key: 'text', match: { text: ' -- ' } }, []],
    ['beginnings of words', { key: 'start', match: { text: 'qui br' } }, [0]],
    ['a substring without an index', { key: 'plain', match: { text: 'ick br' } }, [0]],
    ['nothing in another case without an index', { key: 'plain', match: { text: 'FOX' } }, []],
    ['a UUID in any spelling', { key: 'key', match: { value: '0000000200004000800000000000000a' } }, [2]],
    ['the beginning of a keyword', { key: 'name', match: { prefix: 'n/1/' } }, [1, 3]],
  ])('match %s', async (_, condition, expected) => {
    const page = await server.client.scroll('t', { filter: { must: [condition] } as never, with_payload: false });
    expect(page.points.map((point) => point.id)).toEqual(expected);
  });

  it('ignore the old words of a changed point', async () => {
    await server.client.setPayload('t', { payload: { text: 'nothing' }, points: [0] });
    const filter = { must: [{ key: 'text', match: { text: 'fox' } }] };
    expect(await server.client.count('t', { filter })).toEqual({ count: 1 });
  });
});
