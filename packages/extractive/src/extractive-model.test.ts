import { describe, expect, it } from '@jest/globals';
import type { SourceDocument } from '@lectern/grounding';
import { collectReply } from '@lectern/llm';
import { createExtractiveModel } from '#extractive-model';

const HANDBOOK = `## Leave

New parents take up to 18 weeks of paid leave. Inform your manager at least two months ahead.

## Laptops

We order a laptop for everybody who joins. It is replaced every four years.
`;

const SOURCES: readonly SourceDocument[] = [
  { id: 'doc_1', title: 'Staff guide', passages: [{ text: HANDBOOK, start: 0, end: HANDBOOK.length }] },
];

function ask(
  question: string,
  options: { maxTokens?: number; signal?: AbortSignal; sources?: readonly SourceDocument[] } = {},
) {
  const { maxTokens = 500, signal = new AbortController().signal, sources = SOURCES } = options;
  const model = createExtractiveModel();
  const messages = [{ role: 'user', content: [{ type: 'text', text: question }] }] as const;
  return model.stream({ messages, sources, maxTokens }, { signal });
}

describe('the built-in extractive model', () => {
  it('quotes the sentence that answers, verbatim and with its marker', async () => {
    const reply = await collectReply(ask('How many weeks of leave do new parents get?'));
    expect(reply.text).toContain('New parents take up to 18 weeks of paid leave. [1]');
    const [citation] = reply.citations;
    expect(citation?.quote).toBe('New parents take up to 18 weeks of paid leave.');
    expect(reply.text.slice(citation!.textStart, citation!.textEnd)).toBe(citation!.quote);
    expect(reply.stopReason).toBe('end');
    expect(reply.usage.completionTokens).toBeGreaterThan(10);
  });

  it('finds no answer if the passages do not mention the question', async () => {
    const reply = await collectReply(ask('Who won the chess championship in Reykjavik?'));
    expect(reply.text).toMatch(/^The passages that were found do not mention "Reykjavik"\. .*"Staff guide"\.$/);
    expect(reply.citations).toEqual([]);
  });

  it('finds no answer if there are no passages', async () => {
    const reply = await collectReply(ask('How long is the leave?', { sources: [] }));
    expect(reply.text).toMatch(/^I could not find an answer/);
  });

  it('replies to a greeting without sources', async () => {
    const reply = await collectReply(ask('Hello!', { sources: [] }));
    expect(reply.text).toMatch(/^Hello!/);
  });

  it('stops at the token limit, never inside a marker', async () => {
    const reply = await collectReply(ask('How many weeks of leave do new parents get?', { maxTokens: 12 }));
    expect(reply.stopReason).toBe('max_tokens');
    expect(reply.usage.completionTokens).toBeLessThanOrEqual(12);
    expect(reply.text).not.toMatch(/\[\d*$/);
  });

  it('throws cancelled when the signal aborts', async () => {
    const controller = new AbortController();
    const events = ask('How many weeks of leave do new parents get?', { signal: controller.signal });
    const drained = (async () => {
      for await (const _event of events) controller.abort();
    })();
    await expect(drained).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('throws timeout when the signal aborts with a timeout', async () => {
    const timeout = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
    await expect(collectReply(ask('How long is the leave?', { signal: timeout }))).rejects.toMatchObject({
      code: 'timeout',
    });
  });
});
