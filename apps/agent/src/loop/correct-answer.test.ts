import { describe, expect, it } from '@jest/globals';
import type { SourceDocument } from '@lectern/grounding';
import type { ChatModel, ChatRequest } from '@lectern/llm';
import { createLogger } from '@lectern/service-kit';
import { correctAnswer } from '#loop/correct-answer';
import { createSeenSources } from '#loop/seen-sources';

const TEXT = 'Every new parent gets sixteen weeks of paid parental leave.';
const SOURCE: SourceDocument = {
  id: 'leave',
  title: 'Parental leave',
  passages: [{ text: TEXT, start: 0, end: TEXT.length }],
};
const WRONG = 'Every new parent gets 26 weeks of paid parental leave. [1]';
const RIGHT = 'This corrects the above: every new parent gets sixteen weeks of paid parental leave. [1]';
const usage = { promptTokens: 100, completionTokens: 10 };

/** Creates a model that replies with a text, cites the source for all of it, and records its requests. */
function modelReplying(text: string, provider: 'openai' | 'builtin' = 'openai') {
  const requests: ChatRequest[] = [];
  const model: ChatModel = {
    id: 'scripted',
    info: {
      id: 'scripted',
      provider,
      contextWindow: 8_000,
      recommendedMaxTokens: 6_000,
      defaultMaxOutput: 1_000,
      maxOutput: 2_000,
      supportsTools: true,
    },
    countTokens: (one) => one.length,
    async *stream(request) {
      requests.push(request);
      yield { type: 'text', delta: text };
      yield citing(text);
      yield { type: 'end', stopReason: 'end', usage };
    },
  };
  return { model, requests };
}

const citing = (text: string) =>
  ({
    type: 'citation',
    marker: 1,
    sourceId: 'leave',
    passageIndex: 0,
    quote: TEXT,
    textStart: 0,
    textEnd: text.length,
  }) as const;

function correct(
  content: string,
  model: ChatModel,
  more: { material?: string; sources?: readonly SourceDocument[] } = {},
) {
  const { material = '', sources = [SOURCE] } = more;
  const seen = createSeenSources();
  seen.add(sources);
  const question = 'How many weeks of parental leave does a new parent get?';
  const request = {
    messages: [{ role: 'user', content: [{ type: 'text', text: question }] }],
    question,
    sources,
    maxTokens: 1_000,
  } as const;
  const citations = content.includes('[1]') ? [citing(content)] : [];
  return correctAnswer(
    { content, citations, stopReason: 'end', usage },
    {
      model,
      request,
      seen,
      material,
      signal: new AbortController().signal,
      log: createLogger({ service: 'test', level: 'silent' }),
    },
  );
}

describe('correctAnswer', () => {
  it('corrects an answer that fails a check, once', async () => {
    const { model, requests } = modelReplying(RIGHT);
    const correction = await correct(WRONG, model);
    expect(requests).toHaveLength(1);
    expect(JSON.stringify(requests[0]?.messages)).toContain('26');
    expect(correction).toEqual({ usage, answer: { content: RIGHT, citations: [citing(RIGHT)] } });
  });

  it('keeps the answer if the correction is no better, and counts its usage', async () => {
    expect(await correct(WRONG, modelReplying(WRONG).model)).toEqual({ usage, answer: undefined });
  });

  it('does not correct a valid answer, or an answer of the extractive model', async () => {
    const { model, requests } = modelReplying(RIGHT);
    expect(await correct(`${TEXT} [1]`, model)).toBeUndefined();
    expect(await correct(WRONG, modelReplying(RIGHT, 'builtin').model)).toBeUndefined();
    expect(requests).toEqual([]);
  });

  it('does not require a source for tool output, or if the run has read no documents', async () => {
    const { model, requests } = modelReplying(RIGHT);
    expect(
      await correct('Altogether that makes 4711 days of leave.', model, { material: '{"result": 4711}' }),
    ).toBeUndefined();
    expect(await correct('A new parent should ask the people team.', model, { sources: [] })).toBeUndefined();
    expect(requests).toEqual([]);
    await correct('A new parent may stay at home for a very long time.', model);
    expect(requests).toHaveLength(1);
  });
});
