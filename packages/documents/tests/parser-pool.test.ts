import { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { getEventListeners, once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { createParserPool, ParseError, type ParserPool, type ParserPoolOptions } from '#index';
import { docx, pdf, utf8, wordParagraph } from './sample-files.ts';

const open: ParserPool[] = [];
const folders: string[] = [];

const pool = (options: ParserPoolOptions = {}): ParserPool => {
  // Long enough for the slowest machine. Tests of the timeout set a shorter one.
  const created = createParserPool({ timeoutMs: 600_000, ...options });
  open.push(created);
  return created;
};

/**
 * Runs of backticks of every length: for each, the Markdown parser searches the rest of the text.
 */
const slowMarkdown = utf8(Array.from({ length: 880 }, (_, length) => '`'.repeat(length)).join(' '));

/** Returns the number of listeners on a signal and signals joined with it. */
const countListeners = (signal: AbortSignal): number => {
  const joined = Object.getOwnPropertySymbols(signal)
    .map((key) => Reflect.get(signal, key))
    .filter((value) => value instanceof Set);
  return getEventListeners(signal, 'abort').length + joined.reduce((sum, set) => sum + set.size, 0);
};

/** JSON that takes about 30 times its size in memory when parsed. */
const hungryJson = utf8(`[${'{"a":{}},'.repeat(3_000_000)}{}]`);

const codeOf = (parsing: Promise<unknown>): Promise<unknown> =>
  parsing.then(
    () => 'parsed',
    (error: unknown) => (error instanceof ParseError ? error.code : error),
  );

/** Returns the next child process that starts. */
const nextChild = (): Promise<ChildProcess> =>
  new Promise((resolve) => {
    const onSpawn = (message: unknown): void => {
      unsubscribe('child_process', onSpawn);
      const started = typeof message === 'object' && message !== null ? Reflect.get(message, 'process') : undefined;
      if (started instanceof ChildProcess) resolve(started);
    };
    subscribe('child_process', onSpawn);
  });

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

afterAll(async () => {
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
});

describe('createParserPool', () => {
  it('parses bytes and files with metadata', async () => {
    const parsers = pool({ size: 1 });
    const folder = await mkdtemp(join(tmpdir(), 'lectern-documents-'));
    folders.push(folder);
    await writeFile(join(folder, 'a'), pdf([[[12, 'Hello from a file']]]));
    const text = await parsers.parse({ bytes: utf8('# Hello\n\nWorld'), fileName: 'a.md' });
    expect(text).toEqual({
      text: '# Hello\n\nWorld',
      title: 'Hello',
      metadata: { mimeType: 'text/markdown', charset: 'utf-8' },
    });
    const file = await parsers.parse({ path: join(folder, 'a'), fileName: 'a.pdf' });
    expect(file).toMatchObject({ text: 'Hello from a file', metadata: { pages: 1, author: 'Alan Turing' } });
  });

  it('ends an idle child, and starts a new one for the next file', async () => {
    const parsers = pool({ size: 1, idleTimeoutMs: 50 });
    const parse = (text: string) => parsers.parse({ bytes: utf8(text), fileName: 'a.txt' });
    const child = nextChild();
    await expect(parse('one')).resolves.toMatchObject({ text: 'one' });
    await once(await child, 'exit');
    await expect(parse('two')).resolves.toMatchObject({ text: 'two' });
  });

  it('stops a file that takes too long, and continues with the next', async () => {
    const parsers = pool({ size: 1, timeoutMs: 7_500 });
    const child = nextChild();
    await parsers.parse({ bytes: utf8('first'), fileName: 'a.txt' });
    // Makes the next file time out, however fast the machine is.
    (await child).kill('SIGSTOP');
    const slow = parsers.parse({ bytes: utf8('slow'), fileName: 'slow.txt' });
    const next = parsers.parse({ bytes: utf8('fine'), fileName: 'b.txt' });
    await expect(slow).rejects.toMatchObject({ code: 'timeout', message: expect.stringMatching(/longer than 8 s/) });
    await expect(next).resolves.toMatchObject({ text: 'fine' });
  });

  it('stops a file that uses too much memory, without affecting others', async () => {
    const parsers = pool({ size: 2, memoryLimitMb: 160 });
    const files = ['x', 'y', 'z'].map((text) => parsers.parse({ bytes: utf8(text), fileName: `${text}.txt` }));
    const hungry = parsers.parse({ bytes: hungryJson, fileName: 'hungry.json' });
    await expect(hungry).rejects.toMatchObject({ code: 'out_of_memory' });
    expect((await Promise.all(files)).map(({ text }) => text)).toEqual(['x', 'y', 'z']);
  });

  it('includes buffers outside the heap in the memory limit', async () => {
    const parsers = pool({ size: 1, memoryLimitMb: 160 });
    const bytes = new Uint8Array(200 * 1024 * 1024);
    const code = codeOf(
      pool({ size: 1, memoryLimitMb: 160, maxInputBytes: bytes.length }).parse({ bytes, fileName: 'a.bin' }),
    );
    await expect(code).resolves.toBe('out_of_memory');
    await expect(parsers.parse({ bytes: utf8('ok'), fileName: 'a.txt' })).resolves.toMatchObject({ text: 'ok' });
  });

  it('stops inflating a ZIP bomb at the budget, regardless of its declared size', async () => {
    const parsers = pool({ size: 1, maxInflatedBytes: 8 * 1024 * 1024 });
    const bomb = docx(wordParagraph(' '.repeat(40 * 1024 * 1024)));
    expect(bomb.length).toBeLessThan(100_000);
    await expect(codeOf(parsers.parse({ bytes: bomb, fileName: 'bomb.docx' }))).resolves.toBe('too_large');
  });

  it('rejects files over the input limit without reading them, and texts over the output limit', async () => {
    const parsers = pool({ size: 1, maxInputBytes: 1000, maxTextChars: 100 });
    await expect(codeOf(parsers.parse({ bytes: new Uint8Array(1001), fileName: 'a.txt' }))).resolves.toBe('too_large');
    await expect(codeOf(parsers.parse({ bytes: utf8('a'.repeat(101)), fileName: 'a.txt' }))).resolves.toBe('too_large');
    await expect(codeOf(parsers.parse({ bytes: utf8('a'.repeat(100)), fileName: 'a.txt' }))).resolves.toBe('parsed');
  });

  it('reports what is wrong with a file', async () => {
    const parsers = pool({ size: 1 });
    const original = docx(wordParagraph('Hello'));
    const broken = parsers.parse({ bytes: original.subarray(0, original.length - 200), fileName: 'cut.docx' });
    await expect(broken).rejects.toMatchObject({ code: 'corrupt_file', message: expect.stringMatching(/damaged/) });
    const old = parsers.parse({ bytes: utf8('GIF89a'), fileName: 'a.gif' });
    await expect(old).rejects.toMatchObject({
      code: 'unsupported_format',
      message: expect.stringMatching(/^This is an image, .*\.docx/),
    });
  });

  it('stops a running or queued file when its signal aborts', async () => {
    const parsers = pool({ size: 1 });
    const first = new AbortController();
    const second = new AbortController();
    const running = parsers.parse({ bytes: slowMarkdown, fileName: 'slow.md' }, { signal: first.signal });
    const waiting = parsers.parse({ bytes: utf8('b'), fileName: 'b.txt' }, { signal: second.signal });
    second.abort(new Error('not needed'));
    await expect(waiting).rejects.toThrow('not needed');
    first.abort(new Error('changed my mind'));
    await expect(running).rejects.toThrow('changed my mind');
    await expect(parsers.parse({ bytes: utf8('c'), fileName: 'c.txt' })).resolves.toMatchObject({ text: 'c' });
  });

  it('removes all listeners from the signal and the child after each file', async () => {
    const parsers = pool({ size: 1, maxFilesPerChild: 1_000 });
    const { signal } = new AbortController();
    const child = nextChild();
    const parse = (n: number) => parsers.parse({ bytes: utf8(`file ${n}`), fileName: 'a.txt' }, { signal });
    await parse(0);
    const started = await child;
    const listeners = () => started.eventNames().reduce((sum, name) => sum + started.listenerCount(name), 0);
    const before = listeners();
    for (let n = 1; n <= 200; n += 1) await parse(n);
    expect(countListeners(signal)).toBe(0);
    expect(listeners()).toBe(before);
    // While a file is parsed, the signal has one listener.
    const working = parsers.parse({ bytes: utf8('last'), fileName: 'a.txt' }, { signal });
    expect(countListeners(signal)).toBe(1);
    await working;
  });

  it('rejects files when the queue is full and after it is closed', async () => {
    const parsers = pool({ size: 1, maxQueued: 1 });
    const parse = (): Promise<unknown> => parsers.parse({ bytes: slowMarkdown, fileName: 'slow.md' });
    const settled = Promise.allSettled([parse(), parse(), parse()]);
    await expect(parse()).rejects.toMatchObject({ name: 'ParserPoolError', code: 'queue_full' });
    await parsers.close();
    const reasons = (await settled).map((result) => (result.status === 'rejected' ? result.reason.code : 'parsed'));
    expect(reasons).toEqual(['closed', 'closed', 'queue_full']);
    await expect(parse()).rejects.toMatchObject({ code: 'closed' });
  });

  it('rejects invalid limits', () => {
    expect(() => createParserPool({ size: 0 })).toThrow(/size/);
  });
});
