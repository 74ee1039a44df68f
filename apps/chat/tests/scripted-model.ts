import type { ChatModel, ChatRequest, Models } from '@lectern/llm';
import { AppError } from '@lectern/service-kit';

/** A model that the test controls. */
export interface ScriptedModel {
  readonly models: Models;
  /** The requests it received, oldest first. */
  readonly requests: readonly ChatRequest[];
  /** Lets the next reply finish. */
  finish(): void;
  /** Makes the next reply fail after its first word. */
  fail(): void;
  /** Resolves when a reply waits after its first word. */
  waiting(): Promise<void>;
  /** Resolves when a reply was aborted. */
  aborted(): Promise<void>;
}

/** Emits the first word immediately and the rest after `finish()`. */
export function scriptedModel(words: readonly string[]): ScriptedModel {
  const requests: ChatRequest[] = [];
  const gate = Promise.withResolvers<'finish' | 'fail'>();
  const waiting = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  const info = {
    id: 'scripted',
    provider: 'builtin',
    contextWindow: 10_000,
    recommendedMaxTokens: 8_000,
    defaultMaxOutput: 100,
    maxOutput: 100,
    supportsTools: false,
  } as const;
  const model: ChatModel = {
    id: info.id,
    info,
    countTokens: (text) => text.length / 4,
    async *stream(request, { signal }) {
      requests.push(request);
      const [first = '', ...rest] = words;
      yield { type: 'text', delta: first };
      const ended = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => {
          aborted.resolve();
          reject(new AppError('cancelled', 'The request was cancelled.'));
        });
      });
      waiting.resolve();
      if ((await Promise.race([gate.promise, ended])) === 'fail') {
        throw new AppError('upstream_error', 'The model failed.');
      }
      for (const delta of rest) yield { type: 'text', delta };
      yield { type: 'end', stopReason: 'end', usage: { promptTokens: 10, completionTokens: words.length } };
    },
  };
  return {
    requests,
    models: { default: async () => info, get: async () => model, list: async () => [info] },
    finish: () => gate.resolve('finish'),
    fail: () => gate.resolve('fail'),
    waiting: () => waiting.promise,
    aborted: () => aborted.promise,
  };
}
