export { extractTerms, visitTerms } from '#analysis/analyze';
export { assumeEnglish, type DetectLanguage, LANGUAGES, type Language, type LanguageRules } from '#analysis/languages';
export { createDenseEncoder } from '#dense/create-dense-encoder';
export type { DenseEncoder, EmbedOptions } from '#dense/dense-encoder';
export type { DenseEncoderSettings } from '#dense/dense-provider';
export { hashTerm } from '#hash-term';
export {
  createSparseEncoder,
  type PassageText,
  type SparseEncoder,
  type SparseEncoderOptions,
} from '#sparse/sparse-encoder';
export type { SparseVector } from '#sparse/sparse-vector';
