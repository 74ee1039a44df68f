export { type FitCorpus, type FitQuestion, readBeir, readDecided } from './beir.ts';
export { halfOf } from './halves.ts';
export { createRank } from './rank-documents.ts';
export { toSource } from './read-rows.ts';
