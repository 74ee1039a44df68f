import { describe, expect, it } from '@jest/globals';
import { parseConfig } from '@lectern/service-kit';
import { z } from 'zod';
import { createModels } from '#registry/create-models';
import { modelEnvironment, modelSettings } from '#registry/model-environment';
import { BUILTIN } from './builtin.ts';

const modelsFor = (env: Record<string, string>) =>
  createModels(BUILTIN, modelSettings(parseConfig(z.object(modelEnvironment), env)));

describe('the models of an environment', () => {
  it('are only the built-in one if nothing is set', async () => {
    const models = modelsFor({ ANTHROPIC_API_KEY: '' });
    expect((await models.list()).map(({ id }) => id)).toEqual(['builtin-extractive']);
  });

  it('default to a current Claude with an Anthropic key, and have the documented sizes', async () => {
    const models = modelsFor({ ANTHROPIC_API_KEY: 'sk-ant-x', OPENAI_API_KEY: 'sk-x' });
    expect(await models.default()).toMatchObject({
      id: 'claude-sonnet-5-5',
      provider: 'anthropic',
      contextWindow: 1_000_000,
    });
    const sizes = new Map(
      (await models.list()).map((info) => [info.id, [info.contextWindow, info.recommendedMaxTokens]]),
    );
    for (const id of ['gpt-4o', 'gpt-4o-mini', 'gpt-4-turbo', 'builtin-extractive']) {
      expect(sizes.get(id)).toEqual([128_000, 100_000]);
    }
    for (const id of ['claude-opus-4-5', 'claude-haiku-4-5', 'o3']) expect(sizes.get(id)).toEqual([200_000, 160_000]);
    for (const info of await models.list()) {
      expect(info.recommendedMaxTokens + info.defaultMaxOutput).toBeLessThanOrEqual(info.contextWindow);
      expect(info.defaultMaxOutput).toBeLessThanOrEqual(info.maxOutput);
    }
  });

  it('give dated snapshots the sizes of their model', async () => {
    const models = modelsFor({
      ANTHROPIC_API_KEY: 'sk-ant-x',
      OPENAI_API_KEY: 'sk-x',
      CHAT_MODEL: 'gpt-4o-2024-11-20',
    });
    expect(await models.default()).toMatchObject({ provider: 'openai', contextWindow: 128_000 });
    expect((await models.get('claude-haiku-4-5-20251001')).info.maxOutput).toBe(64_000);
  });

  it('use CHAT_MODEL as the default, including a Claude that is not listed', async () => {
    const defaultOf = (env: Record<string, string>) => modelsFor(env).default();
    expect((await defaultOf({ ANTHROPIC_API_KEY: 'k', CHAT_MODEL: 'builtin-extractive' })).provider).toBe('builtin');
    expect(await defaultOf({ ANTHROPIC_API_KEY: 'k', CHAT_MODEL: 'claude-next-9' })).toMatchObject({
      provider: 'anthropic',
      contextWindow: 200_000,
    });
    expect(() => modelsFor({ CHAT_MODEL: 'claude-next-9' })).toThrow('claude-next-9');
  });

  it('report every invalid setting', () => {
    expect(() => modelsFor({ OPENAI_BASE_URL: 'ollama:11434', OPENAI_MODELS: 'a,,b' })).toThrow(
      /OPENAI_BASE_URL: must be an http[\s\S]*OPENAI_MODELS/,
    );
  });
});
