import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { isHubName, modelFolder } from '#onnx/local-models';

/** The file in a model's folder that records what was downloaded. */
export const MANIFEST = 'lectern.json';

const manifestSchema = z.object({
  name: z.string(),
  /** The commit in the hub. */
  revision: z.string(),
  precision: z.enum(['fp32', 'fp16', 'q8']),
  files: z.array(z.object({ path: z.string(), sizeBytes: z.number(), sha256: z.string() })),
});

/** What was downloaded: the commit and the SHA-256 of each file. */
export type Manifest = z.output<typeof manifestSchema>;

/** Returns the manifest of a downloaded model; undefined if there is none. */
export async function readManifest(modelsDir: string, name: string): Promise<Manifest | undefined> {
  try {
    return manifestSchema.parse(JSON.parse(await readFile(join(modelFolder(modelsDir, name), MANIFEST), 'utf8')));
  } catch {
    return undefined;
  }
}

/** Returns the manifests of all downloaded models, by name. */
export async function listManifests(modelsDir: string): Promise<Manifest[]> {
  const found: Manifest[] = [];
  for (const owner of await folders(modelsDir)) {
    for (const model of await folders(join(modelsDir, owner))) {
      const name = `${owner}/${model}`;
      const manifest = isHubName(name) ? await readManifest(modelsDir, name) : undefined;
      if (manifest !== undefined) found.push(manifest);
    }
  }
  return found;
}

async function folders(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}

/** The size of a model's files. */
export const sizeOf = ({ files }: Manifest): number => files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
