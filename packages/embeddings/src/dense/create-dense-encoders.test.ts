import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createDenseEncoders } from '#dense/create-dense-encoders';
import { embeddingSettings, encoderSettings } from '#dense/embedding-settings';

const fromEnvironment = (env: Record<string, string>) => encoderSettings(z.object(embeddingSettings).parse(env));

describe('createDenseEncoders', () => {
  it('gives each vector space its own name and keeps the builtin models with a provider', () => {
    const encoders = createDenseEncoders({ provider: 'voyage', model: 'voyage-3.5-lite', dimensions: 256 });
    expect(encoders.get()).toMatchObject({ model: 'voyage/voyage-3.5-lite@256', dimensions: 256, isCostly: true });
    expect(encoders.get('voyage-3.5-lite')).toBe(encoders.get('voyage/voyage-3.5-lite@256'));
    expect(encoders.get('builtin-hash-512').dimensions).toBe(512);
  });

  it('serves other models of the provider by their full names, so that collections keep their model', () => {
    const encoders = createDenseEncoders({ provider: 'openai', model: 'large', dimensions: 256 });
    expect(encoders.get('openai/small').model).toBe('openai/small');
    expect(encoders.get('openai/small')).toBe(encoders.get('openai/small'));
    expect(encoders.get('openai/small@64')).toMatchObject({ model: 'openai/small@64', dimensions: 64 });
    for (const unknown of ['small', 'openai/', 'voyage/small', 'openai/a b', 'openai/small@0']) {
      expect(() => encoders.get(unknown)).toThrow(/Unknown embedding model/);
    }
  });

  it('never lets a provider use the name of a builtin model', () => {
    const encoders = createDenseEncoders({ provider: 'openai', model: 'builtin-hash-512' });
    expect(encoders.get().model).toBe('openai/builtin-hash-512');
    expect(encoders.get('builtin-hash-512').model).toBe('builtin-hash-512');
  });

  it('lists the known models in the error for an unknown one', () => {
    expect(() => createDenseEncoders({ provider: 'openai' }).get('large')).toThrow(
      /Unknown embedding model "large"\. Known models: openai\/text-embedding-3-small, .*builtin-hash-512/,
    );
  });

  it.each([
    [{ provider: 'acme' }, 'EMBEDDING_PROVIDER: must be one of builtin, openai, voyage, onnx'],
    [{ model: 'large' }, 'EMBEDDING_MODEL: unknown builtin model large'],
    [{ provider: 'onnx' }, 'EMBEDDING_MODEL: is required for EMBEDDING_PROVIDER=onnx, or EMBEDDING_MODEL_DIR'],
    [{ provider: 'onnx', model: 'acme/small' }, 'MODELS_DIR: is required'],
  ])('rejects invalid settings: %j', (settings, message) => {
    expect(() => createDenseEncoders(settings)).toThrow(message);
  });
});

describe('OPENAI_API_KEY', () => {
  const OPENAI_API_KEY = 'sk-1';

  it('is used for OpenAI unless EMBEDDING_API_KEY is set', () => {
    expect(fromEnvironment({ EMBEDDING_PROVIDER: 'openai', OPENAI_API_KEY }).apiKey).toBe('sk-1');
    const own = { EMBEDDING_PROVIDER: 'openai', OPENAI_API_KEY, EMBEDDING_API_KEY: 'sk-2' };
    expect(fromEnvironment(own).apiKey).toBe('sk-2');
  });

  it('is not sent to other addresses', () => {
    const other = { EMBEDDING_PROVIDER: 'openai', OPENAI_API_KEY, EMBEDDING_BASE_URL: 'http://localhost:11434/v1' };
    expect(fromEnvironment(other).apiKey).toBeUndefined();
    expect(fromEnvironment({ EMBEDDING_PROVIDER: 'voyage', OPENAI_API_KEY }).apiKey).toBeUndefined();
  });
});
