export { createDenseEncoders, type DenseEncoders } from '#dense/create-dense-encoders';
export type { DenseEncoder, EmbedOptions } from '#dense/dense-encoder';
export type { DenseEncoderSettings } from '#dense/dense-provider';
export { dimensionsOf } from '#dense/dimensions-of';
export { embeddingSettings, encoderSettings } from '#dense/embedding-settings';
export type { CallLimits, Endpoint } from '#endpoint/endpoint';
export { postJson } from '#endpoint/post-json';
export { hashTerm } from '#hash-term';
export { lsiFromBytes } from '#lsi/lsi-bytes';
export { createLsiEncoder, type LsiEncoder, type LsiQuery } from '#lsi/lsi-encoder';
export { createLsiEncoderCache, type LsiEncoderCache } from '#lsi/lsi-encoder-cache';
export { LSI_LIMITS } from '#lsi/lsi-limits';
export type { LsiPassage } from '#lsi/lsi-sample';
export { type LearnedLsi, type LsiTraining, startLsiTraining } from '#lsi/lsi-training';
export { isSimilar, type Similarity, semanticRelevance } from '#similarity';
export {
  createSparseEncoder,
  type PassageText,
  type SparseEncoder,
} from '#sparse/sparse-encoder';
export type { SparseVector } from '#sparse/sparse-vector';
export { documentWords, queryWords, wordId } from '#words/word-ids';
