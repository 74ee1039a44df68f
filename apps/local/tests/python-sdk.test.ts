import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { temporaryFolder } from '@lectern/testing';
import { findPython, missingPython, runPython } from '@lectern/testing/python';
import { describeIf } from '@lectern/testing/skip';
import { printedBy } from './support/run-snippets.ts';
import { type SharedLectern, shareLectern } from './support/shared-lectern.ts';

const repositoryFile = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const MODULES = repositoryFile('packages/python-sdk/src/gen');
const python = findPython('httpx');

/** The expected output of each snippet of docs/sdk-python.md. */
const EXPECTED: Readonly<Record<string, RegExp>> = {
  '1. Connect': /^A secret key of team_\w+$/,
  '2. Create a collection and index a document': /^Leave (pending|processing|indexed)$/,
  '3. Upload files': /^100%$/m,
  '4. Watch a sync job': /^end completed 1 of 1$/m,
  '5. Search': /Travel[\s\S]*second class/i,
  '6. Ask': /second class[\s\S]*\['Travel'/i,
  '7. Stream a reply': /approval.* \d+ tokens\n.*approval.* [1-9]\d*$/,
  '8. Read complete lists': /^2\n(Leave\nTravel|Travel\nLeave)$/,
  '9. Use asyncio': /^\['Handbook'\] Leave Travel\n.*thirty days/i,
  '10. Handle errors': /^not_found 404 req_\w+ \{.*'resource': 'collection'/,
  '11. Update only if nothing has changed': /^precondition_failed 412$/,
};

/** What the page does not show: agents, canceling, batches, end users and signatures. */
const PROGRAM = `
import asyncio, os, time
from lectern_sdk import AsyncLectern, Lectern, NotFoundError

url = os.environ["LECTERN_URL"]
with Lectern() as lectern:
    pair = lectern.keys.create(name="Backend", require_signature=True)
    with Lectern(url, pair["secretKey"], sign=True) as signed:
        print("signed", signed.keys.own()["kind"])
    collection = lectern.collections.create(name="Offices")["id"]
    documents = [{"title": f"Office {at}", "content": f"The office {at} opens at nine."} for at in range(3)]
    batch = lectern.documents.create_batch(collection, documents=documents)
    print("batch", batch["failed"], lectern.documents.list(collection).page().total)
    while lectern.documents.list(collection, status="indexed").page().total < 3:
        time.sleep(0.1)
    agent = lectern.agents.create(name="Helper", system_prompt="You help.", tools=["search_documents"])["id"]
    run = lectern.agents.execute(agent, message="When do offices open?").final()
    stored = lectern.runs.get(agent, run["runId"])
    print("run", stored["status"], len(run["content"]) > 0)
    print("left", next(iter(lectern.chat.stream(message="When do offices open?")))["event"])
    lectern.chat.send(message="When do offices open?", options={"user": "ada@example.com"})
    totals = [
        lectern.conversations.list(options={"user": user}).page().total for user in ("ada@example.com", "bob@example.com")
    ]
    print("conversations", totals)
    print("audit", sum(1 for _ in lectern.analytics.export_audit()) > 0)


async def main() -> None:
    async with AsyncLectern() as client:
        final, complete = await asyncio.gather(
            client.chat.stream(message="When do offices open?").final(),
            client.chat.send(message="When do offices open?"),
        )
        print("async", final["content"] == complete["content"])

        async def read() -> None:
            async for _ in client.chat.stream(message="When do offices open?"):
                task.cancel()

        task = asyncio.create_task(read())
        try:
            await task
        except asyncio.CancelledError:
            print("cancelled")
        try:
            await client.collections.delete("col_unknown")
        except NotFoundError as error:
            print("missing", error.status)
        await client.collections.delete(collection)


asyncio.run(main())
`;

const PRINTED = [
  'signed secret',
  'batch 0 3',
  'run completed True',
  'left message_start',
  'conversations [1, 0]',
  'audit True',
  'async True',
  'cancelled',
  'missing 404',
];

describeIf(python !== undefined, missingPython('httpx'))('the Python SDK with a running Lectern', () => {
  let lectern: SharedLectern;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    [lectern, folder] = await Promise.all([shareLectern(), temporaryFolder()]);
  });
  afterAll(() => folder?.remove());

  const run = async (name: string, program: string): Promise<readonly string[]> => {
    const path = join(folder.path, name);
    await writeFile(path, program);
    const env = { LECTERN_URL: lectern.baseUrl, LECTERN_KEY: lectern.credentials.secretKey };
    return (await runPython(String(python), [path], { modules: MODULES, env })).trimEnd().split('\n');
  };

  it('prints the output that docs/sdk-python.md expects', async () => {
    const text = await readFile(repositoryFile('docs/sdk-python.md'), 'utf8');
    const sections = text.split(/^## /m).flatMap((section) => {
      const code = [...section.matchAll(/```python\n([\s\S]*?)```/g)].map(([, block]) => block).join('\n');
      return code === '' ? [] : [{ title: section.slice(0, section.indexOf('\n')), code }];
    });
    expect(sections.map(({ title }) => title)).toEqual(Object.keys(EXPECTED));
    const program = sections
      .map(({ title, code }) => `print(${JSON.stringify(`\n# ${title}`)})\n${code}`)
      .join('\n')
      .replaceAll('http://localhost:8080', lectern.baseUrl)
      .replaceAll('lectern_sk_…', lectern.credentials.secretKey);
    const printed = printedBy(await run('page.py', program));
    for (const [title, pattern] of Object.entries(EXPECTED))
      expect(printed.get(title)?.join('\n').trim()).toMatch(pattern);
  });

  it('signs, runs agents, imports batches, acts for people, and cancels streams', async () => {
    expect(await run('program.py', PROGRAM)).toEqual(PRINTED);
  });
});
