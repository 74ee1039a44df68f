import type { DenseEncoder } from '#dense/dense-encoder';

/** Which encoder to use; as an operator sets it. */
export interface DenseEncoderSettings {
  /** A name of the registry in `create-dense-encoder.ts`; default `builtin`. */
  readonly provider?: string | undefined;
  /** One of the provider's models; default its first. */
  readonly model?: string | undefined;
}

/** Where encoders come from. */
export interface DenseProvider {
  /** The models it knows, the default first. */
  readonly models: readonly [string, ...string[]];
  create(settings: { readonly model: string }): DenseEncoder;
}
