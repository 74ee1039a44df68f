import type { Logger } from '@lectern/service-kit';
import type { DenseEncoder } from '#dense/dense-encoder';
import type { ModelChoices } from '#onnx/model-folder';

/** The operator's choice of an encoder. */
export interface DenseEncoderSettings extends ModelChoices {
  /** `builtin` (the default), `openai`, `voyage` or `onnx`. */
  readonly provider?: string | undefined;
  /** A model of the provider; default its first. */
  readonly model?: string | undefined;
  readonly apiKey?: string | undefined;
  /** The provider's address, up to `/v1`; default its public address. */
  readonly baseUrl?: string | undefined;
  /** The length of the vectors; default the model's own. */
  readonly dimensions?: number | undefined;
  /**
   * For `onnx`: a folder with `config.json`, `tokenizer.json` and `onnx/model.onnx`. Otherwise
   * `model` is the name of a downloaded model.
   */
  readonly modelDir?: string | undefined;
  /** The folder of downloaded models and of the packages that run them. */
  readonly modelsDir?: string | undefined;
  /** CPU threads of a model in this process. */
  readonly threads?: number | undefined;
  readonly log?: Pick<Logger, 'info'> | undefined;
}

/** Encoders that are part of Lectern. */
export interface DenseProvider {
  /** The available models, the default first. */
  readonly models: readonly [string, ...string[]];
  create(settings: { readonly model: string }): DenseEncoder;
}
