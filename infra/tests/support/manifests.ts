import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { ROOT } from './service-settings.ts';

// biome-ignore lint/suspicious/noExplicitAny: manifests have many shapes, and another test validates their schemas.
export type Manifest = any;

export const BASE = join(ROOT, 'infra/k8s/base');
export const OVERLAYS = ['dev', 'prod'] as const;

/** Parses the documents of a YAML text. Throws if it is invalid. */
export function documentsOf(text: string): Manifest[] {
  const documents = parseAllDocuments(text, { uniqueKeys: true });
  if ('empty' in documents) return [];
  return documents.flatMap((document) => {
    for (const error of document.errors) throw error;
    return document.toJS() ?? [];
  });
}

/** Reads the documents of all .yaml files in a folder. */
export function manifestsIn(folder: string): { readonly file: string; readonly manifest: Manifest }[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));
  return files.flatMap((file) =>
    documentsOf(readFileSync(join(folder, file), 'utf8')).map((manifest) => ({ file, manifest })),
  );
}

/** Renders an overlay with `kubectl kustomize`. Returns undefined if kubectl is not installed. */
export function render(overlay: string): Manifest[] | undefined {
  const args = ['kustomize', join(ROOT, 'infra/k8s/overlays', overlay)];
  try {
    return documentsOf(execFileSync('kubectl', args, { encoding: 'utf8', stdio: 'pipe', timeout: 60_000 }));
  } catch (error) {
    if (typeof error === 'object' && error !== null && Reflect.get(error, 'code') === 'ENOENT') return undefined;
    throw error;
  }
}
