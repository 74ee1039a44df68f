import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { alreadyExists, notFound } from '../errors.ts';
import type { IndexSchema } from '../index/field-index.ts';
import type { JsonObject } from '../json/types.ts';
import { lockFolder } from '../storage/folder-lock.ts';
import { changeAliases } from './aliases.ts';
import { Collection } from './collection.ts';
import { createFolder } from './collection-files.ts';
import type { CollectionConfig } from './config.ts';
import { type CollectionEntry, readManifest, writeManifest } from './manifest.ts';

/** All collections of a data folder, locked for this process. */
export class Catalog {
  readonly #dataDir: string;
  readonly #unlock: () => void;
  readonly #warn: (message: string) => void;
  readonly #collections = new Map<string, Collection>();
  #entries: Map<string, CollectionEntry>;
  #aliases: Map<string, string>;
  #nextFolder: number;
  #lastChange: Promise<unknown> = Promise.resolve();

  private constructor(dataDir: string, unlock: () => void, warn: (message: string) => void) {
    const manifest = readManifest(dataDir);
    this.#dataDir = dataDir;
    this.#unlock = unlock;
    this.#warn = warn;
    this.#entries = new Map(manifest.collections);
    this.#aliases = new Map(manifest.aliases);
    this.#nextFolder = manifest.nextFolder;
  }

  /** Locks the data folder and opens every collection. @throws Error if it is in use or damaged */
  static async open(dataDir: string, warn: (message: string) => void): Promise<Catalog> {
    mkdirSync(join(dataDir, 'collections'), { recursive: true, mode: 0o700 });
    const unlock = lockFolder(dataDir);
    try {
      const catalog = new Catalog(dataDir, unlock, warn);
      catalog.#removeStrayFolders();
      for (const [name, entry] of catalog.#entries) catalog.#collections.set(name, await catalog.#openEntry(entry));
      return catalog;
    } catch (error) {
      unlock();
      throw error;
    }
  }

  names(): string[] {
    return [...this.#collections.keys()].sort();
  }

  /** Alias → collection. */
  get aliases(): ReadonlyMap<string, string> {
    return this.#aliases;
  }

  has(name: string): boolean {
    return this.#collections.has(this.#aliases.get(name) ?? name);
  }

  /** Returns a collection by name or alias. @throws QdrantError 404 */
  get(name: string): Collection {
    const collection = this.#collections.get(this.#aliases.get(name) ?? name);
    if (!collection) throw notFound(`Collection \`${name}\` doesn't exist!`);
    return collection;
  }

  /** Creates a collection. @throws QdrantError 409 if the name is taken */
  create(name: string, config: CollectionConfig): Promise<void> {
    return this.#change(async () => {
      if (this.has(name)) throw alreadyExists(`Collection \`${name}\` already exists!`);
      const entry = { folder: `c${this.#nextFolder++}`, config, indexes: [] };
      await createFolder(this.#folderOf(entry));
      const collection = await this.#openEntry(entry);
      await this.#save(new Map(this.#entries).set(name, entry), this.#aliases).catch(async (error: unknown) => {
        await collection.close();
        throw error;
      });
      this.#collections.set(name, collection);
    });
  }

  /** Deletes a collection. Returns false if it does not exist. */
  delete(name: string): Promise<boolean> {
    return this.#change(async () => {
      const collection = this.#collections.get(name);
      const entry = this.#entries.get(name);
      if (!collection || !entry) return false;
      const entries = new Map(this.#entries);
      entries.delete(name);
      await this.#save(entries, new Map([...this.#aliases].filter(([, target]) => target !== name)));
      this.#collections.delete(name);
      await collection.close();
      await rm(this.#folderOf(entry), { recursive: true, force: true });
      return true;
    });
  }

  /** Changes a collection's settings. @throws QdrantError 404 */
  reconfigure(name: string, update: (config: CollectionConfig) => CollectionConfig): Promise<void> {
    return this.#changeEntry(name, (entry, collection) => {
      const config = update(entry.config);
      return { entry: { ...entry, config }, apply: () => collection.reconfigure(config) };
    });
  }

  /** Adds or replaces a payload index. @throws QdrantError 404, or 400 for unsupported options */
  createIndex(name: string, path: string, schema: IndexSchema): Promise<void> {
    return this.#changeEntry(name, (entry, collection) => {
      collection.createIndex(path, schema);
      const indexes = [...entry.indexes.filter((index) => index.path !== path), { path, ...schema }];
      return { entry: { ...entry, indexes } };
    });
  }

  /** Deletes a payload index. @throws QdrantError 404 */
  dropIndex(name: string, path: string): Promise<void> {
    return this.#changeEntry(name, (entry, collection) => ({
      entry: { ...entry, indexes: entry.indexes.filter((index) => index.path !== path) },
      apply: () => collection.store.dropIndex(path),
    }));
  }

  /** Applies alias actions. @throws QdrantError 404 or 409 */
  changeAliases(body: JsonObject): Promise<void> {
    return this.#change(async () => {
      const aliases = changeAliases(this.#aliases, (name) => this.#collections.has(name), body);
      await this.#save(this.#entries, aliases);
    });
  }

  /** Writes everything to disk and releases the folder. */
  async close(): Promise<void> {
    await this.#lastChange.catch(() => undefined);
    await Promise.all([...this.#collections.values()].map((collection) => collection.close()));
    this.#unlock();
  }

  #folderOf(entry: CollectionEntry): string {
    return join(this.#dataDir, 'collections', entry.folder);
  }

  #openEntry(entry: CollectionEntry): Promise<Collection> {
    const { config, indexes } = entry;
    return Collection.open({ folder: this.#folderOf(entry), config, indexes, warn: this.#warn });
  }

  // A crash between creating a folder and registering it, or between unregistering and deleting it,
  // leaves an orphan.
  #removeStrayFolders(): void {
    const known = new Set([...this.#entries.values()].map((entry) => entry.folder));
    const folder = join(this.#dataDir, 'collections');
    for (const name of readdirSync(folder))
      if (/^c\d+$/.test(name) && !known.has(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }

  #changeEntry(
    name: string,
    change: (entry: CollectionEntry, collection: Collection) => { entry: CollectionEntry; apply?: () => void },
  ): Promise<void> {
    return this.#change(async () => {
      const collection = this.get(name);
      const resolved = this.#aliases.get(name) ?? name;
      const before = this.#entries.get(resolved);
      if (!before) throw notFound(`Collection \`${name}\` doesn't exist!`);
      const { entry, apply } = change(before, collection);
      await this.#save(new Map(this.#entries).set(resolved, entry), this.#aliases);
      apply?.();
    });
  }

  // Serializes changes of the manifest.
  #change<T>(act: () => Promise<T>): Promise<T> {
    const next = this.#lastChange.then(act, act);
    this.#lastChange = next.catch(() => undefined);
    return next;
  }

  async #save(entries: Map<string, CollectionEntry>, aliases: Map<string, string>): Promise<void> {
    await writeManifest(this.#dataDir, {
      format: 1,
      nextFolder: this.#nextFolder,
      collections: [...entries],
      aliases: [...aliases],
    });
    this.#entries = entries;
    this.#aliases = aliases;
  }
}
