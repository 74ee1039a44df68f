import type { DenseEncoder } from '#dense/dense-encoder';

/** Which encoder to use; as an operator sets it. */
export interface DenseEncoderSettings {
  /** `builtin` (the default), `openai`, `voyage` or `onnx`. */
  readonly provider?: string | undefined;
  /** One of the provider's models; default its first. */
  readonly model?: string | undefined;
  readonly apiKey?: string | undefined;
  /** Where the provider is, up to `/v1`; default its own address. */
  readonly baseUrl?: string | undefined;
  /** The length that vectors are to have; default the model's own. */
  readonly dimensions?: number | undefined;
  /** What models that want it are given before each query and each passage (`query: `, `passage: `). */
  readonly queryPrefix?: string | undefined;
  readonly documentPrefix?: string | undefined;
  /** Of `onnx`: a folder with `config.json`, `tokenizer.json` and `onnx/model.onnx`. */
  readonly modelDir?: string | undefined;
}

/** Encoders that are part of Lectern. */
export interface DenseProvider {
  /** The models it knows, the default first. */
  readonly models: readonly [string, ...string[]];
  create(settings: { readonly model: string }): DenseEncoder;
}
