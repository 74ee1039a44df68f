import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPython } from '#contract/python';
import { type Lectern, startLectern } from '#system/lectern';
import { createTemporaryHome } from '#system/temporary-home';

const CHECK_CLIENT = fileURLToPath(new URL('./check-client.py', import.meta.url));
const MAX_MODELS = 400;
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];
/** Operations that would take the key away from the run. */
const EXCLUDED = ['updateApiKey', 'rotateApiKey', 'revokeApiKey'];

type Python = Awaited<ReturnType<typeof createPython>>;

async function fuzz(python: Python, { baseUrl, secretKey }: Lectern): Promise<void> {
  await python.run('schemathesis', [
    'run',
    `${baseUrl}/openapi.json`,
    ...['--header', `X-Service-Key: ${secretKey}`],
    ...['--phases', 'examples,coverage,fuzzing,stateful'],
    ...['--checks', CHECKS.join(',')],
    ...['--max-examples', '50', '--seed', '1', '--continue-on-failure'],
    ...EXCLUDED.flatMap((id) => ['--exclude-operation-id', id]),
  ]);
}

async function generateClient(python: Python, { baseUrl, secretKey }: Lectern, folder: string): Promise<number> {
  const client = join(folder, 'lectern_client');
  const document = ['--url', `${baseUrl}/openapi.json`];
  await python.run('openapi-python-client', [
    'generate',
    ...document,
    ...['--output-path', client, '--meta', 'none', '--fail-on-warning'],
  ]);
  const models = (await readdir(join(client, 'models'))).filter((name) => name !== '__init__.py').length;
  if (models > MAX_MODELS) throw new Error(`The generated client has ${models} models, more than ${MAX_MODELS}.`);
  await python.run('python', [CHECK_CLIENT], { PYTHONPATH: folder, LECTERN_URL: baseUrl, LECTERN_KEY: secretKey });
  return models;
}

/** Checks a running Lectern against its OpenAPI document with the tools of other people. */
export async function runContract(print: (line: string) => void, signal: AbortSignal): Promise<void> {
  const home = await createTemporaryHome();
  try {
    const python = await createPython(join(home.path, 'python'), signal);
    const lectern = await startLectern(join(home.path, 'lectern'), signal);
    try {
      const models = await generateClient(python, lectern, home.path);
      print(`The generated client works. It has ${models} models.`);
      await fuzz(python, lectern);
      print('Schemathesis found no difference from the document.');
    } finally {
      await lectern.stop();
    }
  } finally {
    await home.remove();
  }
}
