import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createDenseEncoders } from '#dense/create-dense-encoders';
import { embeddingSettings, encoderSettings } from '#dense/embedding-settings';

const fromEnvironment = (env: Record<string, string>) => encoderSettings(z.object(embeddingSettings).parse(env));

describe('the encoders of an installation', () => {
  it('have a name of their own for each vector space, and keep the builtin ones beside a provider', () => {
    const encoders = createDenseEncoders({ provider: 'voyage', model: 'voyage-3.5-lite', dimensions: 256 });
    expect(encoders.get()).toMatchObject({ model: 'voyage/voyage-3.5-lite@256', dimensions: 256, isCostly: true });
    expect(encoders.get('voyage-3.5-lite')).toBe(encoders.get('voyage/voyage-3.5-lite@256'));
    expect(encoders.get('builtin-hash-512').dimensions).toBe(512);
  });

  it("serve the provider's other models by their full names, so that collections keep the model they were made with", () => {
    const encoders = createDenseEncoders({ provider: 'openai', model: 'large', dimensions: 256 });
    expect(encoders.get('openai/small').model).toBe('openai/small');
    expect(encoders.get('openai/small')).toBe(encoders.get('openai/small'));
    expect(encoders.get('openai/small@64')).toMatchObject({ model: 'openai/small@64', dimensions: 64 });
    for (const unknown of ['small', 'openai/', 'voyage/small', 'openai/a b', 'openai/small@0']) {
      expect(() => encoders.get(unknown)).toThrow(/There is no embedding model/);
    }
  });

  it('never let a provider take the name of a builtin model', () => {
    const encoders = createDenseEncoders({ provider: 'openai', model: 'builtin-hash-512' });
    expect(encoders.get().model).toBe('openai/builtin-hash-512');
    expect(encoders.get('builtin-hash-512').model).toBe('builtin-hash-512');
  });

  it('name what is known when asked for another model', () => {
    expect(() => createDenseEncoders({ provider: 'openai' }).get('large')).toThrow(
      /no embedding model "large"\. Known: openai\/text-embedding-3-small, .*builtin-hash-512/,
    );
  });

  it.each([
    [{ provider: 'acme' }, 'EMBEDDING_PROVIDER: must be one of builtin, openai, voyage, onnx'],
    [{ model: 'large' }, 'EMBEDDING_MODEL: no builtin model is named large'],
    [{ provider: 'onnx' }, 'EMBEDDING_MODEL_DIR: must name the folder'],
  ])('are refused at the start for settings that cannot be used: %j', (settings, message) => {
    expect(() => createDenseEncoders(settings)).toThrow(message);
  });

  it('say what to install where a folder of a model is to be used', async () => {
    const encoder = createDenseEncoders({ provider: 'onnx', modelDir: '/models/minilm' }).get();
    expect(encoder.model).toBe('onnx/minilm');
    await expect(encoder.embedQuery('text')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('npm install @huggingface/transformers'),
    });
  });
});

describe('the key of OpenAI', () => {
  const OPENAI_API_KEY = 'sk-1';

  it('is taken for OpenAI itself, unless embeddings have one of their own', () => {
    expect(fromEnvironment({ EMBEDDING_PROVIDER: 'openai', OPENAI_API_KEY }).apiKey).toBe('sk-1');
    const own = { EMBEDDING_PROVIDER: 'openai', OPENAI_API_KEY, EMBEDDING_API_KEY: 'sk-2' };
    expect(fromEnvironment(own).apiKey).toBe('sk-2');
  });

  it('is sent to no other address', () => {
    const other = { EMBEDDING_PROVIDER: 'openai', OPENAI_API_KEY, EMBEDDING_BASE_URL: 'http://localhost:11434/v1' };
    expect(fromEnvironment(other).apiKey).toBeUndefined();
    expect(fromEnvironment({ EMBEDDING_PROVIDER: 'voyage', OPENAI_API_KEY }).apiKey).toBeUndefined();
  });
});
