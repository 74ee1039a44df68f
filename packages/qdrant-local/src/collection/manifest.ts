import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileDurably } from '../storage/write-file-durably.ts';
import type { CollectionConfig, NamedIndex } from './config.ts';

/** A collection's entry in the manifest. */
export interface CollectionEntry {
  /** The name of its folder. */
  readonly folder: string;
  readonly config: CollectionConfig;
  readonly indexes: readonly NamedIndex[];
}

/** All collections and aliases of a data folder. */
export interface Manifest {
  readonly format: 1;
  /** The number of the next collection's folder. Never reused. */
  readonly nextFolder: number;
  readonly collections: readonly (readonly [string, CollectionEntry])[];
  readonly aliases: readonly (readonly [string, string])[];
}

const fileName = 'manifest.json';
const emptyManifest: Manifest = { format: 1, nextFolder: 1, collections: [], aliases: [] };

/**
 * Reads the manifest of a data folder. Returns an empty one for a new folder.
 *
 * @throws Error for a damaged file or one of another program
 */
export function readManifest(dataDir: string): Manifest {
  const path = join(dataDir, fileName);
  if (!existsSync(path)) return emptyManifest;
  const manifest: Partial<Manifest> = JSON.parse(readFileSync(path, 'utf8'));
  const { nextFolder, collections, aliases } = manifest;
  if (manifest.format !== 1 || !nextFolder || !collections || !aliases)
    throw new Error(`${path} was not written by this version of qdrant-local`);
  return { format: 1, nextFolder, collections, aliases };
}

/** Replaces the manifest atomically. */
export function writeManifest(dataDir: string, manifest: Manifest): Promise<void> {
  return writeFileDurably(join(dataDir, fileName), JSON.stringify(manifest));
}
