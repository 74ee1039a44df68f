import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChatServiceDefinition } from '@lectern/contracts';
import { createExtractiveModel } from '@lectern/extractive';
import { type SourceDocument, withoutMarkers } from '@lectern/grounding';
import { createModels } from '@lectern/llm';
import { connectGrpc, type GrpcClient } from '@lectern/service-kit';
import {
  callAs,
  createCaller,
  type ModelServer,
  type OpenAiTurn,
  startOpenAiServer,
  testDatabase,
} from '@lectern/testing';
import { z } from 'zod';
import { readConfig } from '#config';
import { startChat } from '#server';
import type { TurnServices } from '#turn/turn-services';

const TURNS = 300;
const MODEL = 'gpt-4o';
/** The recommended maximum for a window of 128,000 tokens. */
const RECOMMENDED_TOKENS = 100_000;
/** Tokens of a message in addition to its text. */
const TOKENS_PER_MESSAGE = 4;

const prompt = z.object({
  max_tokens: z.number(),
  messages: z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })),
});

const closing: (() => unknown)[] = [];
let server: ModelServer<OpenAiTurn>;
let chat: GrpcClient<typeof ChatServiceDefinition>;
let sources: readonly SourceDocument[] = [];

/** Creates a seeded generator of random numbers (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
const next = randomNumbers(20_261_121);
const between = (min: number, max: number) => Math.floor(min + next() * (max - min + 1));
const WORDS = 'leave laptop travel Vertrag 休暇 budget 2026 §7 encrypted review übermorgen hotel-room receipt'.split(
  ' ',
);
const prose = (words: number) => Array.from({ length: words }, () => WORDS[between(0, WORDS.length - 1)]).join(' ');

/** Creates a few passages, sometimes more than fit into any prompt. */
function makeSources(turn: number): SourceDocument[] {
  const isHuge = turn % 25 === 5;
  const passages = Array.from({ length: isHuge ? 130 : between(0, 6) }, (_, at) => {
    const text = `<passage ${turn}.${at}> ${prose(isHuge ? 500 : between(20, 300))}`;
    return { text, heading: prose(3), start: at * 100_000, end: at * 100_000 + text.length };
  });
  const half = Math.ceil(passages.length / 2);
  const documents = [passages.slice(0, half), passages.slice(half)];
  return documents.flatMap((own, at) =>
    own.length === 0 ? [] : [{ id: `doc_${turn}_${at}`, title: prose(4), passages: own }],
  );
}

beforeAll(async () => {
  const database = await testDatabase();
  closing.push(() => database.drop());
  server = await startOpenAiServer({ models: { [MODEL]: {} } });
  closing.push(() => server.stop());
  const config = readConfig({
    DATABASE_URL: database.url,
    GRPC_ADDRESS: '127.0.0.1:0',
    LOG_LEVEL: 'silent',
    OPENAI_BASE_URL: `${server.origin}/v1`,
    CHAT_MODEL: MODEL,
  });
  const services: TurnServices = {
    retrieve: async () => sources,
    filterReadable: async (ids) => new Set(ids),
    readDocument: async () => undefined,
    readIndexing: async () => ({ searchable: true, pending: 0, languages: [] }),
    resolveCollections: async (ids) => ids,
    getAgent: () => Promise.reject(new Error('not part of this test')),
    executeAgent: () => {
      throw new Error('not part of this test');
    },
  };
  const app = await startChat(config, {
    services: { for: () => services, listLatest: () => Promise.resolve([]), close: () => undefined },
  });
  closing.push(() => app.stop());
  const connection = connectGrpc(`127.0.0.1:${app.port}`);
  closing.push(() => connection.close());
  chat = connection.client(ChatServiceDefinition);
});

afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

describe(`${TURNS} turns of one conversation with a model of 128,000 tokens`, () => {
  it('never exceed the recommended maximum, and drop the oldest messages first and sources last', async () => {
    const caller = createCaller();
    const { countTokens } = await createModels(createExtractiveModel(), {
      openai: { baseUrl: `${server.origin}/v1` },
      defaultModel: MODEL,
    }).get(MODEL);
    const previous: string[] = [];
    const observed = { shortenedHistory: 0, shortenedSources: 0, maxTokens: 0 };
    let conversationId: string | undefined;
    for (let turn = 0; turn < TURNS; turn += 1) {
      sources = makeSources(turn);
      const message = `<message ${turn}> Compare ${prose(turn % 25 === 7 ? 4_000 : between(3, 300))}`.slice(0, 32_000);
      const reply = `<reply ${turn}> ${prose(between(3, 300))}`;
      server.play({ kind: 'message', text: reply, pieceLength: 4_000 });
      const maxTokens = between(1, 4) === 1 ? 16_000 : undefined;
      const response = await chat.chat({ message, conversationId, maxTokens }, callAs(caller));
      conversationId = response.conversationId;

      const [call] = server.calls;
      expect(call?.error).toBeUndefined();
      const { max_tokens, messages } = prompt.parse(call?.body);
      const tokens = messages.reduce((sum, { content }) => sum + countTokens(content) + TOKENS_PER_MESSAGE, max_tokens);
      expect(tokens).toBeLessThanOrEqual(RECOMMENDED_TOKENS);
      observed.maxTokens = Math.max(observed.maxTokens, tokens);

      const lastMessage = messages.at(-1)?.content ?? '';
      expect(lastMessage.endsWith(message)).toBe(true);
      const history = messages.slice(1, -1).map(({ content }) => content);
      expect(history).toEqual(previous.slice(previous.length - history.length));
      if (history.length < previous.length) observed.shortenedHistory += 1;
      const included = sources.flatMap(({ passages }) => passages).filter(({ text }) => lastMessage.includes(text));
      if (included.length < sources.reduce((sum, { passages }) => sum + passages.length, 0)) {
        observed.shortenedSources += 1;
        expect(history).toEqual([]);
        expect(included.length).toBeGreaterThan(0);
      }
      previous.push(message, withoutMarkers(response.content));
    }
    expect(observed.shortenedHistory).toBeGreaterThan(TURNS / 2);
    expect(observed.shortenedSources).toBeGreaterThan(5);
    expect(observed.maxTokens).toBeGreaterThan(RECOMMENDED_TOKENS * 0.9);
  }, 600_000);
});
