export { extractTerms, visitTerms } from '#analysis/analyze';
export { assumeEnglish, type DetectLanguage, LANGUAGES, type Language, type LanguageRules } from '#analysis/languages';
export { hashTerm } from '#hash-term';
export {
  createSparseEncoder,
  type PassageText,
  type SparseEncoder,
  type SparseEncoderOptions,
} from '#sparse/sparse-encoder';
export type { SparseVector } from '#sparse/sparse-vector';
