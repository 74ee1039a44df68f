import { AppError } from '@lectern/service-kit';
import { builtinProvider } from '#dense/builtin-provider';
import type { DenseEncoder } from '#dense/dense-encoder';
import type { DenseEncoderSettings, DenseProvider } from '#dense/dense-provider';

/** The providers by the name that settings use. A provider is added by one entry here and one file beside this. */
const PROVIDERS: ReadonlyMap<string, DenseProvider> = new Map([['builtin', builtinProvider]]);

/**
 * Makes the encoder that the settings name; without settings the builtin one.
 * @throws AppError `invalid_request` for an unknown provider or model; it names the known ones.
 */
export function createDenseEncoder({ provider: name = 'builtin', model }: DenseEncoderSettings = {}): DenseEncoder {
  const provider = PROVIDERS.get(name);
  if (!provider) throw unknown('embedding provider', name, [...PROVIDERS.keys()]);
  if (model !== undefined && !provider.models.includes(model)) {
    throw unknown(`${name} embedding model`, model, provider.models);
  }
  return provider.create({ model: model ?? provider.models[0] });
}

function unknown(what: string, name: string, known: readonly string[]): AppError {
  return new AppError('invalid_request', `There is no ${what} "${name}". Known: ${known.join(', ')}.`, {
    details: { name, known },
  });
}
