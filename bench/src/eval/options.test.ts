import { describe, expect, it } from '@jest/globals';
import { readEvalOptions } from '#eval/options';
import { UsageError } from '#usage-error';

describe('readEvalOptions', () => {
  it('starts a temporary Lectern and uses all modes by default', () => {
    const options = readEvalOptions(['--data', 'corpus'], {});
    expect(options).toMatchObject({ data: 'corpus', modes: ['hybrid', 'keyword', 'semantic'], server: undefined });
  });

  it('reads the key of a running Lectern from the command line or the environment', () => {
    const args = ['--data', 'corpus', '--url', 'http://127.0.0.1:8080/'];
    const server = { baseUrl: 'http://127.0.0.1:8080', secretKey: 'sk_a' };
    expect(readEvalOptions([...args, '--key', 'sk_a'], { LECTERN_API_KEY: 'sk_b' })?.server).toEqual(server);
    expect(readEvalOptions(args, { LECTERN_API_KEY: 'sk_a' })?.server).toEqual(server);
    expect(() => readEvalOptions(args, {})).toThrow('--key');
  });

  it('names the invalid option', () => {
    expect(() => readEvalOptions([], {})).toThrow(UsageError);
    expect(() => readEvalOptions(['--data', 'corpus', '--modes', 'hybrid,best'], {})).toThrow('--modes');
    expect(() => readEvalOptions(['--data', 'corpus', '--split', '../x'], {})).toThrow('--split');
  });
});
