import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { ConfigError } from '@lectern/service-kit';

/** The name of a model in the hub: an owner and a name. */
const HUB_NAME = /^[A-Za-z0-9][\w-]{0,95}\/[A-Za-z0-9][\w.-]{0,95}$/;

/** Returns whether a text can be the name of a model in the hub. It is then also safe as a path. */
export function isHubName(name: string): boolean {
  return HUB_NAME.test(name) && !name.includes('..');
}

/** Returns the folder of a downloaded model. */
export function modelFolder(modelsDir: string, name: string): string {
  return join(modelsDir, ...name.split('/'));
}

/** Returns whether a model is completely downloaded: its folder appears only then. */
export function isDownloaded(modelsDir: string | undefined, name: string): boolean {
  if (modelsDir === undefined || !isHubName(name)) return false;
  return existsSync(join(modelFolder(modelsDir, name), 'config.json'));
}

/** Half of the CPU cores, because the other services of this machine need the rest. */
export const defaultThreads = (): number => Math.max(1, Math.floor(availableParallelism() / 2));

/**
 * Returns the folder of the configured model, and the name of the model. `prefix` is the prefix of
 * its settings.
 * @throws ConfigError if a setting is missing
 */
export function locateModel(
  {
    modelDir,
    model,
    modelsDir,
  }: {
    readonly modelDir?: string | undefined;
    readonly model?: string | undefined;
    readonly modelsDir?: string | undefined;
  },
  prefix: 'EMBEDDING' | 'RERANK',
): { readonly folder: string; readonly name: string } {
  if (modelDir !== undefined) return { folder: resolve(modelDir), name: model ?? basename(resolve(modelDir)) };
  if (model === undefined) {
    throw new ConfigError([`${prefix}_MODEL: is required for ${prefix}_PROVIDER=onnx, or ${prefix}_MODEL_DIR`]);
  }
  if (!isHubName(model)) throw new ConfigError([`${prefix}_MODEL: must be OWNER/NAME for ${prefix}_PROVIDER=onnx`]);
  if (modelsDir === undefined) throw new ConfigError([`MODELS_DIR: is required for a downloaded ${prefix}_MODEL`]);
  return { folder: modelFolder(modelsDir, model), name: model };
}
