import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDocument, operations } from '@lectern/api-spec';
import { temporaryFolder } from '@lectern/testing';
import { findPython, missingPython, runPython } from '@lectern/testing/python';
import { describeIf } from '@lectern/testing/skip';
import { MODULES } from './support/driver.ts';

const TESTS = fileURLToPath(new URL('python', import.meta.url));
const httpx = findPython('httpx');
const mypy = findPython('mypy');

describeIf(httpx !== undefined, missingPython('httpx'))('the Python SDK', () => {
  it('passes its tests in Python', async () => {
    const args = ['-m', 'unittest', 'discover', '--start-directory', TESTS];
    await runPython(String(httpx), args, { modules: MODULES });
  });

  it('does not import the types of the records when a program starts', async () => {
    const program = "import lectern_sdk, sys; print('lectern_sdk.types' in sys.modules)";
    expect(await runPython(String(httpx), ['-c', program], { modules: MODULES })).toBe('False\n');
  });

  it('has types that Python can evaluate', async () => {
    const program = `import typing, lectern_sdk.types as types
for record in vars(types).values():
    if isinstance(record, type) and typing.is_typeddict(record): typing.get_type_hints(record)
print(len(typing.get_args(types.StreamChatEvent)), *types.Role.__args__)`;
    expect(await runPython(String(httpx), ['-c', program], { modules: MODULES })).toMatch(/^10 (\w+ ?)+\n$/);
  });
});

const MYPY_TIMEOUT_MS = 280_000;

const TYPED_PROGRAM = `
from lectern_sdk import AsyncLectern, Lectern, LecternError, verify_webhook
from lectern_sdk.types import NewDocument, SearchResult


def search(lectern: Lectern) -> list[SearchResult]:
    for collection in lectern.collections.list(limit=10):
        collection["name"].upper()
    for event in lectern.chat.stream(message="Hi"):
        if event["event"] == "content_delta":
            event["data"]["delta"].upper()
    document: NewDocument = {"title": "Leave", "content": "Thirty days."}
    lectern.documents.create_batch("col_1", documents=[document])
    lectern.documents.create("col_1", title="Leave", content="Thirty days.", metadata={"author": "Ada", "level": 3})
    lectern.connectors.create(name="Files", type="upload", collection="col_1")
    lectern.collections.update("col_1", description=None, options={"if_match": '"a.b"'})
    total: int = lectern.collections.list().page().total
    code: str = LecternError("not_found", str(total), status=404).code
    received = verify_webhook(code, {}, "whsec_")
    if received["type"] == "document.indexed":
        received["data"]["id"].upper()
    return lectern.search.documents(query="leave", mode="hybrid")["results"]


async def ask(lectern: AsyncLectern) -> str:
    async for piece in lectern.chat.stream(message="Hi").text():
        piece.upper()
    async for collection in lectern.collections.list():
        collection["id"].upper()
    return (await lectern.chat.send(message="Hi"))["content"]
`;

/** The Python sample of each operation in the API reference, as a function. */
function samples(): string {
  const found = Object.values(createDocument(operations).paths).flatMap((methods) => Object.values(methods));
  const sources = found.flatMap((operation: { 'x-codeSamples'?: readonly { lang: string; source: string }[] }) =>
    (operation['x-codeSamples'] ?? []).filter(({ lang }) => lang === 'python').map(({ source }) => source),
  );
  expect(sources.length).toBeGreaterThan(150);
  return sources
    .map((source, at) => `def sample_${at}() -> None:\n${source.replaceAll(/^(?=.)/gm, '    ')}\n`)
    .join('\n');
}

/** Each line is an error. */
const WRONG = [
  'lectern.search.documents(query="leave", color="red")',
  'lectern.search.documents()',
  'lectern.search.documents(query="leave", mode="fast")',
  'lectern.search.documents(query="leave")["result"]',
  'lectern.collections.update("col_1", name=None)',
  'lectern.client.call("createColection")',
  'lectern.keys.own(options={"timeoutMs": 1})',
  'lectern.agents.memories.get("agt_1")',
];

describeIf(mypy !== undefined, missingPython('mypy'))('the types of the Python SDK', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => folder.remove());

  it('are complete, fit programs and reject wrong ones', async () => {
    await writeFile(join(folder.path, 'program.py'), TYPED_PROGRAM);
    const wrong = ['from lectern_sdk import Lectern', 'def wrong(lectern: Lectern) -> None:'];
    await writeFile(join(folder.path, 'wrong.py'), [...wrong, ...WRONG.map((line) => `    ${line}`)].join('\n'));
    await writeFile(join(folder.path, 'samples.py'), samples());
    const args = ['-m', 'mypy', '--strict', '--cache-dir', join(folder.path, 'cache'), '--no-error-summary'];
    const tests = ['support', 'test_custom_source', 'test_requests', 'test_streams', 'test_webhooks'];
    const modules = ['program', 'samples', 'wrong', ...tests].flatMap((name) => ['-m', name]);
    const files = ['-p', 'lectern_sdk', ...modules];
    const env = { ...process.env, MYPYPATH: [MODULES, folder.path, TESTS].join(':'), PYTHONDONTWRITEBYTECODE: '1' };
    const output = await promisify(execFile)(String(mypy), [...args, ...files], {
      env,
      timeout: MYPY_TIMEOUT_MS,
    }).catch(({ stdout }) => ({
      stdout,
    }));
    const lines = [...output.stdout.matchAll(/^(\S+?):(\d+): error/gm)].map(
      ([, file, line]) => `${file?.split('/').at(-1)}:${line}`,
    );
    expect([...new Set(lines)]).toEqual(WRONG.map((_line, at) => `wrong.py:${at + 3}`));
  });
});
