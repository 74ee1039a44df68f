import { mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createLogOutput } from '#log-output';
import { createLogger } from '#logging';

function setUp() {
  const file = join(mkdtempSync(join(tmpdir(), 'lectern-log-')), 'log');
  const log = createLogger({ service: 'test', level: 'info', destination: createLogOutput(openSync(file, 'w')) });
  const lines = () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line): unknown => JSON.parse(line).msg);
  return { log, lines };
}

describe('createLogOutput', () => {
  it('writes a warning at once, after the lines before it', () => {
    const { log, lines } = setUp();
    log.info('first');
    expect(lines()).toEqual([]);
    log.child({ requestId: 'req_1' }).warn('second');
    expect(lines()).toEqual(['first', 'second']);
  });

  it('writes other lines together, in order', async () => {
    const { log, lines } = setUp();
    log.info('first');
    log.info('second');
    while (lines().length === 0) await delay(10);
    expect(lines()).toEqual(['first', 'second']);
  });
});
