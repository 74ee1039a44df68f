import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parseCopy, parseDockerfile } from '../images/dockerfile.ts';
import { ROOT } from './support/service-settings.ts';

describe('a Dockerfile', () => {
  it('is parsed into stages, with build arguments expanded except in commands', () => {
    const text =
      '# first\nARG BASE=node:1\nFROM $BASE AS one\nRUN a \\\n  # in between\n  && b "$APP"\nFROM $BASE\nARG APP\nCOPY --from=one /x/ /y/$APP/\n';
    expect(parseDockerfile(text, { APP: 'search' })).toEqual([
      { name: 'one', from: 'node:1', instructions: [{ word: 'RUN', rest: 'a && b "$APP"' }] },
      {
        name: '',
        from: 'node:1',
        instructions: [
          { word: 'ARG', rest: 'APP' },
          { word: 'COPY', rest: '--from=one /x/ /y/search/' },
        ],
      },
    ]);
  });

  it('parses copies, and rejects unsupported flags', () => {
    expect(parseCopy('--from=one a b c/')).toEqual({ stage: 'one', sources: ['a', 'b'], target: 'c/' });
    expect(() => parseCopy('--link a b')).toThrow('--link');
  });
});

describe('the Dockerfile', () => {
  const stages = parseDockerfile(readFileSync(join(ROOT, 'infra/Dockerfile'), 'utf8'), { APP: 'search' });

  it('ends with an unprivileged account and a command, and uses the Node version of the workspace', () => {
    const [last] = stages.slice(-1);
    expect(last?.instructions).toContainEqual({ word: 'USER', rest: 'node' });
    expect(last?.instructions.at(-1)?.word).toBe('CMD');
    expect(new Set(stages.map(({ from }) => from))).toEqual(new Set([`node:${process.versions.node}-bookworm-slim`]));
  });
});
