import { describe, expect, it } from '@jest/globals';
import { createModels } from '#registry/create-models';
import { BUILTIN } from './builtin.ts';

describe('createModels', () => {
  it('offers the built-in model without any settings', async () => {
    const models = createModels(BUILTIN);
    expect((await models.default()).id).toBe('builtin-extractive');
    expect((await models.list()).map(({ id }) => id)).toEqual(['builtin-extractive']);
    expect((await models.get('builtin-extractive')).info.recommendedMaxTokens).toBe(100_000);
    expect((await models.get()).id).toBe('builtin-extractive');
  });

  it('rejects an unknown model and lists the known ones', async () => {
    await expect(createModels(BUILTIN).get('gpt-0')).rejects.toThrow(
      expect.objectContaining({ code: 'invalid_request', message: expect.stringContaining('builtin-extractive') }),
    );
  });

  it('rejects a default model that is not available', () => {
    expect(() => createModels(BUILTIN, { defaultModel: 'gpt-0' })).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  });
});
