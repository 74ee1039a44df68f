import type { DenseEncoder } from '#dense/dense-encoder';

/** The operator's choice of an encoder. */
export interface DenseEncoderSettings {
  /** `builtin` (the default), `openai`, `voyage` or `onnx`. */
  readonly provider?: string | undefined;
  /** A model of the provider; default its first. */
  readonly model?: string | undefined;
  readonly apiKey?: string | undefined;
  /** The provider's address, up to `/v1`; default its public address. */
  readonly baseUrl?: string | undefined;
  /** The length of the vectors; default the model's own. */
  readonly dimensions?: number | undefined;
  /** Prefixes that some models need before each query and each passage (`query: `, `passage: `). */
  readonly queryPrefix?: string | undefined;
  readonly documentPrefix?: string | undefined;
  /** For `onnx`: a folder with `config.json`, `tokenizer.json` and `onnx/model.onnx`. */
  readonly modelDir?: string | undefined;
}

/** Encoders that are part of Lectern. */
export interface DenseProvider {
  /** The available models, the default first. */
  readonly models: readonly [string, ...string[]];
  create(settings: { readonly model: string }): DenseEncoder;
}
