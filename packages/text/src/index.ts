export { ANALYSIS_VERSION, extractTerms, visitIndexTerms, visitTerms } from '#analysis/analyze';
export {
  type AnalyzedQuery,
  analyzeQuery,
  type QueryAnalysisOptions,
  type QueryExpansion,
  type QueryTerm,
} from '#analysis/analyze-query';
export { characterGrams } from '#analysis/character-grams';
export { detectLanguage, likelyLanguages, passageLanguage } from '#analysis/detect-language';
export { EMOJI, isEmoji, normalizeEmoji } from '#analysis/emoji';
export { functionWordCount } from '#analysis/function-words';
export { isLanguage, LANGUAGES, type Language, type LanguageRules } from '#analysis/languages';
export { importanceOf } from '#analysis/light-words';
export { intendedWords, shortenings } from '#analysis/misspellings';
export { hasUnspacedScript } from '#analysis/unspaced-scripts';
export { visitTermsAmong, visitTokensWith } from '#analysis/visit-terms-among';
export { isSpace } from '#characters';
export { estimateTokens, offsetAfterTokens } from '#estimate-tokens';
export { headAndTail } from '#head-and-tail';
export { codeSpans } from '#markdown/code-spans';
export { joinHeadings, splitHeadings } from '#markdown/heading-path';
export { fenceAfter, fenceBefore, openFence } from '#markdown/line-kinds';
export { lineSpans } from '#markdown/lines';
export { passageUnits, type TextUnit } from '#markdown/passage-units';
export { type SectionSpan, sectionSpans } from '#markdown/section-spans';
export { readableText } from '#readable-text';
export { type SentenceStyle, splitSentences } from '#sentences';
export { createTextSketcher, parseSketch, SKETCH_SIZE, sketchSimilarity, type TextSketcher } from '#sketch/text-sketch';
export { type Span, sliceSpan, trimSpan } from '#span';
export { createStorableStream, type StorableStream, storableJson, storableText } from '#storable-text';
export { expandQuery, type SynonymLayer, synonymLanguages, synonymLayer } from '#synonyms/expand-query';
export { type PackRule, type SynonymPack, synonymPacks } from '#synonyms/packs';
export { formatSolrSynonyms, type LineProblem, parseSolrSynonyms } from '#synonyms/solr-format';
export { createSynonymIndex, MAX_COMPILED, type SynonymIndex } from '#synonyms/synonym-index';
export { inputsOf, normalizeRule, problemOfRule, ruleKey, type SynonymRule } from '#synonyms/synonym-rule';
export { isForm, type WordKey, wordKeys } from '#synonyms/word-keys';
